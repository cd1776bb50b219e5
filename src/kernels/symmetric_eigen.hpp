// The k algebraically largest eigenpairs of a symmetric matrix that is known only by its products.
//
//   A u_i = theta_i u_i,   theta_1 >= theta_2 >= ... >= theta_k                  (A is n x n)
//
// Block Krylov subspaces with Rayleigh-Ritz and restart: a block of somewhat more than k vectors,
// its products with A, A^2, A^3, all kept orthogonal; the leading Ritz vectors begin the next
// cycle. One product with a thin matrix per step, so that A is read once for all vectors. A small A
// (n up to about 4k) is formed and decomposed whole.
#pragma once
#include <functional>
#include <vector>

#include "gingham/base/rng.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham {

// A symmetric matrix given by its products: y = A x for a thin x (n x any). It overwrites y, making
// it anew where its shape is not right.
struct SymmetricOperator {
  Index n = 0;
  std::function<void(const Matrix& x, Matrix& y)> apply;
};

struct Eigenpairs {
  std::vector<double> values;  // k, falling
  Matrix vectors;              // n x k, orthonormal columns
  double residual = 0.0;       // max_i ||A u_i - theta_i u_i||, by a product of its own
  bool converged = false;      // residual <= tolerance * max |theta|
};

// Requires 0 <= k <= n (Error{usage}); Error{input} when a product is not finite. The sign: the
// entry of largest magnitude of each vector (the first of them) is positive. `start`, where there
// is one, is n x (at most k): vectors near the wanted ones; it changes the way, not the aim. All
// randomness comes from rng.
Eigenpairs leading_eigenpairs(const SymmetricOperator& a, Index k, Rng rng, double tolerance,
                              const Matrix* start = nullptr);

// How much larger the quotient x^T A x / x^T x gets outside the span of U than it is in its worst
// direction inside:
//
//   max( 0, max { x^T A x : U^T x = 0, ||x|| = 1 } - min { x^T A x : x in span U, ||x|| = 1 } )
//
// An invariant subspace belongs to the leading eigenvalues exactly where this is 0. U: n x k,
// orthonormal columns; `au`: its products with A. The maximum is searched for from random vectors,
// first coarsely, then finely where it may reach the minimum.
double exchange_gain(const SymmetricOperator& a, const Matrix& u, const Matrix& au, Rng rng);

// Vectors held at a time, for estimates of memory: n times this many values.
Index eigen_basis(Index n, Index k);

}  // namespace gingham
