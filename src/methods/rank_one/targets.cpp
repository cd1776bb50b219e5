#include "gingham/methods/rank_one/targets.hpp"

#include <algorithm>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::rank_one {

Targets targets_of(Which which, const std::vector<PreparedMatrix>& residuals, const Layout& own,
                   const Layout& others, const std::vector<double>& other) {
  constexpr double kUnobserved = 1e-12;
  Targets targets;
  targets.b.resize(own.size());
  const bool is_complete = std::all_of(residuals.begin(), residuals.end(),
                                       [](const PreparedMatrix& one) { return one.is_complete(); });
  if (!is_complete) targets.h.assign(own.size(), 1.0);
  for (Index i = 0; i < own.times(); ++i) {
    const ConstVec x = others.at(other, i);
    const Vec b = own.at(targets.b, i);
    const PreparedMatrix& residual = residuals[i];
    if (is_zero(x)) continue;
    if (residual.is_complete()) {
      which == Which::rows ? residual.multiply(x, b) : residual.multiply_transposed(x, b);
      continue;
    }
    const Vec h = own.at(targets.h, i);
    which == Which::rows ? residual.multiply_observed(x, b, h)
                         : residual.multiply_transposed_observed(x, b, h);
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (h[j] < kUnobserved) h[j] = b[j] = 0.0;
    }
  }
  return targets;
}

}  // namespace gingham::methods::rank_one
