// Rows of a factor under a penalty of single entries (entry_rule.hpp): with the other factors
// fixed, row i is
//
//   argmin over a of  a^T Q a / 2 - a^T y + sum_k rule(a_k)
//   Q = (rho rho^T) o Z_i,   y_k = rho_k Y_ik
//
// Y: products of the data with the other factors; Z_i: sum of z z^T over the observed cells of
// slice i, z_k the product of the other factors there. Entries are minimised one at a time, each
// exactly.
#pragma once
#include <cstdint>
#include <vector>

#include "gingham/penalties/entry_rule.hpp"

namespace gingham {

struct RowProblem {
  const double* q = nullptr;        // K x K
  const double* weights = nullptr;  // K: rho
  Index n_columns = 0;              // K
  Index first = 0;                  // the columns from here on are unknown, those before are given
  EntryRule rule = {};
  // K: components that the other modes leave empty altogether. Where nothing is penalised they wait
  // as they are and may come back.
  std::vector<std::uint8_t> waits = {};
};

// The exact minimiser of entry k of a row, all others as they are: `pull` is y_k less what the
// other entries explain. Where the entry does not matter (q_kk = 0: none of the item's cells is
// observed, or the model is 0 there whatever it is) it is 0, or `now` in a component that waits.
double minimiser(const RowProblem& problem, Index k, double pull, double now);

// Rows a few at a time: their columns side by side, so that a row's entry after the other is found
// for all of them at once.
class RowSweep {
 public:
  explicit RowSweep(const RowProblem& problem);

  // `passes` rounds over the entries of rows [begin, end) of `a` (rows x K), in place. y: Y, rows x
  // unknown columns. `keep` (rows x K), where given, is 0 for entries that stay 0. Returns sum of
  // q_kk (change of a_ik)^2.
  double run(const double* y, const std::uint8_t* keep, Index begin, Index end, int passes,
             double* a);

 private:
  RowProblem problem_;
  Index n_unknown_;
  std::vector<double> inverse_, tile_a_, tile_y_, tile_keep_, before_;
};

// One row with its own Q; the same entry by entry.
double sweep_row(const RowProblem& problem, const double* y, const std::uint8_t* keep, int passes,
                 double* a);

// One row of which each entry is minimised once, in order, with those before it alone; entries
// below `least` (K) become 0.
void sweep_row_in_order(const RowProblem& problem, const double* y, ConstVec least, double* a);

// sums[k] += q_kk (a_k - its minimiser)^2 for the unknown entries, without the zeros of columns
// that `members_only` marks. With `in_order` the entries of later columns explain nothing.
void add_row_gaps(const RowProblem& problem, const double* y,
                  const std::vector<std::uint8_t>& members_only, bool in_order, const double* a,
                  Vec sums);

}  // namespace gingham
