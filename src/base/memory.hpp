// Contiguous arrays of plain values: 64-byte aligned, zero at first, large ones straight from the
// system so that they can grow without a second copy.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "gingham/base/index.hpp"

namespace gingham {

// Raw zeroed memory. resize() keeps the contents, moves pages instead of copying them where the
// block is large, and zeroes what is new. Throws std::bad_alloc.
class GINGHAM_API RawMemory {
 public:
  RawMemory() = default;
  explicit RawMemory(std::size_t bytes) { resize(bytes); }
  ~RawMemory() { release(); }
  RawMemory(RawMemory&& other) noexcept { swap(other); }
  RawMemory& operator=(RawMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  RawMemory(const RawMemory&) = delete;
  RawMemory& operator=(const RawMemory&) = delete;

  void resize(std::size_t bytes);
  void* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void release() noexcept;
  void swap(RawMemory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(mapped_, other.mapped_);
  }
  void* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;  // bytes got from mmap; 0 when the block came from the heap
};

// A fixed-size array that owns its values, or borrows somebody else's and keeps them alive.
// Copying copies the values; a borrowed array must not be written to (data() on a non-const one
// copies first).
template <class T>
requires std::is_trivially_copyable_v<T>
class Array {
 public:
  Array() = default;
  explicit Array(Index size) : memory_(bytes_of(size)), size_(size) {
    data_ = static_cast<T*>(memory_.data());
  }
  Array(RawMemory memory, Index size) : memory_(std::move(memory)), size_(size) {
    data_ = static_cast<T*>(memory_.data());
  }
  static Array borrow(const T* values, Index size, std::shared_ptr<const void> keeper) {
    Array array;
    array.data_ = const_cast<T*>(values);
    array.size_ = size;
    array.keeper_ = std::move(keeper);
    array.borrowed_ = true;
    return array;
  }
  Array(const Array& other) : Array(other.size_) { std::copy_n(other.data_, size_, data_); }
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array other) noexcept {
    swap(other);
    return *this;
  }
  ~Array() = default;

  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* data() const { return data_; }
  T* data() {
    if (borrowed_) *this = Array(*this);
    return data_;
  }
  std::span<const T> span() const { return {data_, static_cast<std::size_t>(size_)}; }
  std::span<T> span() { return {data(), static_cast<std::size_t>(size_)}; }
  Index bytes() const { return size_ * static_cast<Index>(sizeof(T)); }

 private:
  static std::size_t bytes_of(Index size) {
    return static_cast<std::size_t>(checked_mul(size, static_cast<Index>(sizeof(T)), "array"));
  }
  void swap(Array& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(keeper_, other.keeper_);
    std::swap(borrowed_, other.borrowed_);
  }
  RawMemory memory_;
  T* data_ = nullptr;
  Index size_ = 0;
  std::shared_ptr<const void> keeper_;
  bool borrowed_ = false;
};

// Values appended one by one, for readers that learn the size at the end. Never needs more than
// what was appended plus a constant share of untouched address space.
template <class T>
requires std::is_trivially_copyable_v<T>
class GrowingArray {
 public:
  GrowingArray() = default;
  GrowingArray(GrowingArray&& other) noexcept { swap(other); }
  GrowingArray& operator=(GrowingArray other) noexcept {
    swap(other);
    return *this;
  }

  void push_back(T value) {
    if (size_ == capacity_) grow(size_ + 1);
    data_[size_++] = value;
  }
  void append(const T* values, Index count) {
    if (count > capacity_ - size_) grow(checked_add(size_, count, "array"));
    std::copy_n(values, count, data_ + size_);
    size_ += count;
  }
  Index size() const { return size_; }
  const T* data() const { return data_; }
  T* data() { return data_; }
  T& operator[](Index i) { return data_[i]; }
  const T& operator[](Index i) const { return data_[i]; }

  // The finished array; this one is empty afterwards.
  Array<T> finish() {
    memory_.resize(static_cast<std::size_t>(size_) * sizeof(T));
    Array<T> done(std::move(memory_), size_);
    data_ = nullptr;
    size_ = capacity_ = 0;
    return done;
  }

 private:
  void swap(GrowingArray& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void grow(Index needed) {
    const Index wanted = std::max<Index>(needed, capacity_ + capacity_ / 2 + 64);
    memory_.resize(static_cast<std::size_t>(checked_mul(wanted, sizeof(T), "array")));
    data_ = static_cast<T*>(memory_.data());
    capacity_ = wanted;
  }
  RawMemory memory_;
  T* data_ = nullptr;
  Index size_ = 0;
  Index capacity_ = 0;
};

}  // namespace gingham
