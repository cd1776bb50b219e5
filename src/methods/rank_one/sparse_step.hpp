// From the estimates of a factor without sparsity to the sparse factor.
//
// The entries of a factor come in units that share one value: single entries, or entries that a
// fusion penalty holds together. Unit j minimises
//
//   0.5 H_j (x - z_j)^2 + lambda N_j w_j |x|        w_j = |z_j|^-g   (g = 0: plain, w_j = 1)
//
// H_j is its curvature (1 per entry where all data are observed) and N_j the number of its
// entries that lambda counts, so that
//
//   x_j = sign(z_j) ( |z_j| - lambda w_j N_j / H_j )_+ .
//
// All powers are taken of |z_j| / scale with scale = max |z_j|, so that no number over- or
// underflows: lambda = level * scale^(1+g).
#pragma once
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham::methods::rank_one {

// A penalty weight, kept so that it can be applied at any scale of the data.
struct Threshold {
  double level = 0.0;
  double scale = 1.0;

  double lambda(double exponent) const;  // level * scale^(1+g); may be infinite
  // lambda * w(z): by how much an entry with estimate z is shortened.
  double at(double z, double exponent) const;

  template <class Archive>
  void state(Archive& ar) {
    ar("level", level)("scale", scale);
  }
};

struct Units {
  std::vector<double> z;
  std::vector<double> curvature;  // H; empty: all 1
  std::vector<double> entries;    // N; empty: all 1
  // The loss at x is not least at z where a neighbour pulls: it changes by
  // H d^2 / 2 + pull d for x = z - d. Empty: all 0.
  std::vector<double> pull;

  std::size_t size() const { return z.size(); }
  double H(std::size_t j) const { return curvature.empty() ? 1.0 : curvature[j]; }
  double N(std::size_t j) const { return entries.empty() ? 1.0 : entries[j]; }
};

Threshold fixed_threshold(double lambda);
// `share` times the smallest threshold at which every x_j = 0.
Threshold share_of_maximum(const Units& units, double exponent, double share);

// x (one value per unit) at a threshold. It may be all zero.
void shrink(const Units& units, const Threshold& threshold, double exponent, Vec x);

// The threshold that keeps the k units that go last, k chosen by
//   BIC_k = (residual + sum_j (H_j d_j^2 + 2 pull_j d_j)) / variance + k log(cells),  d = z - x,
//   k = 1 ... number of nonzero z_j
// and the sparse x that goes with it; survivors are decided by rank (lower index first among
// equals). Bic::shrunk takes x as it will be. Plain shrinkage shortens all survivors by as much as
// the last that goes, which costs more than a few units too many: Bic::relaxed takes x = z for
// those that stay. `variance` is positive; `residual` is the residual sum of squares at x = z.
enum class Bic { shrunk, relaxed };
Threshold shrink_by_bic(const Units& units, double exponent, Bic bic, double residual,
                        double variance, double cells, Vec x);

}  // namespace gingham::methods::rank_one
