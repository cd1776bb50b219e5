#include "gingham/penalties/top_k.hpp"

#include <functional>
#include <vector>

namespace gingham {
namespace {

Index count_nonzeros(ConstVec v) {
  return std::count_if(v.begin(), v.end(), [](double x) { return x != 0.0; });
}

void keep_largest(Vec v, Index k) {
  const Index n = static_cast<Index>(v.size());
  if (k >= n) return;
  if (k == 0) {
    std::fill(v.begin(), v.end(), 0.0);
    return;
  }
  std::vector<double> size(v.size());
  for (Index j = 0; j < n; ++j) size[j] = std::abs(v[j]);
  std::nth_element(size.begin(), size.begin() + (k - 1), size.end(), std::greater<>());
  const double smallest_kept = size[k - 1];
  Index ties = k;  // how many entries equal to the smallest one may stay
  for (const double x : v) ties -= std::abs(x) > smallest_kept;
  for (double& x : v) {
    if (std::abs(x) > smallest_kept) continue;
    if (std::abs(x) < smallest_kept || ties == 0) {
      x = 0.0;
    } else {
      --ties;
    }
  }
}

// The largest growth(j) over zero entries minus the smallest nonzero magnitude, or 0.
template <class Growth>
double swap_excess(ConstVec v, Index k, const Growth& growth) {
  if (count_nonzeros(v) < k || k == 0) return 0.0;
  double smallest = kInfinity;
  double largest = 0.0;
  for (std::size_t j = 0; j < v.size(); ++j) {
    if (v[j] != 0.0) {
      smallest = std::min(smallest, std::abs(v[j]));
    } else {
      largest = std::max(largest, growth(j));
    }
  }
  return std::max(largest - smallest, 0.0);
}

}  // namespace

double TopK::value(ConstVec v) const { return count_nonzeros(v) <= k ? 0.0 : kInfinity; }

void TopK::prox(Vec v, double step) const {
  require_prox_input(v, step);
  keep_largest(v, k);
}

double TopK::stationarity_gap(ConstVec v, ConstVec gradient) const {
  const Index nonzeros = count_nonzeros(v);
  if (nonzeros > k) return kInfinity;
  return norms::l2_of(
      v.size(), [&](std::size_t j) { return v[j] != 0.0 || nonzeros < k ? gradient[j] : 0.0; });
}

double TopK::swap_gap(ConstVec v, ConstVec gradient, double step) const {
  return swap_excess(v, k, [&](std::size_t j) { return step * std::abs(gradient[j]); });
}

double NonnegTopK::value(ConstVec v) const {
  return norms::any_negative(v) ? kInfinity : TopK{k}.value(v);
}

void NonnegTopK::prox(Vec v, double step) const {
  require_prox_input(v, step);
  for (double& x : v) x = std::max(x, 0.0);
  keep_largest(v, k);
}

double NonnegTopK::stationarity_gap(ConstVec v, ConstVec gradient) const {
  const Index nonzeros = count_nonzeros(v);
  if (nonzeros > k || norms::any_negative(v)) return kInfinity;
  return norms::l2_of(v.size(), [&](std::size_t j) {
    if (v[j] != 0.0) return gradient[j];
    return nonzeros < k ? std::min(gradient[j], 0.0) : 0.0;
  });
}

double NonnegTopK::swap_gap(ConstVec v, ConstVec gradient, double step) const {
  return swap_excess(v, k, [&](std::size_t j) { return -step * gradient[j]; });
}

}  // namespace gingham
