#include "gingham/base/text.hpp"

#include <fmt/format.h>

#include <array>

namespace gingham {
namespace {

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return std::nullopt;
  }
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Length of the valid UTF-8 sequence that starts at text[at]; 0 if there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte(at + 1);  // overlong forms, surrogates, beyond U+10FFFF
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
    return 0;
  }
  return length;
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
  // from_chars also takes "nan(0x1)"; a payload has no meaning in data.
  if (text.find('(') != std::string_view::npos) return std::nullopt;
  return parse_whole<double>(text);
}

std::optional<Index> parse_integer(std::string_view text) { return parse_whole<Index>(text); }

std::string to_text(double value) {
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

std::string human_bytes(double bytes) {
  constexpr std::array<const char*, 6> kUnits{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  // From where the rounded text would read 1000.
  while (bytes >= (unit == 0 ? 999.5 : 999.95) && unit + 1 < kUnits.size()) {
    bytes /= 1000.0;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string shown;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (characters++ == limit) return shown + "…";
    const std::size_t length = sequence_length(text, at);
    const unsigned first = static_cast<unsigned char>(text[at]);
    // C1 controls are the two-byte sequences C2 80 ... C2 9F.
    const bool control =
        first < 0x20 || first == 0x7F ||
        (length == 2 && first == 0xC2 && static_cast<unsigned char>(text[at + 1]) < 0xA0);
    // Characters that break or reorder a line: U+2028, U+2029, U+202A ... U+202E, U+2066 ...
    // U+2069.
    const std::string_view here = text.substr(at, length);
    const bool reorders = length == 3 && ((here >= "\xE2\x80\xA8" && here <= "\xE2\x80\xAE") ||
                                          (here >= "\xE2\x81\xA6" && here <= "\xE2\x81\xA9"));
    if (length == 0 || control || reorders) {
      shown += '?';
    } else {
      shown += text.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  return shown;
}

std::optional<std::size_t> invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

}  // namespace gingham
