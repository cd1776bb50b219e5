#include "gingham/engine/archive.hpp"

#include <algorithm>

#include "gingham/base/digest.hpp"

namespace gingham {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

}  // namespace

void Archive::raw(void* data, std::size_t size) {
  if (size == 0) return;
  if (!reading_) return put({static_cast<const std::byte*>(data), size});
  if (size > left_) throw Error(ErrorCode::input, "", "saved state: ends too early");
  get({static_cast<std::byte*>(data), size});
}

void Archive::put(std::span<const std::byte> bytes) {
  if (write_ && output_.size() + bytes.size() > kPieceBytes) finish();
  if (write_ && bytes.size() > kPieceBytes) return write_(bytes);
  output_.insert(output_.end(), bytes.begin(), bytes.end());
}

void Archive::finish() {
  if (!output_.empty()) write_(output_);
  output_.clear();
}

// Requires that so many are left.
void Archive::get(std::span<std::byte> bytes) {
  left_ -= bytes.size();
  const std::size_t here = std::min(bytes.size(), input_.size());
  std::copy_n(input_.begin(), here, bytes.begin());
  input_ = input_.subspan(here);
  bytes = bytes.subspan(here);
  if (bytes.empty()) return;
  if (bytes.size() >= kPieceBytes) return read_(bytes);
  piece_.resize(std::min(kPieceBytes, bytes.size() + left_));
  read_(piece_);
  std::copy_n(piece_.begin(), bytes.size(), bytes.begin());
  input_ = std::span<const std::byte>(piece_).subspan(bytes.size());
}

// A byte that is neither 0 nor 1 must not become a bool.
void Archive::field(bool& value) {
  std::uint8_t byte = value ? 1 : 0;
  raw(&byte, 1);
  if (byte > 1) throw Error(ErrorCode::input, "", "saved state: neither yes nor no");
  value = byte == 1;
}

void Archive::tag(const char* name, std::uint64_t type) {
  Digest digest;
  digest.add(std::string_view(name));
  digest.add(type);
  const auto expected = static_cast<std::uint32_t>(digest.value());
  std::uint32_t found = expected;
  raw(&found, sizeof found);
  if (found != expected) {
    throw Error(ErrorCode::input, "",
                "saved state: field '" + std::string(name) + "' is not where it was expected");
  }
}

Index Archive::count(Index items, std::size_t item_bytes) {
  raw(&items, sizeof items);
  if (reading_) {
    const auto left = static_cast<Index>(left_ / item_bytes);
    if (items < 0 || items > left) {
      throw Error(ErrorCode::input, "",
                  "saved state: " + std::to_string(items) + " items announced, at most " +
                      std::to_string(left) + " are there");
    }
  }
  return items;
}

}  // namespace gingham
