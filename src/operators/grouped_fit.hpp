// What is fitted to the cells, and how far the cells are from it.
//
//   squares:      d(v, f) = (v - f)^2,               f_ij = r_i + c_j + u_gh
//   information:  d(v, f) = v log(v / f) - v + f,    f_ij = r_i c_j u_gh
//
// g and h are the groups of row i and column j. The parts r and c are fixed by the data; without
// them (0 for squares, 1 for information) u_gh is the average of its block. Either way the best
// u_gh is a sum over a weight, of all cells of the block:
//
//   squares:      sum of v - r_i - c_j   over   the number of cells
//   information:  sum of v               over   the sum of r_i c_j
//
// and the total of d about any other u is the total about the best, plus weight d(best, other).
#pragma once
#include <array>

#include "gingham/operators/grouped_cells.hpp"

namespace gingham::grouped {

enum class Divergence { squares, information };

// d(v, f); f > 0 wherever v > 0 for information.
inline double deviation(Divergence divergence, double v, double f) {
  const double off = v - f;
  if (divergence == Divergence::squares) return off * off;
  if (!(v > 0.0)) return f;
  // log1p, which takes longer, keeps the digits where v log(v / f) and v - f nearly cancel.
  return v * (std::abs(off) < 0.25 * f ? std::log1p(off / f) : std::log(v / f)) - off;
}

// costs[r] += weight (mean - levels[r])^2
void add_squares(double weight, double mean, const double* levels, Index k, double* costs);
// costs[r] += weight levels[r] - total logs[r]
void add_information(double weight, double total, const double* levels, const double* logs, Index k,
                     double* costs);

// A number for every row and every column.
struct PerItem {
  std::array<std::vector<double>, 2> of;
  const std::vector<double>& operator[](Side side) const { return of[static_cast<int>(side)]; }
  std::vector<double>& operator[](Side side) { return of[static_cast<int>(side)]; }
};

// Sums over the items of each group of their number and their part.
struct GroupMoments {
  std::vector<double> count, part;
};
GroupMoments moments(const Groups& groups, const std::vector<double>& parts);

// Sums and weights by group, from which the best u follow.
struct Profiles {
  Matrix sums;    // items x groups of the other side: v - r - c, or v
  Matrix counts;  // as in GroupSums
  GroupMoments others;
  Divergence divergence = Divergence::squares;
  const std::vector<double>* own_part = nullptr;

  Index items() const { return sums.rows(); }
  Index groups() const { return sums.cols(); }
  // The weights of item i, one per group.
  void weights(Index i, Vec out) const;
};

Profiles make_profiles(const Cells& cells, Divergence divergence, const PerItem& parts, Side side,
                       const Groups& others, Executor& executor);

// out[i] = sum of d over the observed cells of row i. u is row groups x column groups.
// Zeros that are not listed enter by sums over groups, never one by one.
std::vector<double> deviations(const Cells& cells, Divergence divergence, const PerItem& parts,
                               const Groups& rows, const Groups& columns, const Matrix& u,
                               Executor& executor);
// The same for both sides, in one pass over dense cells.
PerItem deviations_of_both(const Cells& cells, Divergence divergence, const PerItem& parts,
                           const Groups& rows, const Groups& columns, const Matrix& u,
                           Executor& executor);

}  // namespace gingham::grouped
