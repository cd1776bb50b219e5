#include "gingham/penalties/separable.hpp"

#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

// Where all entries were observed.
double value_of_all(const EntryRule& rule, ConstVec z) {
  bool is_inside = true;
  for (const double x : z) is_inside &= (rule.low <= x) & (x <= rule.high);
  if (!is_inside) return kInfinity;
  const double squares = rule.ridge > 0.0 ? 0.5 * rule.ridge * sum_squares(z) : 0.0;
  return squares + (rule.l1 > 0.0 ? rule.l1 * sum_abs(z) : 0.0);
}

}  // namespace

double Separable::value(ConstVec z, Curvature h) const {
  if (weights_.empty() && h.is_even() && h[0] > 0.0) return value_of_all(rule_, z);
  if (weights_.empty()) return rule_.value(z, h);
  double sum = 0.0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    if (z[j] == 0.0) continue;
    const double own = of_entry(j).value(z[j]);
    sum += own == kInfinity ? own : h[j] > 0.0 ? own : 0.0;
  }
  return sum;
}

void Separable::minimise(ConstVec b, Curvature h, Vec z) const {
  require_problem(b, h, z);
  if (weights_.empty() && h.is_even() && h[0] > 0.0) {  // the same without a branch
    const EntryRule rule = rule_;
    const double steepness = h[0] + rule.ridge;
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double pulled = b[j] - std::clamp(b[j], -rule.l1, rule.l1);
      z[j] = std::clamp(pulled / steepness, rule.low, rule.high);
    }
    return;
  }
  for (std::size_t j = 0; j < z.size(); ++j) z[j] = of_entry(j).minimiser(b[j], h[j]);
}

double Separable::smallest_zero(ConstVec b, Curvature h) const {
  if (rule_.l1 == 0.0 && rule_.ridge > 0.0) return h.largest(b.size());
  if (weights_.empty()) return rule_.smallest_zero(b, h);
  double most = 0.0;
  for (std::size_t j = 0; j < b.size(); ++j) {
    const double own = rule_.smallest_zero(b.subspan(j, 1), h[j]);
    if (own > 0.0) most = std::max(most, own / weights_[j]);
  }
  return most;
}

}  // namespace gingham
