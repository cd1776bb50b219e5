#include "gingham/engine/archive.hpp"

#include "gingham/base/digest.hpp"

namespace gingham {

void Archive::raw(void* data, std::size_t size) {
  if (size == 0) return;
  if (!reading_) {
    const auto* bytes = static_cast<const std::byte*>(data);
    output_.insert(output_.end(), bytes, bytes + size);
    return;
  }
  if (size > input_.size() - position_) {
    throw Error(ErrorCode::input, "", "saved state: ends too early");
  }
  std::memcpy(data, input_.data() + position_, size);
  position_ += size;
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
    const auto left = static_cast<Index>((input_.size() - position_) / item_bytes);
    if (items < 0 || items > left) {
      throw Error(ErrorCode::input, "",
                  "saved state: " + std::to_string(items) + " items announced, at most " +
                      std::to_string(left) + " are there");
    }
  }
  return items;
}

}  // namespace gingham
