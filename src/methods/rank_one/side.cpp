#include "gingham/methods/rank_one/side.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/tv_prox.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::rank_one {
namespace {

Matrix time_major(const std::vector<double>& values, Index times) {
  Matrix matrix(times, static_cast<Index>(values.size()) / times);
  std::copy(values.begin(), values.end(), matrix.values().begin());
  return matrix;
}

std::vector<double> flat(const Matrix& matrix) {
  return {matrix.values().begin(), matrix.values().end()};
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

// Entries in units: entry e has the value of unit of_entry[e] (empty: its own).
struct Grouping {
  Units units;
  std::vector<Index> of_entry;

  std::vector<double> spread(std::vector<double> values) const {
    if (of_entry.empty()) return values;
    std::vector<double> all(of_entry.size());
    for (std::size_t e = 0; e < all.size(); ++e) {
      all[e] = of_entry[e] < 0 ? 0.0 : values[static_cast<std::size_t>(of_entry[e])];
    }
    return all;
  }
};

// Every entry by itself: z = b / h.
Grouping separate(const Targets& targets) {
  Grouping grouping;
  grouping.units.z = targets.b;
  if (targets.h.empty()) return grouping;
  grouping.units.curvature = targets.h;
  for (std::size_t e = 0; e < targets.b.size(); ++e) {
    const bool seen = targets.h[e] > 0.0;
    grouping.units.z[e] = seen ? targets.b[e] / targets.h[e] : 0.0;
    if (!seen) grouping.units.curvature[e] = 1.0;
  }
  return grouping;
}

// What sums of numbers whose sizes add up to `size` leave where they cancel.
bool is_rounding(double sum, double size) { return std::abs(sum) <= 1e-14 * size; }

// All times of an item together: z = sum b / sum h.
Grouping tied(const Targets& targets, Index times) {
  const std::size_t n = targets.b.size() / static_cast<std::size_t>(times);
  Grouping grouping;
  Units& units = grouping.units;
  units.z.assign(n, 0.0);
  units.curvature.assign(n, 0.0);
  units.entries.assign(n, 0.0);
  grouping.of_entry.resize(targets.b.size());
  std::vector<double> sizes(n, 0.0);
  for (std::size_t e = 0; e < targets.b.size(); ++e) {
    sizes[e % n] += std::abs(targets.b[e]);
    const double h = targets.h.empty() ? 1.0 : targets.h[e];
    units.z[e % n] += targets.b[e];
    units.curvature[e % n] += h;
    units.entries[e % n] += h > 0.0 ? 1.0 : 0.0;
    grouping.of_entry[e] = static_cast<Index>(e % n);
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (is_rounding(units.z[j], sizes[j])) units.z[j] = 0.0;
    if (units.entries[j] == 0.0) {
      units.z[j] = 0.0;
      units.curvature[j] = units.entries[j] = 1.0;
    } else {
      units.z[j] /= units.curvature[j];
    }
  }
  return grouping;
}

// Runs of equal values over time of the fused solution x.
Grouping runs(const Targets& targets, const std::vector<double>& x, Index times) {
  const std::size_t n = x.size() / static_cast<std::size_t>(times);
  Grouping grouping;
  Units& units = grouping.units;
  grouping.of_entry.assign(x.size(), -1);
  for (std::size_t j = 0; j < n; ++j) {
    double size = 0.0;
    for (std::size_t e = j; e < x.size(); e += n) size += std::abs(targets.b[e]);
    for (std::size_t e = j; e < x.size();) {
      std::size_t end = e;
      double h = 0.0, b = 0.0, entries = 0.0;
      for (; end < x.size() && x[end] == x[e]; end += n) {
        const double weight = targets.h.empty() ? 1.0 : targets.h[end];
        if (weight == 0.0) continue;
        h += weight;
        b += targets.b[end];
        entries += 1.0;
      }
      if (entries > 0.0) {
        for (std::size_t f = e; f < end; f += n) {
          grouping.of_entry[f] = static_cast<Index>(units.size());
        }
        units.z.push_back(is_rounding(x[e] * h, size) ? 0.0 : x[e]);
        units.curvature.push_back(h);
        units.entries.push_back(entries);
        units.pull.push_back(b - h * units.z.back());
      }
      e = end;
    }
  }
  return grouping;
}

// The dual's solution is off by up to the root of its gap: neighbours nearer than that are equal in
// the exact solution, as far as can be told. Without this every run would fall apart into units.
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

// The smallest alpha at which the fused solution is all zero, where data are missing: whatever the
// curvature, zero is optimal when the observed b can be brought within +-alpha by a dual of size
// gamma, and the TV prox of b brings them as near to zero as can be.
double observed_maximum(const Targets& targets, double gamma, Index times) {
  const std::size_t n = targets.b.size() / static_cast<std::size_t>(times);
  double all = 0.0;
  std::vector<double> signal;
  for (std::size_t j = 0; j < n; ++j) {
    signal.clear();
    for (std::size_t e = j; e < targets.b.size(); e += n) {
      if (targets.h[e] > 0.0) signal.push_back(targets.b[e]);
    }
    tv_prox(signal, gamma);
    all = std::max(all, max_abs(signal));
  }
  return all;
}

// Entries of the fused solution with sparsity that are nothing but rounding become zero, as in
// sparse_step.cpp: |x| h <= 1e-13 alpha, h the item's largest curvature.
void drop_rounding(const Matrix& h, double alpha, Matrix& x) {
  for (Index j = 0; j < x.cols(); ++j) {
    double curvature = 0.0;
    for (Index i = 0; i < x.rows(); ++i) curvature = std::max(curvature, h(i, j));
    for (Index i = 0; i < x.rows(); ++i) {
      if (std::abs(x(i, j)) * curvature <= 1e-13 * alpha) x(i, j) = 0.0;
    }
  }
}

double fusion_maximum(const Targets& targets, double alpha, Index times, Executor& executor) {
  const Matrix b = time_major(targets.b, times);
  if (targets.h.empty()) return largest(tv_gamma_max(b, executor));
  return largest(tv_gamma_max_weighted(time_major(targets.h, times), b, alpha, executor));
}

// sum over times of ||x_i+1 - x_i||_1.
double total_variation(const std::vector<double>& x, const Layout& layout) {
  if (layout.times() < 2 || !layout.is_even()) return 0.0;
  const auto n = static_cast<std::size_t>(layout.size_at(0));
  double total = 0.0;
  for (std::size_t e = n; e < x.size(); ++e) total += std::abs(x[e] - x[e - n]);
  return total;
}

// gamma: a number, or a share of the bound at the component's first step.
double fusion_strength(const SideStep& step, const Targets& targets, const Side& before) {
  const SideRule& rule = step.rule;
  if (rule.fusion.kind == PenaltyValue::Kind::number) return rule.fusion.number;
  if (before.was_made()) return before.fusion;
  // Where data are missing the bound depends on alpha; one that is not a number is not known yet.
  const bool is_number = rule.sparsity.kind == PenaltyValue::Kind::number;
  const double alpha = is_number ? rule.sparsity.number : 0.0;
  return rule.fusion.resolve(fusion_maximum(targets, alpha, step.layout.times(), step.executor));
}

// The fused solution without sparsity.
Grouping fused(const SideStep& step, const Targets& targets, Side& side) {
  const Index times = step.layout.times();
  Matrix x = time_major(targets.b, times);
  if (!targets.h.empty()) {
    tv_prox_weighted(time_major(targets.h, times), x, side.fusion, 0.0, x, step.executor);
  } else if (step.dual_gap > 0.0) {
    side.dual_gaps = tv_prox_dual(x, side.fusion, {.tolerance = step.dual_gap}, step.executor).gaps;
    join_neighbours(x, 2.0 * std::sqrt(side.dual_gaps.back()));
  } else {
    tv_prox(x, side.fusion, step.executor);
  }
  return runs(targets, flat(x), times);
}

// The same with sparsity, where data are missing: one does not follow from the other.
std::vector<double> fused_and_sparse(const Targets& targets, double gamma, double alpha,
                                     Index times, Executor& executor) {
  const Matrix h = time_major(targets.h, times);
  Matrix x = time_major(targets.b, times);
  tv_prox_weighted(h, x, gamma, alpha, x, executor);
  drop_rounding(h, alpha, x);
  return flat(x);
}

// alpha: a number, or a share of the maximum at the component's first step. `gamma` is above 0
// where fusion and missing data come together.
Threshold threshold_of(const SideStep& step, const Targets& targets, const Grouping& free,
                       double gamma, const Side& before) {
  const PenaltyValue& sparsity = step.rule.sparsity;
  if (sparsity.kind == PenaltyValue::Kind::number) return fixed_threshold(sparsity.number);
  if (before.was_made()) return before.sparsity;
  const double share = sparsity.number / 100.0;
  if (gamma > 0.0) {
    return fixed_threshold(share * observed_maximum(targets, gamma, step.layout.times()));
  }
  return share_of_maximum(free.units, step.exponent, share);
}

// alpha by BIC, and the units' values with it.
Threshold shrink_by_bic(const SideStep& step, const Targets& targets, const Grouping& free,
                        Vec values) {
  const Noise noise = step.noise();
  double residual = noise.residual;  // at the units' values: add what the fusion costs
  const std::vector<double> z = free.spread(free.units.z);
  for (std::size_t e = 0; e < z.size(); ++e) {
    const double h = targets.h.empty() ? 1.0 : targets.h[e];
    if (h > 0.0) residual += h * (targets.b[e] / h - z[e]) * (targets.b[e] / h - z[e]);
  }
  return rank_one::shrink_by_bic(free.units, step.exponent, step.bic, residual, noise.variance,
                                 noise.cells, values);
}

}  // namespace

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

Targets mean_over_times(const Targets& targets, Index times) {
  const std::size_t n = targets.b.size() / static_cast<std::size_t>(times);
  const double share = 1.0 / static_cast<double>(times);
  Targets mean;
  mean.b.assign(n, 0.0);
  if (!targets.h.empty()) mean.h.assign(n, 0.0);
  std::vector<double> sizes(n, 0.0);
  for (std::size_t e = 0; e < targets.b.size(); ++e) {
    mean.b[e % n] += share * targets.b[e];
    sizes[e % n] += share * std::abs(targets.b[e]);
    if (!targets.h.empty()) mean.h[e % n] += share * targets.h[e];
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (is_rounding(mean.b[j], sizes[j])) mean.b[j] = 0.0;
  }
  return mean;
}

// The minimiser under a penalty by name.
Side SideStep::named_minimiser(Targets targets) const {
  const Index times = layout.times();
  const bool is_tied = times > 1 && rule.is_tied();
  Side side;
  side.unit.resize(layout.size());
  if (is_tied) {
    const Targets mean = mean_over_times(targets, times);
    const Vec x = layout.at(side.unit, 0);
    rule.penalty->minimise(mean.b, mean.h.empty() ? Curvature(1.0) : Curvature(mean.h), x);
    for (Index i = 1; i < times; ++i)
      std::copy(x.begin(), x.end(), layout.at(side.unit, i).begin());
    side.fusion = fusion_maximum(targets, 0.0, times, executor);
  }
  for (Index i = 0; i < times && !is_tied; ++i) {
    const ConstVec b = layout.at(targets.b, i);
    rule.penalty->minimise(b,
                           targets.h.empty() ? Curvature(1.0) : Curvature(layout.at(targets.h, i)),
                           layout.at(side.unit, i));
  }
  side.variation = total_variation(side.unit, layout);
  side.targets = std::move(targets);
  return side;
}

Side SideStep::minimiser(Targets targets, const Side& before) const {
  if (rule.penalty) return named_minimiser(std::move(targets));
  const Index times = layout.times();
  const bool is_tied = times > 1 && rule.is_tied();
  const bool is_fused = times > 1 && rule.is_fused() && !is_tied;
  Side side;
  if (is_fused) side.fusion = fusion_strength(*this, targets, before);
  const Grouping free = is_fused  ? fused(*this, targets, side)
                        : is_tied ? tied(targets, times)
                                  : separate(targets);
  const bool together = is_fused && !targets.h.empty();
  std::vector<double> values(free.units.size());
  if (rule.sparsity.is("auto")) {
    side.sparsity = shrink_by_bic(*this, targets, free, values);
  } else {
    side.sparsity = threshold_of(*this, targets, free, together ? side.fusion : 0.0, before);
    shrink(free.units, side.sparsity, exponent, values);
  }
  values = free.spread(std::move(values));
  const double alpha = exponent == 0.0 ? side.sparsity.lambda(0.0) : 0.0;
  if (together) values = fused_and_sparse(targets, side.fusion, alpha, times, executor);
  if (is_tied) side.fusion = fusion_maximum(targets, alpha, times, executor);

  side.variation = total_variation(values, layout);
  side.unit = std::move(values);
  side.targets = std::move(targets);
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
  std::vector<double> difference = a;
  axpy(-1.0, b, difference);
  for (Index i = 0; i < layout.times(); ++i) {
    const double here = norm2(layout.at(difference, i));
    if (!(here <= largest_yet)) largest_yet = here;  // a NaN stays
  }
  return largest_yet;
}

double penalty_length(const Side& side, const SideRule& rule, const Layout& layout, Index time,
                      double exponent) {
  const ConstVec unit = layout.at(side.unit, time);
  if (rule.penalty) {
    if (side.targets.h.empty()) return rule.penalty->value(unit);
    if (layout.times() == 1 || !rule.is_tied()) {
      return rule.penalty->value(unit, layout.at(side.targets.h, time));
    }
    return rule.penalty->value(unit, mean_over_times(side.targets, layout.times()).h);
  }
  const ConstVec b = layout.at(side.targets.b, time);
  const ConstVec h = side.targets.h.empty() ? ConstVec{} : layout.at(side.targets.h, time);
  double total = 0.0;
  for (std::size_t j = 0; j < unit.size(); ++j) {
    if (unit[j] == 0.0 || (!h.empty() && h[j] == 0.0)) continue;
    const double z = h.empty() ? b[j] : b[j] / h[j];
    total += side.sparsity.at(z, exponent) * std::abs(unit[j]);
  }
  return total;
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
