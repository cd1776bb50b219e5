// Where a dictionary begins.
#pragma once
#include "gingham/engine/context.hpp"
#include "gingham/methods/sparse_coding/samples.hpp"

namespace gingham::methods::sparse_coding {

// --init: atoms as rows, of length 1 (those of a file at most that). Where there are fewer
// different samples than atoms, random directions fill up; a note says so.
Matrix initial_atoms(const Samples& samples, const Options& options, Context& ctx,
                     std::vector<std::string>& notes);

}  // namespace gingham::methods::sparse_coding
