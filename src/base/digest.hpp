// 64-bit content digests (XXH3) of anything made of plain values.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace gingham {

class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  void add_bytes(const void* data, std::size_t size);
  void add(std::string_view text);  // its length goes in too: ("ab","c") differs from ("a","bc")
  template <class T>
  requires std::is_arithmetic_v<T>
  void add(T value) { add_bytes(&value, sizeof value); }
  template <class T>
  requires std::is_arithmetic_v<T>
  void add(std::span<const T> values) { add_bytes(values.data(), values.size_bytes()); }

  std::uint64_t value() const;
  std::string hex() const;  // 16 lower-case digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::uint64_t digest_bytes(const void* data, std::size_t size);

}  // namespace gingham
