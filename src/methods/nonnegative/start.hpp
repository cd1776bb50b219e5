// Where the factors begin: rows x K and columns x K, none negative, at the scale of the data.
#pragma once
#include "gingham/base/rng.hpp"
#include "gingham/operators/observed.hpp"

namespace gingham::methods::nonnegative {

struct StartFactors {
  Matrix rows, columns;
};

// Items without any observed cell are 0, and stay so.
void clear_unseen(const Observed& data, StartFactors& factors);

// Uniform on [0, 1), then scaled so that their product fits best.
StartFactors random_start(const Observed& data, Index rank, Rng rng, Executor& executor);

// From the singular vectors of X0: of the positive and the negative parts of each pair, those with
// the larger product (Boutsidis and Gallopoulos 2008). Components beyond what the data have begin
// at random. `in_single`: products with the data in single precision.
StartFactors svd_start(const Observed& data, Index rank, Rng rng, bool in_single,
                       Executor& executor);

}  // namespace gingham::methods::nonnegative
