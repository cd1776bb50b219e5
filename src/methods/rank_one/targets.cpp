#include "gingham/methods/rank_one/targets.hpp"

#include <algorithm>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::rank_one {

Targets targets_of(Which which, const std::vector<Deflated>& residuals, const Layout& own,
                   const Layout& others, const std::vector<double>& other, Executor& executor) {
  constexpr double kUnobserved = 1e-12;
  Targets targets;
  targets.b.resize(own.size());
  const bool has_missing = std::any_of(residuals.begin(), residuals.end(),
                                       [](const Deflated& one) { return one.has_missing(); });
  if (has_missing) targets.h.assign(own.size(), 1.0);
  for (Index i = 0; i < own.times(); ++i) {
    const ConstVec x = others.at(other, i);
    const Vec b = own.at(targets.b, i);
    const Deflated& residual = residuals[i];
    if (is_zero(x)) continue;
    if (!residual.has_missing()) {
      which == Which::rows ? residual.multiply(x, b, executor)
                           : residual.multiply_transposed(x, b, executor);
      continue;
    }
    const Vec h = own.at(targets.h, i);
    which == Which::rows ? residual.multiply_observed(x, b, h, executor)
                         : residual.multiply_transposed_observed(x, b, h, executor);
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (h[j] < kUnobserved) h[j] = b[j] = 0.0;
    }
  }
  return targets;
}

}  // namespace gingham::methods::rank_one
