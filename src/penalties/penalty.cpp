#include "gingham/penalties/penalty.hpp"

#include <numeric>

#include "gingham/kernels/finite.hpp"
#include "gingham/penalties/entry_rule.hpp"

namespace gingham {

double Penalty::gap(ConstVec z, ConstVec b, Curvature h) const {
  return value(z, h) < kInfinity ? distance_to_minimiser(*this, z, b, h) : kInfinity;
}

double distance_to_minimiser(const Penalty& penalty, ConstVec z, ConstVec b, Curvature h) {
  std::vector<double> best(z.begin(), z.end());
  penalty.minimise(b, h, best);
  return norms::l2_of(z.size(), [&](std::size_t j) { return std::sqrt(h[j]) * (z[j] - best[j]); });
}

void to_domain(const Penalty& penalty, Vec z) {
  constexpr double kSteep = 1e20;  // a curvature beside which no weight counts
  if (penalty.value(z) < kInfinity) return;
  std::vector<double> pull(z.begin(), z.end());
  for (double& x : pull) x *= kSteep;
  penalty.minimise(pull, kSteep, z);
}

std::vector<Penalty::Part> Penalty::parts(Index n_items) const {
  if (entry() != nullptr || n_items == 0) return {};
  Part all;
  all.items.resize(static_cast<std::size_t>(n_items));
  std::iota(all.items.begin(), all.items.end(), Index{0});
  all.penalty = std::shared_ptr<const Penalty>(times(1.0));
  return {std::move(all)};
}

const EntryRule& Penalty::rest() const {
  static const EntryRule kFree{};
  return entry() != nullptr ? *entry() : kFree;
}

void require_problem(ConstVec b, Curvature h, ConstVec z) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  if (b.size() != z.size() || (!h.is_even() && h.each().size() != b.size())) {
    throw Error(ErrorCode::internal, "", "penalty: sizes of b, h and z differ");
  }
  const bool is_h_fine =
      h.is_even() ? h[0] >= 0.0 && h[0] <= kLargest : is_finite_nonnegative(h.each());
  if (!is_h_fine || !is_finite(b)) {
    throw Error(ErrorCode::internal, "", "penalty: b or h is not finite, or h is negative");
  }
}

}  // namespace gingham
