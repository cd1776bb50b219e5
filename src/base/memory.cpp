#include "gingham/base/memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace gingham {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMapFrom = std::size_t{1} << 20;  // larger blocks come from mmap

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  if (bytes > SIZE_MAX - unit) throw std::bad_alloc();
  return (bytes + unit - 1) / unit * unit;
}

void* map_pages(std::size_t bytes) {
  void* fresh = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fresh == MAP_FAILED) throw std::bad_alloc();
  madvise(fresh, bytes, MADV_HUGEPAGE);
  return fresh;
}

}  // namespace

void RawMemory::release() noexcept {
  if (mapped_ > 0) {
    munmap(data_, mapped_);
  } else {
    std::free(data_);
  }
  data_ = nullptr;
  size_ = mapped_ = 0;
}

void RawMemory::resize(std::size_t bytes) {
  if (mapped_ > 0 && bytes > 0) {
    const std::size_t wanted = rounded_up(bytes, kPage);
    if (wanted != mapped_) {
      void* moved = mremap(data_, mapped_, wanted, MREMAP_MAYMOVE);
      if (moved == MAP_FAILED) throw std::bad_alloc();
      data_ = moved;
      mapped_ = wanted;
    }
    if (bytes < size_)
      std::memset(static_cast<char*>(data_) + bytes, 0, std::min(mapped_, size_) - bytes);
    size_ = bytes;
    return;
  }
  RawMemory fresh;
  if (bytes >= kMapFrom) {
    fresh.mapped_ = rounded_up(bytes, kPage);
    try {
      fresh.data_ = map_pages(fresh.mapped_);
    } catch (...) {
      fresh.mapped_ = 0;
      throw;
    }
  } else if (bytes > 0) {
    const std::size_t padded = rounded_up(bytes, kAlignment);
    fresh.data_ = std::aligned_alloc(kAlignment, padded);
    if (fresh.data_ == nullptr) throw std::bad_alloc();
    std::memset(fresh.data_, 0, padded);
  }
  fresh.size_ = bytes;
  if (size_ > 0 && bytes > 0) std::memcpy(fresh.data_, data_, std::min(size_, bytes));
  swap(fresh);
}

}  // namespace gingham
