// Cells of a table by the name of their column.
#pragma once
#include <string>

#include "gingham/tools/table.hpp"

namespace gingham::testing {

inline std::string column(const Table& table, const std::string& name, Index row) {
  for (Index c = 0; c < std::ssize(table.columns()); ++c) {
    if (table.columns()[c].name == name) return table.cell(row, c);
  }
  return "no such column";
}

}  // namespace gingham::testing
