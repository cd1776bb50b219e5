// Cells of a table by the name of their column, and what two ways to the same table have in common.
#pragma once
#include <fstream>
#include <string>
#include <vector>

#include "gingham/tools/table.hpp"

namespace gingham::testing {

inline std::string column(const Table& table, const std::string& name, Index row) {
  for (Index c = 0; c < std::ssize(table.columns()); ++c) {
    if (table.columns()[c].name == name) return table.cell(row, c);
  }
  return "no such column";
}

// All cells but those about time and place.
inline std::vector<std::string> lasting_cells(const Table& table) {
  std::vector<std::string> cells;
  for (Index row = 0; row < table.rows(); ++row) {
    for (Index c = 0; c < std::ssize(table.columns()); ++c) {
      const std::string& name = table.columns()[c].name;
      if (name != "seconds" && name != "folder") cells.push_back(name + "=" + table.cell(row, c));
    }
  }
  return cells;
}

// The labels of a file of whole numbers.
inline std::vector<Index> numbers_of(const std::string& label_file) {
  std::vector<Index> labels;
  std::ifstream file(label_file);
  for (Index label = 0; file >> label;) labels.push_back(label);
  return labels;
}

}  // namespace gingham::testing
