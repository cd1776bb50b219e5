#include "gingham/tools/table.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/base/text.hpp"
#include "gingham/io/write.hpp"

namespace gingham {

void Table::set(const std::string& column, const std::string& text, bool is_brief) {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const Column& known) { return known.name == column; });
  auto at = static_cast<std::size_t>(found - columns_.begin());
  if (found == columns_.end()) {
    at = place_;
    columns_.insert(columns_.begin() + static_cast<Index>(at), {column, is_brief});
    for (std::vector<std::string>& row : cells_) {
      if (row.size() > at) row.insert(row.begin() + static_cast<Index>(at), std::string());
    }
  }
  std::vector<std::string>& row = cells_.back();
  if (row.size() <= at) row.resize(at + 1);
  row[at] = text;
  place_ = at + 1;
}

void Table::set(const std::string& column, double value, bool is_brief) {
  set(column, std::isnan(value) ? std::string() : to_text(value), is_brief);
}

void Table::set(const std::string& column, Index value, bool is_brief) {
  set(column, to_text(value), is_brief);
}

void Table::change(Index row, const std::string& column, const std::string& text) {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const Column& known) { return known.name == column; });
  if (row >= rows() || found == columns_.end())
    throw Error(ErrorCode::internal, column, "no such cell in the table");
  const auto at = static_cast<std::size_t>(found - columns_.begin());
  if (cells_[row].size() <= at) cells_[row].resize(at + 1);
  cells_[row][at] = text;
}

std::string Table::cell(Index row, Index column) const {
  const std::vector<std::string>& cells = cells_[row];
  return column < std::ssize(cells) ? cells[column] : std::string();
}

std::string Table::tsv() const {
  std::string text;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    text += (c > 0 ? "\t" : "") + table_field(columns_[c].name, '\t');
  text += '\n';
  for (Index r = 0; r < rows(); ++r) {
    for (Index c = 0; c < std::ssize(columns_); ++c) {
      const std::string content = cell(r, c);
      if (c > 0) text += '\t';
      if (!content.empty()) text += table_field(content, '\t');
    }
    text += '\n';
  }
  return text;
}

}  // namespace gingham
