// A table whose rows need not have the same columns, as tab-separated text.
#pragma once
#include <string>
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham {

class Table {
 public:
  struct Column {
    std::string name;
    bool is_brief = false;  // worth showing where there is little room
  };

  void add_row() {
    cells_.emplace_back();
    place_ = 0;
  }
  // In the last row. A column that is new comes after the one set before it.
  void set(const std::string& column, const std::string& text, bool is_brief = false);
  void set(const std::string& column, double value, bool is_brief = false);  // empty when NaN
  void set(const std::string& column, Index value, bool is_brief = false);
  // In a row and column that are there.
  void change(Index row, const std::string& column, const std::string& text);

  const std::vector<Column>& columns() const { return columns_; }
  Index rows() const { return std::ssize(cells_); }
  std::string cell(Index row, Index column) const;  // empty when it was not set
  // A header and a line per row.
  std::string tsv() const;
  // The same read back; every column counts as brief. Throws Error{input} naming `where` for a line
  // with more fields than the header.
  static Table from_tsv(const std::string& text, const std::string& where);

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> cells_;  // by row, then column; rows may be short
  std::size_t place_ = 0;                        // of the next new column
};

}  // namespace gingham
