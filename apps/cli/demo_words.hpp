// What was found, in a sentence each. Every number in them is counted in the Result; they hold
// whatever was found.
#pragma once
#include <string>

#include "gingham/engine/result.hpp"

namespace gingham::cli {

// Groups of people over months: modes 0 and 1 are people called "Name (department)", mode 2 months.
std::string cliques_found(const Result& result);
// Groups of rows and columns over time: rows are called "name (region)".
std::string evolution_found(const Result& result);
// Groups of shared rows with columns in every view.
std::string groups_found(const Result& result);
// "150 x 150 x 24, 22034 counts" and the like, of all inputs.
std::string size_words(const Result& result);

}  // namespace gingham::cli
