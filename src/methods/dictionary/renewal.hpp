// Atoms that are worth less than another one would be.
//
// Learning step by step ends where no single step helps; two atoms may share what one could do
// while something else has none. A new direction d gains, on samples whose residuals are r_i,
//
//   gain(d) = sum_i 1/2 max(|d^T r_i| - lambda, 0)^2,
//
// and d <- sum_i soft(d^T r_i, lambda) r_i, made a unit vector, never lowers it. Leaving atom j to
// its nearest neighbour costs about 1/2 (1 - cos^2) sum_i z_ij^2.
#pragma once
#include "gingham/kernels/atoms.hpp"

namespace gingham::methods::dictionary {

// Residuals of some samples, one padded row each, and per atom the mean of z^2 over the epoch.
template <class T>
struct RenewalBasis {
  std::vector<T> residuals;
  std::vector<double> energy;  // mean over all samples
  double lambda = 0.0;
};

// Replaces atoms whose cost is well below the gain of what replaces them; a small share at most.
// Returns which. The atoms are fresh before and after.
template <class T>
std::vector<Index> renew(Atoms<T>& atoms, RenewalBasis<T> basis, Executor& executor);

}  // namespace gingham::methods::dictionary
