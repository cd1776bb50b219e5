// One mode's part of the problem, column by column, for penalties that hold items together: with
// the rest fixed, column k of a factor is
//
//   argmin over z of  sum_i ( h_i z_i^2 / 2 - b_i z_i ) + g(z) / 2
//   b_i = rho_k Y_ik - sum_{l != k} Q_kl a_il,   h_i = Q_kk          Q: of item i (row_sweep.hpp)
#pragma once
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham::methods::multilinear {

class Columns {
 public:
  // y: items x (K - first). q: K x K of all items, or items x K x K. All outlive this.
  Columns(const Matrix& y, const std::vector<double>& weights, Index first, ConstVec q);

  // b and h of column k beside the columns before `n_explaining`; b is 0 where h is.
  void look_at(Index k, Index n_explaining, const Matrix& a, Executor& executor);
  ConstVec b() const { return b_; }
  Curvature h() const { return is_even_ ? Curvature(h_[0]) : Curvature(h_); }
  bool is_finite() const;

  // `passes` rounds over the columns, in place; columns without curvature stay as they are. `half`:
  // g / 2. Returns sum h_i (change of a_ik)^2.
  double sweep(const Penalty& half, int passes, Matrix& a, Executor& executor);

 private:
  double q(Index item, Index k, Index l) const {
    return q_[((is_even_ ? 0 : item) * n_columns_ + k) * n_columns_ + l];
  }

  const Matrix& y_;
  const std::vector<double>& weights_;
  Index first_, n_columns_;
  ConstVec q_;
  bool is_even_;
  std::vector<double> b_, h_;
};

}  // namespace gingham::methods::multilinear
