// Scores of found labels against known ones.
#pragma once
#include <string>
#include <vector>

#include "gingham/engine/result.hpp"

namespace gingham {

// `truth`: a label file; several label files, one per block of the mode, in order; or one
// clusters.tsv, where memberships may overlap. `mode` says which labels of the result are meant:
// those of one block ("columns_2") or of all blocks of a mode ("rows"), by default of the first
// mode there is. One label file for several blocks holds for each of them. With several blocks each
// score is the average, followed by the blocks' own (s_index_0, ...).
//
// A clusters.tsv may be about more modes than the result has, as that of a tensor where the result
// is of its sum over a mode. Where result and truth have co-clusters over several modes it adds
//   consensus          agreement of the two sets of co-clusters (not for a checkerboard's),
//   cells_right        share of all cells that lie in exactly the co-clusters they were planted in,
//   planted_right      the same over the cells of at least one planted co-cluster,
//   background_right   the same over the others (each where there are such cells).
// Found co-clusters that match no planted one are wrong where they lie; where every item of every
// mode had to be in one group they are background. Throws Error{input} or Error{usage}.
std::vector<NamedValue> score_result(const Result& result, const std::vector<std::string>& truth,
                                     const std::string& mode = "");

// The average of each score over blocks that have the same scores; with several blocks followed by
// their own.
std::vector<NamedValue> average_scores(const std::vector<std::vector<NamedValue>>& blocks);
// Whether a score made so is that of one block; the others are averages, or of the whole.
bool is_block_score(const std::string& name);

// `found` is a result directory or a label file.
std::vector<NamedValue> evaluate(const std::string& found, const std::vector<std::string>& truth,
                                 const std::string& mode = "");

}  // namespace gingham
