// One function for save and resume: a class lists its fields in state(Archive&), and the same list
// writes them to bytes and reads them back. Every field carries a tag made of its name and type, so
// that a different layout is noticed, and sizes are checked against the bytes that are left:
// damaged or foreign bytes give Error{input}, never anything else.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gingham/base/memory.hpp"

namespace gingham {

class Archive {
 public:
  // Takes the next bytes of what is written.
  using Write = std::function<void(std::span<const std::byte>)>;
  // Fills the span with the next bytes, or throws.
  using Read = std::function<void(std::span<std::byte>)>;

  Archive() = default;  // writes; take() gives all of it
  // Writes piece by piece; large fields go out as they lie. finish() hands over the rest.
  explicit Archive(Write write) : write_(std::move(write)) {}
  explicit Archive(std::span<const std::byte> bytes)  // reads
      : input_(bytes), left_(bytes.size()), reading_(true) {}
  // Reads `size` bytes piece by piece, large fields straight to their place.
  Archive(Read read, std::size_t size) : read_(std::move(read)), left_(size), reading_(true) {}

  bool reading() const { return reading_; }
  bool at_end() const { return left_ == 0; }
  std::vector<std::byte> take() { return std::move(output_); }
  void finish();

  template <class T>
  Archive& operator()(const char* name, T& value) {
    tag(name, TypeCode<T>::kValue);
    field(value);
    return *this;
  }

 private:
  template <class T>
  static constexpr bool kPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

  // What kind of value a field holds: differs wherever the bytes would be read differently.
  template <class T>
  struct TypeCode {
    static constexpr std::uint64_t kKind = std::is_same_v<T, bool>       ? 1
                                           : std::is_floating_point_v<T> ? 2
                                           : std::is_enum_v<T>           ? 3
                                           : std::is_signed_v<T>         ? 4
                                           : std::is_integral_v<T>       ? 5
                                                                   : 6;  // lists its own fields
    static constexpr std::uint64_t kValue = 256 * kKind + (kPlain<T> ? sizeof(T) : 0);
  };
  template <class Character>
  struct TypeCode<std::basic_string<Character>> {
    static constexpr std::uint64_t kValue = 256 * 7;
  };
  template <class T>
  struct TypeCode<std::vector<T>> {
    static constexpr std::uint64_t kValue = 4096 * TypeCode<T>::kValue + 1;
  };
  template <class T>
  struct TypeCode<Array<T>> {
    static constexpr std::uint64_t kValue = 4096 * TypeCode<T>::kValue + 2;
  };

  template <class T>
  requires kPlain<T>
  void field(T& value) { raw(&value, sizeof value); }
  void field(bool& value);
  void field(std::string& text) {
    text.resize(static_cast<std::size_t>(count(static_cast<Index>(text.size()), 1)));
    raw(text.data(), text.size());
  }
  template <class T>
  void field(std::vector<T>& values) {
    if constexpr (kPlain<T> && !std::is_same_v<T, bool>) {
      values.resize(static_cast<std::size_t>(count(static_cast<Index>(values.size()), sizeof(T))));
      raw(values.data(), values.size() * sizeof(T));
    } else {
      const auto size = static_cast<std::size_t>(count(static_cast<Index>(values.size()), 1));
      if (reading_) values.clear();
      for (std::size_t i = 0; i < size; ++i) {
        if (reading_) values.emplace_back();  // one by one: memory only as far as the bytes reach
        if constexpr (std::is_same_v<T, bool>) {
          bool value = values[i];
          field(value);
          values[i] = value;
        } else {
          field(values[i]);
        }
      }
    }
  }
  template <class T>
  void field(Array<T>& values) {
    const Index size = count(values.size(), sizeof(T));
    if (reading_) values = Array<T>(size);
    // As const: a borrowed array is written without a copy of it.
    raw(const_cast<T*>(std::as_const(values).data()), static_cast<std::size_t>(size) * sizeof(T));
  }
  template <class T>
  requires requires(T& value, Archive& ar) { value.state(ar); }
  void field(T& value) { value.state(*this); }

  void tag(const char* name, std::uint64_t type);
  // Writes or reads a number of items of at least `item_bytes` each.
  Index count(Index items, std::size_t item_bytes);
  void raw(void* data, std::size_t size);
  void put(std::span<const std::byte> bytes);
  void get(std::span<std::byte> bytes);

  Write write_;
  Read read_;
  std::vector<std::byte> output_;     // all that was written, or what was not handed over yet
  std::vector<std::byte> piece_;      // what was read last
  std::span<const std::byte> input_;  // what of it is left
  std::size_t left_ = 0;              // to read, in all
  bool reading_ = false;
};

template <class T>
std::vector<std::byte> save_state(T& object) {
  Archive archive;
  object.state(archive);
  return archive.take();
}

// Requires that the bytes hold this object and nothing else.
template <class T>
void load_state(T& object, std::span<const std::byte> bytes) {
  Archive archive(bytes);
  object.state(archive);
  if (!archive.at_end()) throw Error(ErrorCode::input, "", "saved state: bytes left over");
}

}  // namespace gingham
