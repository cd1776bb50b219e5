// What the page calls things; texts are clean, not escaped.
#pragma once
#include <optional>
#include <string>

#include "gingham/engine/registry.hpp"
#include "gingham/engine/result.hpp"

namespace gingham::report {

// The method's record, or null where this program does not know it.
const MethodInfo* known_method(const Result& result);
// The names of the items of a mode of one block, or of the first block that has as many; null where
// they have none.
const Labels* labels_of(const Result& result, std::optional<Index> block, Index mode,
                        Index n_items);
// "rows", "columns of block 2".
std::string mode_name(const Membership& membership);
// The number of the mode among the modes of a block.
Index mode_number(const Membership& membership);
// The members of one mode of one block, or null.
const Membership* membership_of_block(const Result& result, Index block, Index mode);
// The last part of a path.
std::string file_name(const std::string& path);

}  // namespace gingham::report
