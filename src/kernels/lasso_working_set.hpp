// Some atoms of one sparse coding problem, their coefficients, and the residual that goes with
// them.
#pragma once
#include <vector>

#include "gingham/kernels/lasso_loops.hpp"
#include "gingham/kernels/nnls_factor.hpp"

namespace gingham::lasso {

// How many atoms a working set can hold, and how many of these can have a coefficient: room for
// every support (no more than p atoms are independent) up to what still fits into memory.
Index working_set_limit(Index atoms, Index dimension);
Index support_limit(Index atoms, Index dimension);

class WorkingSet {
 public:
  explicit WorkingSet(const Atoms<double>& atoms);

  // No atoms, the residual is the sample (`stride` values, which must stay).
  void begin(const double* sample, double lambda);
  // A further atom, not there yet, with its coefficient and d_j'r. Where the set is full, atoms
  // without a coefficient leave first; false where that was no help. With a value other than 0 a
  // refresh must follow.
  bool add(Index atom, double value, double correlation);
  bool has(Index atom) const { return is_in_[atom] != 0; }

  // One step of coordinate descent for each atom without a coefficient that wants one, by what is
  // known of its correlation.
  void admit();
  // Passes of coordinate descent over the atoms with a coefficient, until a pass leaves the signs
  // as they are.
  void descend_support(Index least, Index most);
  // The optimum for the signs that the coefficients have: what would change its sign on the way
  // becomes 0, and the rest is solved again.
  void solve_signs();
  void refresh();  // the residual from the coefficients

  // max |d_j'r| over the atoms here; known for all of them from now on.
  double largest_correlation();
  double l1() const;
  const double* residual() const { return residual_.data(); }
  const double* sample() const { return sample_; }
  const std::vector<Index>& atoms() const { return atoms_; }
  const std::vector<double>& values() const { return values_; }

 private:
  Index size() const { return static_cast<Index>(atoms_.size()); }
  void collect_support();
  void list_all(const std::vector<Index>& positions);  // atoms and values
  void compress();
  void forget();  // products of atoms and the factor
  void grow();
  void know_gram(Index position);  // of the support factored so far with this position
  void factor_support();
  void leave_dependent();
  bool reach_target();
  void step(double length);
  void drop_zeros();

  const Atoms<double>& all_;
  const double* sample_ = nullptr;
  double lambda_ = 0.0;
  Index limit_, support_limit_, capacity_;
  Index reach_ = 0;                   // the size up to which what is known of this problem stays
  std::vector<char> is_in_;           // of every atom
  std::vector<Index> atoms_;          // by position
  std::vector<double> values_;        // by position
  std::vector<double> pulls_;         // d_j'x, by position; NaN: not known yet
  std::vector<double> correlations_;  // d_j'r when it was last computed, by position
  std::vector<double> gram_;          // capacity x capacity, by position; NaN: not known yet
  std::vector<double> residual_;
  std::vector<Index> support_;  // positions; the first of them are in the factor
  NnlsFactor factor_;
  std::vector<double> direction_, scratch_, before_;
  std::vector<Index> listed_, unknown_, visited_;
  std::vector<char> is_listed_;  // by position
};

}  // namespace gingham::lasso
