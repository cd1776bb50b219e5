#pragma once
#include "gingham/data/dataset.hpp"

namespace gingham::methods::multilinear {

// Bytes a multilinear fit takes beyond the block itself, at most.
double peak_bytes(const Block& block, Index n_components, bool with_svd, bool with_columns);

// Bytes that one more restart in progress takes, at most.
double restart_bytes(const Block& block, Index n_components);

}  // namespace gingham::methods::multilinear
