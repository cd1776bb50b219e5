#include <algorithm>
#include <cmath>
#include <numeric>

#include "gingham/kernels/block_lanczos.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/multilinear/start.hpp"
#include "gingham/operators/unfolded.hpp"

namespace gingham::methods::multilinear {
namespace {

// Directions to begin with: those that stand out are found by few products, and where none does any
// will do.
constexpr double kTolerance = 1e-6;
constexpr Index kMostProducts = 4;
constexpr Index kFewGuards = 4;  // vectors beyond the wanted ones, and a share of those
constexpr Index kGuardShare = 4;

Svd svd_of(const Unfolded& x, Index k, bool with_columns, Context& ctx) {
  SquaredOperator a = x.products(with_columns, ctx.executor());
  a.squared = [&, product = std::move(a.squared)](const Matrix& in, double factor, Matrix& out) {
    ctx.check_stop();
    product(in, factor, out);
  };
  const LanczosRules rules{.tolerance = kTolerance,
                           .width = k + std::max(kFewGuards, k / kGuardShare),
                           .most = kMostProducts};
  return leading_triplets(a, std::min({k, a.rows, a.cols}), ctx.rng("svd"), rules, ctx.executor());
}

// The part of one sign, the other entries 0.
std::vector<double> part_of(const std::vector<double>& vector, double sign) {
  std::vector<double> part(vector.size());
  for (std::size_t i = 0; i < part.size(); ++i) part[i] = std::max(sign * vector[i], 0.0);
  return part;
}

// Columns of these modes without signs; `together`: all of them change sign at once.
void take_parts(Factors& factors, const std::vector<Index>& modes, Index k, bool together) {
  double larger[2] = {1.0, 1.0};
  for (int side = 0; side < 2; ++side) {
    for (const Index n : modes) {
      larger[side] *= norm2(part_of(column(factors.modes[n], k), side == 0 ? 1.0 : -1.0));
    }
  }
  for (const Index n : modes) {
    Matrix& mode = factors.modes[n];
    const std::vector<double> up = part_of(column(mode, k), 1.0),
                              down = part_of(column(mode, k), -1.0);
    const bool is_up = together ? larger[0] >= larger[1] : norm2(up) >= norm2(down);
    set_column(mode, k, is_up ? up : down);
  }
}

// The modes with more than one item, and others as long as there are not two.
std::vector<Index> modes_that_matter(const Shape& shape) {
  std::vector<Index> modes;
  for (Index n = 0; n < std::ssize(shape); ++n) {
    if (shape[n] > 1) modes.push_back(n);
  }
  for (Index n = 0; modes.size() < 2; ++n) {
    if (shape[n] == 1) modes.push_back(n);
  }
  std::sort(modes.begin(), modes.end());
  return modes;
}

}  // namespace

Factors svd_factors(const Observed& data, Index n_components, bool is_signed, Context& ctx) {
  Rng rng = ctx.rng("factors");
  Factors factors = random_factors(data.shape(), n_components, is_signed, rng);
  const auto take = [&](Index mode, const Matrix& vectors, Index count) {
    for (Index k = 0; k < count; ++k) set_column(factors.modes[mode], k, column(vectors, k));
  };
  const std::vector<Index> modes = modes_that_matter(data.shape());
  const bool is_flat = modes.size() == 2;
  Index n_taken = 0;
  for (const Index mode : modes) {
    const Svd svd = svd_of(Unfolded(data, mode), n_components, is_flat, ctx);
    // Beyond the rank columns stay random.
    const Index count = std::count_if(svd.s.begin(), svd.s.end(), [](double s) { return s > 0.0; });
    take(mode, svd.u, count);
    n_taken = std::max(n_taken, count);
    if (!is_flat) continue;
    take(modes[1], svd.v, count);
    break;
  }
  for (Index k = 0; k < n_taken && !is_signed; ++k) take_parts(factors, modes, k, is_flat);
  return factors;
}

}  // namespace gingham::methods::multilinear
