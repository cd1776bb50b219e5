// Scores of found labels against known ones.
#pragma once
#include <string>
#include <vector>

#include "gingham/engine/result.hpp"

namespace gingham {

// `truth`: a label file; several label files, one per block of the mode, in order; or one
// clusters.tsv, where memberships may overlap. `mode` says which labels of the result are meant
// ("rows", "columns_2"), by default the first there are, or with several files all blocks of the
// first mode. With one truth per block each score is the average, followed by the blocks' own
// (s_index_0, ...). With a clusters.tsv of rows and columns the consensus of the co-clusters is
// added. Throws Error{input} or Error{usage}.
std::vector<NamedValue> score_result(const Result& result, const std::vector<std::string>& truth,
                                     const std::string& mode = "");

// `found` is a result directory or a label file.
std::vector<NamedValue> evaluate(const std::string& found, const std::vector<std::string>& truth,
                                 const std::string& mode = "");

}  // namespace gingham
