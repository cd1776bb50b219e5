#include "gingham/tools/table.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/base/text.hpp"
#include "gingham/io/write.hpp"

namespace gingham {
namespace {

// The field that begins at text[at], as table_field wrote it; `at` moves to the delimiter after it.
std::string read_field(const std::string& text, std::size_t& at) {
  std::string field;
  const bool is_quoted = at < text.size() && text[at] == '"';
  if (is_quoted) ++at;
  for (; at < text.size(); ++at) {
    if (is_quoted && text[at] == '"') {
      if (at + 1 == text.size() || text[at + 1] != '"') {
        ++at;
        break;
      }
      ++at;
    } else if (!is_quoted && (text[at] == '\t' || text[at] == '\n')) {
      break;
    }
    field += text[at];
  }
  return field;
}

std::vector<std::string> read_line(const std::string& text, std::size_t& at) {
  std::vector<std::string> fields{read_field(text, at)};
  while (at < text.size() && text[at] == '\t') fields.push_back(read_field(text, ++at));
  ++at;  // the end of the line
  return fields;
}

}  // namespace

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

Table Table::from_tsv(const std::string& text, const std::string& where) {
  Table table;
  std::size_t at = 0;
  for (std::string& name : read_line(text, at)) table.columns_.push_back({std::move(name), true});
  while (at < text.size()) {
    table.cells_.push_back(read_line(text, at));
    if (table.cells_.back().size() > table.columns_.size())
      throw Error(ErrorCode::input, printable(where),
                  "line " + to_text(table.rows() + 1) + " has more fields than the header");
  }
  return table;
}

}  // namespace gingham
