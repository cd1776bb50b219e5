// Non-negative least squares from normal equations: for every item i
//
//   x_i = argmin_{x >= 0}  x' G x / 2 - rhs_i' x,
//
// G symmetric and positive semidefinite, the same for all items or one for each. By block principal
// pivoting (Kim, Park 2011): which entries are positive is guessed, the linear system of these is
// solved, and all entries with a wrong sign change sides; items with the same guess share one
// Cholesky factor. An item for which this does not lead on is solved by an active-set method, which
// cannot fail. The result satisfies the optimality conditions to rounding:
//
//   |gradient_j| <= tolerance where x_j > 0,   gradient_j >= -tolerance where x_j = 0,
//   tolerance = 2 (k + 10) eps (|rhs_j| + sqrt(G_jj) sum_l sqrt(G_ll) x_l),  gradient = G x - rhs.
//
// G may be singular: of columns that depend on each other some stay at 0. Entries with G_jj = 0 are
// 0. Units do not matter, neither of the columns nor of the items.
#pragma once
#include <memory>

#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham {

// rhs and x are items x k. The positive entries of x on entry are the first guess: a start near the
// solution saves most of the work, and any x is right. Error{internal} where sizes do not fit.
void nnls(const Matrix& gram, const Matrix& rhs, Matrix& x, Executor& executor);

// For items that have a Gram matrix each: one item at a time, no allocation after the constructor.
class NnlsRow {
 public:
  explicit NnlsRow(Index k);
  ~NnlsRow();
  NnlsRow(NnlsRow&&) noexcept;
  NnlsRow& operator=(NnlsRow&&) noexcept;

  // gram is k x k; x is start and result.
  void solve(const double* gram, ConstVec rhs, Vec x);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gingham
