#include "gingham/methods/rank_one/targets.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::rank_one {

Layout::Layout(const std::vector<Index>& sizes) {
  for (const Index size : sizes) offsets_.push_back(offsets_.back() + size);
}

bool Layout::is_even() const {
  for (Index i = 1; i < times(); ++i) {
    if (size_at(i) != size_at(0)) return false;
  }
  return true;
}

Vec Layout::at(std::vector<double>& values, Index time) const {
  return {values.data() + offsets_[time], static_cast<std::size_t>(size_at(time))};
}

ConstVec Layout::at(const std::vector<double>& values, Index time) const {
  return {values.data() + offsets_[time], static_cast<std::size_t>(size_at(time))};
}

Targets targets_of(Which which, const std::vector<PreparedMatrix>& residuals, const Layout& own,
                   const Layout& others, const std::vector<double>& other) {
  constexpr double kUnobserved = 1e-12;
  Targets targets;
  targets.b.resize(own.size());
  for (Index i = 0; i < own.times(); ++i) {
    const ConstVec x = others.at(other, i);
    if (is_zero(x)) continue;
    Products found =
        which == Which::rows ? residuals[i].row_products(x) : residuals[i].column_products(x);
    for (std::size_t j = 0; j < found.norms.each.size(); ++j) {
      if (found.norms[j] < kUnobserved) found.norms.each[j] = found.values[j] = 0.0;
    }
    std::copy(found.values.begin(), found.values.end(), own.at(targets.b, i).begin());
    if (found.norms.each.empty()) continue;
    targets.h.each.resize(own.size(), 1.0);
    std::copy(found.norms.each.begin(), found.norms.each.end(), own.at(targets.h.each, i).begin());
  }
  return targets;
}

Parts::Parts(const Targets& targets, const Layout& layout, bool is_tied) {
  if (!is_tied) {
    for (Index i = 0; i < layout.times(); ++i) {
      parts_.push_back({i, layout.at(targets.b, i), targets.curvature(layout, i), {}});
    }
    return;
  }
  const auto n = static_cast<std::size_t>(layout.size_at(0));
  const double share = 1.0 / static_cast<double>(layout.times());
  std::vector<double> sizes(n, 0.0), h(n, 0.0), seen(n, 0.0);
  mean_.b.assign(n, 0.0);
  for (std::size_t e = 0; e < targets.b.size(); ++e) {
    mean_.b[e % n] += share * targets.b[e];
    sizes[e % n] += share * std::abs(targets.b[e]);
    h[e % n] += share * targets.h[e];
    seen[e % n] += targets.h[e] > 0.0 ? share : 0.0;
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (std::abs(mean_.b[j]) <= kRounding * sizes[j]) mean_.b[j] = 0.0;
  }
  mean_.h = targets.h;
  if (!mean_.h.each.empty()) mean_.h.each = std::move(h);
  parts_.push_back({0, mean_.b, mean_.curvature(), std::move(seen)});
}

}  // namespace gingham::methods::rank_one
