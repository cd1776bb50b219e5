// A tensor of three modes as the series of matrices it is made of.
#pragma once
#include <vector>

#include "gingham/data/dataset.hpp"

namespace gingham {

// The matrices at each item of `mode`, in order; the other two modes, in order, are their rows and
// columns. Labels, missing values and what unlisted means are carried over, and a sparse tensor
// gives sparse matrices. Item 3 of mode 1 of "cube" is called "cube[mode_1 = 3]". Takes the memory
// of the block once more. Throws Error{input} when the block does not have three modes and
// Error{usage} when it has no such mode.
GINGHAM_API std::vector<Block> slices(const Block& block, Index mode);

}  // namespace gingham
