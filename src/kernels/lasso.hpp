// Sparse codes of samples with fixed atoms: for every sample x
//
//   z = argmin  1/2 |x - D z|^2 + lambda |z|_1,      atoms d_j of any length, those of length 0
//   have z_j = 0,
//
// until the duality gap is at most `tolerance` times 1/2 |x|^2. With r = x - D z and
// s = clip(x'r / |r|^2, +-lambda / max_j |d_j'r|) the gap is
//
//   1/2 |r|^2 + lambda |z|_1 - s x'r + 1/2 s^2 |r|^2,
//
// the distance between the objective and that of the dual point s r; the optimum lies between them.
// By a working set: coordinate descent finds which coefficients are not 0, the linear system of
// these is solved, and atoms that are still too correlated with the residual come in. The objective
// never rises. Atoms whose correlation cannot have reached lambda since it was last known are not
// looked at again. A sample's code has the same bits whatever is solved beside it.
//
// lambda = 0 is least squares: the gap is then 1/2 |r|^2, so only samples that the atoms can
// represent are ever called converged.
#pragma once
#include <memory>
#include <vector>

#include "gingham/kernels/atoms.hpp"

namespace gingham {

struct LassoSettings {
  double lambda = 0.0;      // >= 0
  double tolerance = 1e-6;  // of the gap, as a share of 1/2 |x|^2
  Index max_rounds = 100;   // products with all atoms, per sample
};

struct LassoCode {
  std::vector<std::int32_t> atoms = {};  // ascending
  std::vector<double> values = {};       // not 0
  double loss = 0.0;                     // 1/2 |r|^2
  double l1 = 0.0;                       // |z|_1
  double gap = 0.0;
  double start_gap = 0.0;  // of the code begun from
  double scale = 0.0;      // 1/2 |x|^2
  bool converged = false;  // gap <= tolerance * scale
};

// What one thread needs to code samples with these atoms, which must stay as they are; memory is
// kept from call to call.
class LassoTile {
 public:
  static constexpr Index kRows = 32;  // samples that share a product with all atoms

  LassoTile(const Atoms<double>& atoms, const LassoSettings& settings);
  ~LassoTile();
  LassoTile(LassoTile&&) noexcept;
  LassoTile& operator=(LassoTile&&) noexcept;

  // Codes of so many samples, any number, `stride` values from one to the next; `codes` holds the
  // start (atoms, ascending, and values; empty for none) and the result. A sample with a value that
  // is not finite and a start that does not fit are Error{internal}.
  void solve(const double* samples, Index stride, Index n, LassoCode* codes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// An upper bound on the memory of one, codes not counted.
double lasso_tile_bytes(Index atoms, Index dimension);

}  // namespace gingham
