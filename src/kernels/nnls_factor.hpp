// The Cholesky factor of the part of a Gram matrix that belongs to some variables, grown by one
// variable at a time.
#pragma once
#include <limits>
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham {

// What rounding leaves of a zero, in units of what was added up.
inline double nnls_unit(Index k) {
  return static_cast<double>(k + 10) * std::numeric_limits<double>::epsilon();
}

class NnlsFactor {
 public:
  static constexpr Index kTile = 8;  // right-hand sides that are solved in step

  explicit NnlsFactor(Index k);  // for Gram matrices k x k

  Index size() const { return static_cast<Index>(variables_.size()); }
  const std::vector<Index>& variables() const { return variables_; }
  void truncate(Index size) { variables_.resize(static_cast<std::size_t>(size)); }

  // Adds variable j. False, and nothing is changed, where its column is within rounding a
  // combination of those there are.
  bool append(const double* gram, Index j) { return append(gram, j, nnls_unit(k_)); }
  // The same where what is left of G_jj is no more than this share of it.
  bool append(const double* gram, Index j, double share);
  // Adds variable j, G_jj > 0, whatever it depends on: what is left of G_jj is taken to be at least
  // kLeastPivot of it, an error no larger than those of rounding.
  void append_always(const double* gram, Index j);

  // b <- the solution for the right-hand side b, in the order of the variables.
  void solve(double* b) const;
  // The same for kTile of them; b[i * kTile + c] belongs to variable i of the right-hand side c.
  void solve_tile(double* b) const;

 private:
  static constexpr double kLeastPivot = 4.0 * std::numeric_limits<double>::epsilon();
  double next_row(const double* gram, Index j);  // all but the diagonal; returns its square
  void finish_row(Index j, double pivot);

  Index k_;
  std::vector<Index> variables_;
  std::vector<double> rows_;     // k x k, the lower triangle row by row
  std::vector<double> inverse_;  // 1 / diagonal
};

}  // namespace gingham
