// Who belongs to what in a result, by name.
#pragma once
#include <string>
#include <vector>

#include "gingham/engine/result.hpp"

namespace gingham::cli {

// The modes there are, in order: all blocks of one together.
std::vector<std::string> modes_of(const Result& result);
// The labels of the members with the largest |value| of a component in a mode, over all its blocks,
// each once and the strongest first; none where the items have no labels. Not fit for a terminal.
std::vector<std::string> strongest_names(const Result& result, const std::string& mode,
                                         Index component, std::size_t most);
// The same of one block.
std::vector<std::string> strongest_names(const Result& result, const Membership& membership,
                                         Index component, std::size_t most);

}  // namespace gingham::cli
