// What online dictionary learning remembers of the samples it has seen:
//
//   A = sum of z z^T,  B = sum of z x^T,  older samples with less weight,
//
// so that the loss of a dictionary on all of them, but for a constant, is
// 1/2 tr(D^T D A) - tr(D^T B).
#pragma once
#include <span>
#include <vector>

#include "gingham/kernels/coding.hpp"

namespace gingham::methods::online_dictionary {

class Statistics {
 public:
  Statistics() = default;
  explicit Statistics(const Atoms<double>& atoms);  // nothing seen yet

  // A <- beta A + sum_b z_b z_b^T, the same for B. `codes`: lists of codes that together are a
  // batch, in order; `rows`: its samples, padded as the atoms are.
  void add(double beta, std::span<const CodeList<double>> codes, const double* rows,
           Executor& executor);
  // Each atom in turn becomes the best there is within |d_j| <= 1, the others fixed:
  // d_j <- P(d_j + (B_j - (A D)_j) / A_jj). The loss never rises. Atoms that no code has used stay
  // as they are. The atoms are not refreshed.
  void improve(Atoms<double>& atoms, Executor& executor) const;

  bool fits(const Atoms<double>& atoms) const;
  const Matrix& products() const { return a_; }
  const Matrix& samples() const { return b_; }

  template <class Archive>
  void state(Archive& ar) {
    ar("products", a_)("samples", b_);
  }

 private:
  Matrix a_;  // atoms x atoms
  Matrix b_;  // atoms x stride
};

}  // namespace gingham::methods::online_dictionary
