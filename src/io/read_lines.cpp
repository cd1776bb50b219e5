// Lines of text, each checked.
#include <fmt/format.h>

#include "gingham/base/text.hpp"
#include "gingham/io/formats.hpp"
#include "gingham/io/lines.hpp"

namespace gingham {
namespace {

// Tabs separate fields; a line as such is free text otherwise.
void check_text(const LineReader& lines, std::string_view line) {
  if (const auto bad = invalid_utf8(line)) {
    lines.refuse(fmt::format("byte {} of the line is not UTF-8; expected text in UTF-8", *bad + 1));
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    const bool is_c1 = c == 0xC2 && static_cast<unsigned char>(line[i + 1]) < 0xA0;
    if ((c >= 0x20 && c != 0x7F && !is_c1) || c == '\t') continue;
    lines.refuse(
        fmt::format("found the control character {:#04x} at byte {} of the line; expected "
                    "text",
                    is_c1 ? static_cast<unsigned char>(line[i + 1]) : c, i + 1));
  }
}

}  // namespace

std::vector<std::string> read_lines(ByteSource& source, const Limits& limits) {
  LineReader lines(source, limits);
  std::vector<std::string> all;
  while (lines.next()) {
    if (std::ssize(all) >= limits.max_entries) {
      lines.refuse(
          fmt::format("more than {} lines; expected fewer (max_entries)", limits.max_entries));
    }
    const std::string_view line = lines.line();
    check_text(lines, line);
    all.emplace_back(line.substr(0, line.find_last_not_of(" \t") + 1));
  }
  return all;
}

}  // namespace gingham
