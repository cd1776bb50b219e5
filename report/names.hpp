// What the page calls things.
#pragma once
#include <string>

#include "gingham/engine/registry.hpp"
#include "gingham/engine/result.hpp"

namespace gingham::report {

// The method's record, or null where this program does not know it.
const MethodInfo* known_method(const Result& result);
// The item's label, or its index where it has none; escaped.
std::string item_name(const Result& result, const Membership& membership, Index item);
// "rows", "columns of block 2"; escaped.
std::string mode_name(const Membership& membership);
// The number of the mode among the modes of a block.
Index mode_number(const Membership& membership);
// The members of one mode of one block, or null.
const Membership* membership_of_block(const Result& result, Index block, Index mode);
// The class of the component's colour: colours repeat after eight.
std::string colour_class(Index component);
// The last part of a path; escaped.
std::string file_name(const std::string& path);

}  // namespace gingham::report
