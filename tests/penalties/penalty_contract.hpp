// What every penalty promises, checked on random cases at all scales. The checks return violations
// instead of asserting, so that wrong penalties can be fed to them and must be caught
// (mutants_test.cpp).
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "gingham/base/rng.hpp"
#include "gingham/base/text.hpp"
#include "gingham/penalties/norms.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham::contract {

constexpr double kGapTolerance = 1e-10;   // of ||point|| / step
constexpr double kCostTolerance = 1e-12;  // of the cost at the point

class Violations {
 public:
  void next_case() { seen_in_case_.clear(); }
  // Counts a case once per check, however often it fails it.
  void add(const std::string& check, const std::string& detail) {
    if (seen_in_case_[check]++ == 0) ++cases_[check];
    if (first_.size() < 2000) first_ += check + ": " + detail + "\n";
  }
  Index cases(const std::string& check) const {
    const auto found = cases_.find(check);
    return found == cases_.end() ? 0 : found->second;
  }
  bool none() const { return cases_.empty(); }
  std::string text() const {
    std::string all;
    for (const auto& [check, count] : cases_) all += check + " x " + to_text(count) + "; ";
    return all + "\n" + first_;
  }

 private:
  std::map<std::string, Index> cases_;
  std::map<std::string, int> seen_in_case_;
  std::string first_;
};

struct Case {
  std::vector<double> point;
  double scale = 1.0;
  double step = 1.0;
  // A weight that makes step * weight comparable with the point; now and then 0, or far too large.
  double weight(Rng& rng) const {
    const Index kind = rng.below(12);
    if (kind == 0) return 0.0;
    return (kind == 1 ? 1e6 : 1.0) * std::exp(1.5 * rng.normal()) * scale / step;
  }
};

// Points with ties, zeros, a single nonzero, one value everywhere, entries of very different size.
inline Case random_case(Rng& rng, Index size, double largest_exponent) {
  Case made;
  made.scale = std::pow(10.0, rng.uniform(-largest_exponent, largest_exponent));
  made.step = std::pow(10.0, rng.uniform(-0.3, 0.3) * largest_exponent) * std::exp(rng.normal());
  made.point.resize(static_cast<std::size_t>(size));
  const Index kind = rng.below(10);
  const double same = rng.normal();
  for (double& x : made.point) {
    x = rng.normal();
    if (kind == 0) x = static_cast<double>(rng.below(5) - 2);
    if (kind == 1 && rng.below(2) == 0) x = 0.0;
    if (kind == 2) x = rng.below(2) == 0 ? same : -same;
    if (kind == 3) x = same;
    if (kind == 4) x *= std::pow(10.0, rng.uniform(-8.0, 0.0));
    if (kind == 5) x = 0.0;
    x *= made.scale;
  }
  if (kind == 5 && rng.below(2) == 0) made.point[rng.below(size)] = made.scale;
  return made;
}

template <Penalty P>
std::vector<double> prox_of(const P& penalty, std::vector<double> v, double step) {
  penalty.prox(v, step);
  return v;
}

inline double distance(ConstVec a, ConstVec b) {
  return norms::l2_of(a.size(), [&](std::size_t j) { return a[j] - b[j]; });
}

inline std::string show(ConstVec v) {
  std::string text = "(";
  for (const double x : v) text += to_text(x) + " ";
  return text + ")";
}

// No rival, near or far, is cheaper; the optimality gap is 0.
template <Penalty P>
void check_prox_is_a_minimiser(const P& penalty, const Case& c, int rivals, Rng& rng,
                               Violations& out) {
  const std::size_t n = c.point.size();
  const std::vector<double> best = prox_of(penalty, c.point, c.step);
  const auto cost = [&](ConstVec v) {  // in units of scale^2
    const double away = distance(v, c.point) / c.scale;
    return 0.5 * away * away + penalty.value(v) / c.scale * (c.step / c.scale);
  };
  const double size = norms::l2(c.point) / c.scale;
  const double least = cost(best);
  if (!std::isfinite(least)) out.add("rival", "the prox is outside the domain " + show(best));
  std::vector<double> rival(n);
  for (int trial = 0; trial < rivals; ++trial) {
    const double reach = c.scale * std::pow(10.0, -(trial % 7));
    for (std::size_t j = 0; j < n; ++j) rival[j] = best[j] + reach * rng.normal();
    if (trial % 2 == 1) penalty.prox(rival, 0.0);  // half of the rivals made feasible
    if (trial % 5 == 4) rival.assign(n, 0.0);
    if (!(least <= cost(rival) * (1 + kCostTolerance) + kCostTolerance * size * size)) {
      out.add("rival", show(rival) + " beats " + show(best) + " for " + show(c.point));
    }
  }
  std::vector<double> slope(n);
  for (std::size_t j = 0; j < n; ++j) slope[j] = (best[j] - c.point[j]) / c.step;
  const double gap = penalty.stationarity_gap(best, slope);
  const double allowed = kGapTolerance * norms::l2(c.point) / c.step;
  if (!(gap <= allowed)) {
    out.add("gap", to_text(gap) + " > " + to_text(allowed) + " at " + show(best) + " for " +
                       show(c.point) + " step " + to_text(c.step));
  }
  if constexpr (requires { penalty.swap_gap(best, slope, c.step); }) {
    const double swap = penalty.swap_gap(best, slope, c.step);
    if (!(swap <= kGapTolerance * c.scale)) out.add("swap", to_text(swap) + " at " + show(best));
  }
}

// The gap is a distance: at most ||e|| after an error e in the gradient, and (convex penalties)
// never below the length of the proximal gradient step, ||x - prox(x - eta g, eta)|| / eta.
template <Penalty P>
void check_gap_is_honest(const P& penalty, const Case& c, Rng& rng, Violations& out) {
  const std::size_t n = c.point.size();
  const std::vector<double> x = prox_of(penalty, c.point, c.step);
  const double unit = c.scale / c.step;
  const double reach = unit * std::pow(10.0, -static_cast<double>(rng.below(5)));
  std::vector<double> gradient(n), error(n), moved(n);
  for (std::size_t j = 0; j < n; ++j) {
    error[j] = reach * rng.normal();
    gradient[j] = (x[j] - c.point[j]) / c.step + error[j];
  }
  const double gap = penalty.stationarity_gap(x, gradient);
  const double rounding = kGapTolerance * (norms::l2(c.point) / c.step + norms::l2(gradient));
  if (!(gap <= norms::l2(error) + rounding)) {
    out.add("gap too large", to_text(gap) + " > " + to_text(norms::l2(error)) + " at " + show(x));
  }
  if (!P::traits.convex) return;
  const double eta = c.step * std::pow(10.0, -rng.uniform(0.0, 2.0));
  for (std::size_t j = 0; j < n; ++j) moved[j] = x[j] - eta * gradient[j];
  penalty.prox(moved, eta);
  const double travelled = distance(x, moved) / eta;
  // x - eta g rounds by eps ||x||, which eta makes larger.
  if (!(travelled <= gap + rounding + 1e-14 * norms::l2(x) / eta)) {
    out.add("gap too small", to_text(gap) + " < " + to_text(travelled) + " at " + show(x));
  }
}

template <Penalty P>
void check_step_zero(const P& penalty, const Case& c, Violations& out) {
  const std::vector<double> inside = prox_of(penalty, c.point, 0.0);
  const double value = penalty.value(inside);
  if (!std::isfinite(value)) out.add("step 0", "leaves the domain " + show(inside));
  if (prox_of(penalty, inside, 0.0) != inside) out.add("step 0", "moves a point of the domain");
  if (std::isfinite(penalty.value(c.point)) && inside != c.point) {
    out.add("step 0", "moves the feasible " + show(c.point));
  }
}

template <Penalty P>
void check_non_expansive(const P& penalty, const Case& c, Rng& rng, Violations& out) {
  if (!P::traits.convex) return;
  std::vector<double> other(c.point);
  const double reach = c.scale * std::pow(10.0, -static_cast<double>(rng.below(6)));
  for (double& x : other) x += reach * rng.normal();
  const double before = distance(c.point, other);
  const double after = distance(prox_of(penalty, c.point, c.step), prox_of(penalty, other, c.step));
  if (!(after <= before + 1e-13 * (norms::l2(c.point) + norms::l2(other)))) {
    out.add("non-expansive", to_text(after) + " > " + to_text(before));
  }
}

template <Penalty P>
void check_values_and_traits(const P& penalty, const Case& c, Rng& rng, Violations& out) {
  const std::vector<double> best = prox_of(penalty, c.point, c.step);
  const double before = penalty.value(c.point);
  const double after = penalty.value(best);
  if (!(after <= before + kCostTolerance * (c.scale * (c.scale / c.step)))) {
    out.add("value rises", to_text(before) + " to " + to_text(after));
  }
  if (!(after >= 0.0)) out.add("value negative", to_text(after));
  if (P::traits.indicator) {
    if (prox_of(penalty, best, c.step) != best) out.add("idempotent", show(best));
    if (after != 0.0) out.add("indicator", to_text(after));
  }
  if (P::traits.nonnegative && norms::any_negative(best)) out.add("nonnegative", show(best));
  if (P::traits.homogeneous) {
    std::vector<double> twice(best);
    for (double& x : twice) x *= 2.0;
    if (!(std::abs(penalty.value(twice) - 2.0 * after) <= 1e-12 * after)) {
      out.add("homogeneous", show(best));
    }
  }
  if (P::traits.separable()) {
    for (std::size_t j = 0; j < c.point.size(); ++j) {
      if (prox_of(penalty, {c.point[j]}, c.step)[0] != best[j]) {
        out.add("neighbours", "entry " + to_text(static_cast<Index>(j)) + " of " + show(c.point));
      }
    }
  }
  std::vector<double> zero(c.point.size(), 0.0);
  if (prox_of(penalty, zero, c.step) != zero) out.add("zero moves", show(zero));

  const Index at = rng.below(static_cast<Index>(c.point.size()));
  for (const double bad : {std::nan(""), kInfinity, -kInfinity}) {
    std::vector<double> spoilt(c.point);
    spoilt[at] = bad;
    try {
      penalty.prox(spoilt, c.step);
      out.add("NaN accepted", to_text(bad));
    } catch (const Error&) {
      spoilt[at] = c.point[at];
      if (spoilt != c.point) out.add("NaN accepted", "the point was changed before the refusal");
    }
  }
  for (const double bad : {std::nan(""), kInfinity, -1.0}) {
    try {
      prox_of(penalty, c.point, bad);
      out.add("bad step accepted", to_text(bad));
    } catch (const Error&) {
    }
  }
}

// make(rng, case) gives a penalty whose weights suit the case.
template <class Make>
Violations check_penalty(const char* name, const Make& make, Index cases, int rivals = 8,
                         double largest_exponent = 100.0, Index largest_size = 12) {
  Violations out;
  Rng rng = Rng::named(20, name);
  for (Index k = 0; k < cases; ++k) {
    out.next_case();
    const Index size = 1 + rng.below(largest_size);
    // A third of the cases at ordinary scales, where bounds like 1 can matter.
    const Case c = random_case(rng, size, k % 3 == 0 ? 1.0 : largest_exponent);
    const auto penalty = make(rng, c);
    check_prox_is_a_minimiser(penalty, c, rivals, rng, out);
    check_gap_is_honest(penalty, c, rng, out);
    check_step_zero(penalty, c, out);
    check_non_expansive(penalty, c, rng, out);
    check_values_and_traits(penalty, c, rng, out);
  }
  return out;
}

// Only what a million cases have time for: the gap, no rivals.
template <class Make>
Violations check_gaps(const char* name, const Make& make, Index cases) {
  Violations out;
  Rng rng = Rng::named(21, name);
  for (Index k = 0; k < cases; ++k) {
    out.next_case();
    const Case c = random_case(rng, 1 + rng.below(8), 100.0);
    check_prox_is_a_minimiser(make(rng, c), c, 0, rng, out);
  }
  return out;
}

}  // namespace gingham::contract
