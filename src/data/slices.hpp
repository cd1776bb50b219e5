// A tensor of three modes as the series of matrices it is made of, and a single slice as an array
// of the same number of modes.
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

// The block with one more mode, of size 1, in the place `mode`: entries, labels of the others and
// what unlisted means stay as they are. Throws Error{usage} when the place is not within 0 ...
// modes.
GINGHAM_API Block as_slice(const Block& block, Index mode);

}  // namespace gingham
