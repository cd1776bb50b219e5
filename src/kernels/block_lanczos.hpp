// The leading k singular triplets of a matrix that is known by its products with thin matrices: to
// begin from, or to the accuracy that a method asks for.
//
//   A v_i = s_i u_i,  A^T u_i = s_i v_i,  s_1 >= s_2 >= ... >= s_k >= 0          (A is rows x cols)
//
// Block Lanczos on S = A^T A, or A A^T where that is smaller, with full reorthogonalisation and
// thick restart (Golub and Underwood 1977; Wu and Simon 2000). A pass over the data serves a panel
// of b vectors, which also finds values that repeat up to b times. Squaring hides what is below
// 1e-7 s_1; truncated_svd.hpp finds that too, vector by vector. Cost: one product with S per step,
// and what keeps the basis orthogonal, O(n b) times the size of the basis, n = min(rows, cols).
#pragma once
#include <functional>

#include "gingham/base/parallel.hpp"
#include "gingham/kernels/truncated_svd.hpp"

namespace gingham {

// A matrix given by its products with thin ones. Both functions make y anew where its shape is not
// right.
struct SquaredOperator {
  Index rows = 0;
  Index cols = 0;
  double size = 0.0;  // about that of the entries, give or take some orders; 0: all are 0
  std::function<void(const Matrix& x, double factor, Matrix& y)> squared;  // y = factor^2 S x
  // A x; A^T x where S = A A^T. None: vectors of that side are not asked for, and not given.
  std::function<void(const Matrix& x, Matrix& y)> across;

  bool is_wide() const { return cols > rows; }  // S = A A^T
};

struct LanczosRules {
  double tolerance = 0.0;
  Index width = 1;    // b: vectors to a panel, at least k are taken
  Index most = 1000;  // products with a panel
  Index judged = 0;   // triplets that the tolerance is for, the leading ones; 0: all k
};

// Requires 0 <= k <= min(rows, cols); throws Error{usage} otherwise, and Error{input} when a
// product is not finite. `converged`: ||A^T u - s v|| <= tolerance s_1 for every triplet that is
// judged (the other residual is rounding); when it is false they are the best that `most` products
// gave. Triplets with s <= 1e-7 s_1 are given as zeros, vectors too. The sign: the entry of largest
// magnitude of each v (the first of them) is positive. `start`: vectors of S near the wanted ones,
// n x any; it changes the way, not the aim. The number of threads does not matter; all randomness
// comes from rng.
Svd leading_triplets(const SquaredOperator& a, Index k, Rng rng, const LanczosRules& rules,
                     Executor& executor, const Matrix* start = nullptr);

// Values held at a time, for estimates of memory.
double lanczos_values(Index rows, Index cols, Index k, const LanczosRules& rules);

}  // namespace gingham
