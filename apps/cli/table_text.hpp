#pragma once
#include "gingham/tools/table.hpp"

namespace gingham::cli {

// The brief columns of a table, aligned: numbers to the right with six digits.
void print_table(const Table& table);

}  // namespace gingham::cli
