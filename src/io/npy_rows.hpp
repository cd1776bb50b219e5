// A dense matrix in a .npy file as a block whose rows are read when needed.
#pragma once
#include <optional>
#include <string>

#include "gingham/data/dataset.hpp"

namespace gingham {

// The block, from one pass over the file, when the path ends in .npy and the file is a matrix in C
// order whose values as doubles take more than `beyond_bytes`; nothing otherwise, also where the
// file is none that can be read: reading it into memory says why. Throws Error{input} for values
// that make no data. A file that changes afterwards is Error{input} when its rows are read.
std::optional<Block> stream_npy(const std::string& path, double beyond_bytes);

}  // namespace gingham
