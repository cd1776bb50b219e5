#include "table_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gingham/base/text.hpp"
#include "terminal.hpp"

namespace gingham::cli {
namespace {

std::string shown(const std::string& text) {
  if (parse_integer(text)) return text;
  const auto number = parse_real(text);
  return number ? fmt::format("{:.6g}", *number) : printable(text, 100);
}

}  // namespace

void print_table(const Table& table) {
  std::vector<std::string> lines(static_cast<std::size_t>(table.rows()) + 1);
  for (Index c = 0; c < std::ssize(table.columns()); ++c) {
    const Table::Column& column = table.columns()[c];
    if (!column.is_brief) continue;
    std::vector<std::string> cells{column.name};
    bool is_number = true;
    std::size_t width = column.name.size();
    for (Index r = 0; r < table.rows(); ++r) {
      const std::string cell = table.cell(r, c);
      is_number = is_number && (cell.empty() || parse_real(cell) || cell.ends_with('%'));
      cells.push_back(shown(cell));
      width = std::max(width, cells.back().size());
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i] +=
          (lines[i].empty() ? "" : "  ") + (is_number ? fmt::format("{:>{}}", cells[i], width)
                                                      : fmt::format("{:<{}}", cells[i], width));
    }
  }
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    print_line(line);
  }
}

}  // namespace gingham::cli
