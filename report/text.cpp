#include "report/text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gingham/base/text.hpp"

namespace gingham::report {
namespace {

// The character that starts at text[at] and how many bytes it takes; 0 bytes where it is not UTF-8.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  const std::string_view piece = text.substr(at, bytes);
  if (piece.size() < bytes || invalid_utf8(piece)) return {};
  char32_t code = bytes == 1 ? first : first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    code = (code << 6) | (static_cast<unsigned char>(piece[i]) & 0x3Fu);
  }
  return {code, bytes};
}

bool is_dropped(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) ||  // controls
         code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) ||  // line separators, embeddings, overrides
         (code >= 0x2060 && code <= 0x206F) ||  // isolates and other invisible ones
         code == 0x200B || code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFB) ||
         (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF) ||  // not characters
         (code >= 0xE0000 && code <= 0xE007F);                               // tags
}

}  // namespace

std::string clean(std::string_view text, std::size_t limit) {
  std::string safe;
  std::size_t shown = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character one = character_at(text, at);
    const std::string_view bytes = text.substr(at, one.bytes);
    at += one.bytes == 0 ? 1 : one.bytes;
    if (one.bytes > 0 && is_dropped(one.code)) continue;
    if (shown++ == limit) return safe + "\u2026";
    if (one.bytes == 0) {
      safe += "\uFFFD";
    } else {
      safe += bytes;
    }
  }
  return safe;
}

std::string escape(std::string_view text, std::size_t limit) {
  std::string safe;
  for (const char c : clean(text, limit)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string number(double value, int digits) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value > 0 ? "infinite" : "minus infinite";
  return fmt::format("{:.{}g}", value + 0.0, digits);
}

std::string count(long long value) {
  std::string text = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, "\u202F");
  }
  return text;
}

std::string counted(long long value, std::string_view singular) {
  return count(value) + " " + std::string(singular) + (value == 1 ? "" : "s");
}

}  // namespace gingham::report
