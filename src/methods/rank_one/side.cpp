#include "gingham/methods/rank_one/side.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/tv_prox.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/penalties/members/fused.hpp"
#include "gingham/penalties/separable.hpp"

namespace gingham::methods::rank_one {
namespace {

// (|b / h| / scale)^-e; all 1 (empty) for e = 0. Infinite where b = 0.
std::vector<double> adaptive_weights(ConstVec b, Curvature h, double scale, double exponent) {
  std::vector<double> weights(exponent == 0.0 ? 0 : b.size());
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const double z = h[j] > 0.0 ? std::abs(b[j] / h[j]) : 0.0;
    weights[j] = std::pow(z / scale, -exponent);
  }
  return weights;
}

// What a part obeys.
std::shared_ptr<const Penalty> penalty_of(const SideRule& rule, const Sparsity& sparsity,
                                          const Part& part) {
  if (rule.penalty) return rule.penalty;
  std::vector<double> weights = part.seen;
  if (weights.empty() && sparsity.level > 0.0)
    weights = adaptive_weights(part.b, part.h, sparsity.scale, rule.exponent);
  return std::make_shared<Separable>(EntryRule{.l1 = sparsity.level}, std::move(weights));
}

// The largest |b / h|; 1 where all are 0.
double scale_of(const Targets& targets) {
  double largest = 0.0;
  for (std::size_t e = 0; e < targets.b.size(); ++e)
    largest = std::max(largest, std::abs(targets.estimate(e)));
  return largest > 0.0 ? largest : 1.0;
}

// sum over times of ||x_i+1 - x_i||_1.
double total_variation(const std::vector<double>& x, const Layout& layout) {
  if (layout.times() < 2 || !layout.is_even()) return 0.0;
  const auto n = static_cast<std::size_t>(layout.size_at(0));
  double total = 0.0;
  for (std::size_t e = n; e < x.size(); ++e) total += std::abs(x[e] - x[e - n]);
  return total;
}

// Runs of equal values over time, n items at each.
std::vector<Unit> runs(const Targets& targets, const std::vector<double>& x, std::size_t n) {
  std::vector<Unit> units;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t e = j; e < x.size();) {
      const double z = x[e];
      double h = 0.0, b = 0.0, n_seen = 0.0;
      for (; e < x.size() && x[e] == z; e += n) {
        if (targets.h[e] == 0.0) continue;
        h += targets.h[e];
        b += targets.b[e];
        n_seen += 1.0;
      }
      if (n_seen > 0.0) units.push_back({z, h, n_seen, b - h * z});
    }
  }
  return units;
}

// The dual's solution is off by up to the root of its gap: neighbours in time nearer than that are
// equal in the exact solution, as far as can be told. Without this every run would fall apart.
void join_neighbours(Matrix& x, double nearer_than) {
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index begin = 0; begin < x.rows();) {
      Index end = begin + 1;
      double sum = x(begin, j);
      for (; end < x.rows() && std::abs(x(end, j) - x(end - 1, j)) <= nearer_than; ++end) {
        sum += x(end, j);
      }
      for (Index i = begin; i < end; ++i) x(i, j) = sum / static_cast<double>(end - begin);
      begin = end;
    }
  }
}

}  // namespace

double Sparsity::alpha(double exponent) const {
  return level == 0.0 ? 0.0 : level * std::pow(scale, exponent);
}

// The smallest gamma at which no item changes. With h = 1 sparsity comes after the rest (shorten):
// it does not count.
double SideStep::largest_fusion(const Targets& targets, double alpha) const {
  const Curvature h = targets.curvature();
  const Fused changes(0.0, {.l1 = h.is_even() ? 0.0 : alpha});
  return changes.smallest_zero_of_signals(layout.times(), targets.b, h, executor);
}

// The smallest level at which nothing is left.
double SideStep::largest_sparsity(const Side& side) const {
  if (is_fused()) {
    const Fused changes(side.fusion);
    return changes.smallest_l1_of_signals(layout.times(), side.targets.b, side.targets.curvature());
  }
  double largest = 0.0;
  const Parts parts(side.targets, layout, rule.is_tied(layout));
  for (const Part& part : parts.all()) {
    const auto one = penalty_of(rule, {1.0, side.sparsity.scale}, part);
    largest = std::max(largest, one->smallest_zero(part.b, part.h));
  }
  return largest;
}

// The level that BIC says, `side` as it is without sparsity.
double SideStep::chosen_sparsity(const Side& side) const {
  const Noise given = noise();
  const Targets& targets = side.targets;
  if (!rule.is_fused(layout)) {
    const std::vector<double> weights =
        adaptive_weights(targets.b, targets.curvature(), side.sparsity.scale, rule.exponent);
    return l1_by_bic(side.unit, targets.curvature(), weights, rule.bic, given.residual,
                     given.variance, given.cells);
  }
  double residual = given.residual;  // at side.unit: add what holding times together costs
  for (std::size_t e = 0; e < side.unit.size(); ++e) {
    const double off = targets.estimate(e) - side.unit[e];
    residual += targets.h[e] * off * off;
  }
  return l1_by_bic(runs(targets, side.unit, static_cast<std::size_t>(layout.size_at(0))), rule.bic,
                   residual, given.variance, given.cells);
}

// side.unit <- x at its numbers.
void SideStep::minimise(Side& side) const {
  const Targets& targets = side.targets;
  side.unit.resize(layout.size());
  if (is_fused() && rule.dual_gap > 0.0) return minimise_dual(side);
  if (is_fused()) {
    const Fused g(side.fusion, {.l1 = side.sparsity.level});
    return g.minimise_signals(layout.times(), targets.b, targets.curvature(), side.unit, executor);
  }
  const Parts parts(targets, layout, rule.is_tied(layout));
  for (const Part& part : parts.all()) {
    const auto g = penalty_of(rule, side.sparsity, part);
    g->minimise(part.b, part.h, layout.at(side.unit, part.time));
  }
  for (Index i = 1; i < layout.times() && rule.is_tied(); ++i) {
    const ConstVec x = layout.at(side.unit, 0);
    std::copy(x.begin(), x.end(), layout.at(side.unit, i).begin());
  }
}

void SideStep::minimise_dual(Side& side) const {
  Matrix x(layout.times(), layout.size_at(0));
  std::copy(side.targets.b.begin(), side.targets.b.end(), x.values().begin());
  side.dual_gaps = tv_prox_dual(x, side.fusion, {.tolerance = rule.dual_gap}, executor).gaps;
  join_neighbours(x, 2.0 * std::sqrt(side.dual_gaps.back()));
  std::copy(x.values().begin(), x.values().end(), side.unit.begin());
  shorten(side);
}

// With h = 1 sparsity is a soft threshold after the rest (Ji, Zhang, Liu 2012, Theorem 3.1).
void SideStep::shorten(Side& side) const {
  Separable({.l1 = side.sparsity.level}).minimise(side.unit, 1.0, side.unit);
}

void SideStep::drop_rounding(Side& side) const {
  const bool is_together = rule.is_fused(layout);
  const Targets& targets = side.targets;
  const std::size_t size = side.unit.size(),
                    n = is_together ? static_cast<std::size_t>(layout.size_at(0)) : size;
  if (!is_together && targets.h.each.empty()) {
    const double *b = targets.b.data(), least = kRounding / targets.h.all;
    for (std::size_t e = 0; e < size; ++e)
      side.unit[e] = std::abs(side.unit[e]) <= least * std::abs(b[e]) ? 0.0 : side.unit[e];
    return;
  }
  for (std::size_t j = 0; j < n; ++j) {
    double b = 0.0, h = 0.0;
    for (std::size_t e = j; e < size; e += n) {
      b += std::abs(targets.b[e]);
      h = std::max(h, targets.h[e]);
    }
    for (std::size_t e = j; e < size; e += n) {
      if (std::abs(side.unit[e]) * h <= kRounding * b) side.unit[e] = 0.0;
    }
  }
}

Side SideStep::minimiser(Targets targets, const Side& before) const {
  Side side;
  side.targets = std::move(targets);
  const PenaltyValue &sparsity = rule.sparsity, &fusion = rule.fusion;
  const bool is_first = !before.targets.is_made();
  if (is_fused() && fusion.kind == PenaltyValue::Kind::number) {
    side.fusion = fusion.number;
  } else if (is_fused()) {
    // The maximum depends on an alpha that is a number; another is not known yet.
    const bool is_number = sparsity.kind == PenaltyValue::Kind::number;
    const double alpha = is_number ? sparsity.number : 0.0;
    side.largest_fusion = is_first ? largest_fusion(side.targets, alpha) : before.largest_fusion;
    side.fusion = fusion.resolve(side.largest_fusion);
  }
  if (!is_fused() && fusion.kind == PenaltyValue::Kind::percent) side.largest_fusion = 0.0;
  bool is_shortened = false;
  if (sparsity.kind == PenaltyValue::Kind::number) {
    side.sparsity = {sparsity.number, 1.0};
  } else if (sparsity.kind == PenaltyValue::Kind::percent && !is_first) {
    side.sparsity = before.sparsity;
    side.largest_sparsity = before.largest_sparsity;
  } else {
    if (rule.exponent != 0.0) side.sparsity.scale = scale_of(side.targets);
    if (sparsity.kind == PenaltyValue::Kind::percent) {
      side.largest_sparsity = {largest_sparsity(side), side.sparsity.scale};
      side.sparsity.level = sparsity.resolve(side.largest_sparsity.level);
    } else {
      minimise(side);
      side.sparsity.level = chosen_sparsity(side);
      is_shortened = is_fused() && side.targets.curvature().is_even();
    }
  }
  is_shortened ? shorten(side) : minimise(side);
  if (!rule.penalty || rule.penalty->traits().is_separable) drop_rounding(side);
  if (rule.is_tied(layout)) {
    side.fusion = largest_fusion(side.targets, rule.penalty ? 0.0 : side.sparsity.level);
  }
  side.variation = total_variation(side.unit, layout);
  return side;
}

Side SideStep::make(Targets targets, const Side& before) const {
  Side side = minimiser(std::move(targets), before);
  for (Index i = 0; i < layout.times(); ++i) {
    const Vec unit = layout.at(side.unit, i);
    side.lengths.push_back(norm2(unit));
    if (side.lengths.back() == 0.0) continue;
    for (double& value : unit) value /= side.lengths.back();
  }
  return side;
}

double largest_distance(const std::vector<double>& a, const std::vector<double>& b,
                        const Layout& layout) {
  double largest_yet = 0.0;
  for (Index i = 0; i < layout.times(); ++i) {
    const double here = std::sqrt(squared_distance(layout.at(a, i), layout.at(b, i)));
    if (!(here <= largest_yet)) largest_yet = here;  // a NaN stays
  }
  return largest_yet;
}

std::vector<double> penalty_lengths(const Side& side, const SideRule& rule, const Layout& layout) {
  std::vector<double> lengths;
  const Parts parts(side.targets, layout, rule.is_tied(layout));
  for (const Part& part : parts.all()) {
    const auto penalty = penalty_of(rule, side.sparsity, part);
    lengths.push_back(penalty->value(layout.at(side.unit, part.time), part.h));
  }
  lengths.resize(static_cast<std::size_t>(layout.times()), lengths.back());
  return lengths;
}

double fusion_penalty(const Side& side, const Layout& layout, const std::vector<double>& s) {
  double total = 0.0;
  for (Index i = 0; i + 1 < layout.times(); ++i) {
    const ConstVec now = layout.at(side.unit, i), next = layout.at(side.unit, i + 1);
    for (std::size_t j = 0; j < now.size(); ++j) {
      total += std::abs(s[i + 1] * next[j] - s[i] * now[j]);
    }
  }
  return side.fusion * total;
}

}  // namespace gingham::methods::rank_one
