// Non-negative least squares for one item by the active-set method of Lawson and Hanson: one
// variable enters at a time, the objective falls with each, so it ends. What rounding leaves in a
// nearly singular problem is settled by coordinate descent.
#pragma once
#include <vector>

#include "gingham/kernels/nnls_factor.hpp"

namespace gingham {

class NnlsActiveSet {
 public:
  explicit NnlsActiveSet(Index k);

  // x <- the solution; what is in x does not matter.
  void solve(const double* gram, const double* rhs, double* x);

 private:
  void find_gradient();
  double tolerance(Index j) const;  // of the gradient's entry j, relative to its scale
  Index most_wanted() const;        // the variable that should enter; -1 if none
  void enter(Index j);
  Index first_to_leave(double sign, double& step) const;
  void append(Index j);
  void leave(Index position);
  bool descend();  // one sweep over the coordinates; false when nothing had to move

  Index k_;
  const double* gram_ = nullptr;
  const double* rhs_ = nullptr;
  double* x_ = nullptr;
  NnlsFactor factor_;
  std::vector<double> gradient_, target_;
  std::vector<Index> again_;
  std::vector<char> is_out_of_question_;  // entered before at this x and left
  bool is_dependent_ = false;             // the last variable, on those before it
  double size_ = 0.0;                     // sum of sqrt(G_ll) x_l
};

}  // namespace gingham
