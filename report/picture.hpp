// The data as pictures, with the components in sight.
#pragma once
#include "gingham/engine/result.hpp"
#include "report/shared.hpp"

namespace gingham::report {

// `Picture` of page/data.ts: a block per matrix, time or view, up to two dozen; slices of an array
// of more modes; a sentence where there is nothing to draw.
Json picture_json(const Dataset& data, const Result& result, Shared& shared);

// The parts of it.
Json matrices_json(const Dataset& data, const std::vector<Index>& blocks, const Result& result,
                   Shared& shared);
Json slices_json(const Block& block, const Result& result, Shared& shared);
// Who goes where from block to block: one flow per mode that all blocks share and that has members
// of its own in each.
Json flows_json(const Dataset& data, const std::vector<Index>& blocks, const Result& result);

// True where all these blocks have the same items in a mode, as far as numbers and names tell.
bool is_same_mode(const Dataset& data, const std::vector<Index>& blocks, Index mode);

}  // namespace gingham::report
