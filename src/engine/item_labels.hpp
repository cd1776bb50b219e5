// Which mode of its data a membership is about, and what the items of that mode are called.
#pragma once
#include <optional>
#include <string_view>

#include "gingham/engine/result.hpp"

namespace gingham {

// rows is 0, columns is 1, mode_<n> is n; 0 for any other word.
Index mode_number(std::string_view mode);
// The user's names of the n_items items of a mode: of one block, or of the first block that has
// some where all blocks share the mode. Null where there are none.
const Labels* labels_of(const Result& result, std::optional<Index> block, Index mode,
                        Index n_items);
const Labels* labels_of(const Result& result, const Membership& membership);

}  // namespace gingham
