#include "gingham/base/line_text.hpp"

#include <fmt/format.h>

#include "gingham/base/text.hpp"

namespace gingham {

std::optional<std::string> line_fault(std::string_view line) {
  if (const auto bad = invalid_utf8(line))
    return fmt::format("byte {} of the line is not UTF-8; expected text in UTF-8", *bad + 1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    const bool is_c1 = c == 0xC2 && static_cast<unsigned char>(line[i + 1]) < 0xA0;
    if ((c >= 0x20 && c != 0x7F && !is_c1) || c == '\t') continue;
    return fmt::format("found the control character {:#04x} at byte {} of the line; expected text",
                       is_c1 ? static_cast<unsigned char>(line[i + 1]) : c, i + 1);
  }
  return std::nullopt;
}

std::string_view without_end_blanks(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t") + 1);
}

}  // namespace gingham
