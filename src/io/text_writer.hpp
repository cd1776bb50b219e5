// Text on its way to a sink, in pieces worth handing over. For use inside io.
#pragma once
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "gingham/base/index.hpp"
#include "gingham/io/sink.hpp"

namespace gingham {

class TextWriter {
 public:
  explicit TextWriter(ByteSink& sink) : sink_(sink) {}

  void text(std::string_view piece) {
    buffer_ += piece;
    if (buffer_.size() >= kPiece) flush();
  }
  void character(char c) { buffer_ += c; }
  void integer(Index value) { number(value); }
  void real(double value, std::string_view missing) {
    if (std::isnan(value)) {
      text(missing);
    } else {
      number(value);
    }
  }
  void flush() {
    sink_.write(buffer_);
    buffer_.clear();
  }

 private:
  template <class T>
  void number(T value) {
    std::array<char, 32> digits;
    const auto done = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text({digits.data(), done.ptr});
  }
  static constexpr std::size_t kPiece = 1 << 16;
  ByteSink& sink_;
  std::string buffer_;
};

}  // namespace gingham
