// Samples beside what their codes make of them.
#pragma once
#include "gingham/data/dataset.hpp"
#include "report/json.hpp"

namespace gingham::report {

// A vector of this length as an image: square where that is possible, else a line.
struct ImageShape {
  Index height = 1, width = 1;
};
ImageShape image_shape(Index length);

// A `pairs` panel of page/data.ts for a few samples that have codes, spread over the data; null
// where there is none. Samples are the rows of the matrix, or its columns where only these fit the
// codes (samples x atoms) and the atoms (length x atoms). Atoms may have been learned from samples
// that were shifted and scaled, so each copy is shifted and scaled to fit its sample best.
Json sample_pairs_json(const Block& block, const SparseMatrix& codes, const Matrix& atoms);

}  // namespace gingham::report
