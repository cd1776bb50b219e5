// Lines of text, each checked.
#include <fmt/format.h>

#include "gingham/base/line_text.hpp"
#include "gingham/io/formats.hpp"
#include "gingham/io/lines.hpp"

namespace gingham {

std::vector<std::string> read_lines(ByteSource& source, const Limits& limits) {
  LineReader lines(source, limits);
  std::vector<std::string> all;
  while (lines.next()) {
    if (std::ssize(all) >= limits.max_entries) {
      lines.refuse(
          fmt::format("more than {} lines; expected fewer (max_entries)", limits.max_entries));
    }
    const std::string_view line = lines.line();
    if (const auto fault = line_fault(line)) lines.refuse(*fault);
    all.emplace_back(without_end_blanks(line));
  }
  return all;
}

}  // namespace gingham
