// One function for save and resume: a class lists its fields in state(Archive&), and the same list writes
// them to bytes and reads them back. Every field carries a tag made of its name and type, so that a
// different layout is noticed, and sizes are checked against the bytes that are left: damaged or foreign
// bytes give Error{input}, never anything else.
#pragma once
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "gingham/base/memory.hpp"

namespace gingham {

class Archive {
 public:
  Archive() = default;                                                      // writes
  explicit Archive(std::span<const std::byte> bytes) : input_(bytes), reading_(true) {}  // reads

  bool reading() const { return reading_; }
  bool at_end() const { return position_ == input_.size(); }
  std::vector<std::byte> take() { return std::move(output_); }

  template <class T>
  Archive& operator()(const char* name, T& value) {
    tag(name, sizeof(T));
    field(value);
    return *this;
  }

 private:
  template <class T>
  static constexpr bool kPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

  template <class T>
    requires kPlain<T>
  void field(T& value) {
    raw(&value, sizeof value);
  }
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
      values.resize(static_cast<std::size_t>(count(static_cast<Index>(values.size()), 1)));
      for (T& value : values) field(value);
    }
  }
  template <class T>
  void field(Array<T>& values) {
    const Index size = count(values.size(), sizeof(T));
    if (reading_) values = Array<T>(size);
    raw(values.data(), static_cast<std::size_t>(size) * sizeof(T));
  }
  template <class T>
    requires requires(T& value, Archive& ar) { value.state(ar); }
  void field(T& value) {
    value.state(*this);
  }

  void tag(const char* name, std::size_t size);
  // Writes or reads a number of items of at least `item_bytes` each.
  Index count(Index items, std::size_t item_bytes);
  void raw(void* data, std::size_t size);

  std::vector<std::byte> output_;
  std::span<const std::byte> input_;
  std::size_t position_ = 0;
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
