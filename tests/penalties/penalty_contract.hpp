// What every penalty promises, checked on random problems at all scales. The checks return
// violations instead of asserting, so that wrong penalties can be fed to them and must be caught
// (mutants_test.cpp).
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gingham/base/rng.hpp"
#include "gingham/base/text.hpp"
#include "gingham/penalties/entry_rule.hpp"

namespace gingham::contract {

using Values = std::vector<double>;
using Real = long double;

class Violations {
 public:
  void next_case() { seen_in_case_.clear(); }
  // Counts a case once per check, however often it fails it.
  void add(const std::string& check, const std::string& detail) {
    if (seen_in_case_[check]++ == 0) ++cases_[check];
    if (first_.size() < 2000) first_ += check + ": " + detail + "\n";
  }
  const std::map<std::string, Index>& cases() const { return cases_; }
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

// A problem: b and h, one curvature for all or one each, some of them 0.
struct Case {
  Values b, each;  // `each` is empty where one curvature serves all
  double even = 1.0;
  double scale = 1.0;  // of z
  double steep = 1.0;  // of h

  Curvature h() const { return each.empty() ? Curvature(even) : Curvature(each); }
  bool has_holes() const { return std::find(each.begin(), each.end(), 0.0) != each.end(); }
  // A weight that is comparable with b; now and then 0, or far too large.
  double weight(Rng& rng) const {
    const Index kind = rng.below(12);
    if (kind == 0) return 0.0;
    return (kind == 1 ? 1e6 : 1.0) * std::exp(1.5 * rng.normal()) * scale * steep;
  }
  // The same for a weight of squares.
  double square_weight(Rng& rng) const { return weight(rng) / scale; }
};

// Points with ties, zeros, a single nonzero, one value everywhere, entries of very different size.
inline Case random_case(Rng& rng, Index size, double largest_exponent) {
  Case made;
  made.scale = std::pow(10.0, rng.uniform(-largest_exponent, largest_exponent));
  made.steep = std::pow(10.0, rng.uniform(-0.3, 0.3) * largest_exponent);
  made.even = made.steep * std::exp(rng.normal());
  made.b.resize(static_cast<std::size_t>(size));
  const Index kind = rng.below(10);
  const double same = rng.normal();
  for (double& x : made.b) {
    x = rng.normal();
    if (kind == 0) x = static_cast<double>(rng.below(5) - 2);
    if (kind == 1 && rng.below(2) == 0) x = 0.0;
    if (kind == 2) x = rng.below(2) == 0 ? same : -same;
    if (kind == 3) x = same;
    if (kind == 4) x *= std::pow(10.0, rng.uniform(-8.0, 0.0));
    if (kind == 5) x = 0.0;
    x *= made.scale * made.even;
  }
  if (kind == 5 && rng.below(2) == 0) made.b[rng.below(size)] = made.scale * made.even;
  if (rng.below(2) == 0) {
    const bool has_holes = rng.below(2) == 0;
    made.each.resize(made.b.size());
    for (std::size_t j = 0; j < made.b.size(); ++j) {
      const double ratio = std::exp(rng.normal());
      made.each[j] = made.even * ratio;
      made.b[j] *= ratio;
      if (has_holes && rng.below(3) == 0) made.each[j] = made.b[j] = 0.0;
    }
  }
  return made;
}

inline Values minimiser_of(const Penalty& penalty, const Case& c) {
  Values z(c.b.size(), 0.0);
  penalty.minimise(c.b, c.h(), z);
  return z;
}

inline std::string show(ConstVec v) {
  std::string text = "(";
  for (const double x : v) text += to_text(x) + " ";
  return text + ")";
}

inline double size_of(const Case& c) {  // of the least objective: sum b^2 / h
  double sum = 0.0;
  for (std::size_t j = 0; j < c.b.size(); ++j) {
    if (c.h()[j] > 0.0) sum += std::abs(c.b[j]) * (std::abs(c.b[j]) / c.h()[j]) / c.scale / c.scale;
  }
  return sum / c.even;
}

// No rival, near or far, is cheaper: along single entries, along z itself, along pairs, and at
// random, at distances that see an error of 1e-6 in a slope.
inline void check_rivals(const Penalty& penalty, const Case& c, int trials, Rng& rng,
                         Violations& out) {
  const std::size_t n = c.b.size();
  const Curvature h = c.h();
  const Values best = minimiser_of(penalty, c);
  const double unit = c.scale * c.scale * c.even;
  const double at_best = penalty.value(best, h);
  if (!std::isfinite(at_best)) {
    out.add("domain", "the minimiser is outside " + show(best) + " for " + show(c.b));
    return;
  }
  // What the rival costs more, in long double as far as the quadratic goes.
  const auto excess = [&](const Values& rival) {
    Real more = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      const Real step = static_cast<Real>(rival[j]) - best[j];
      more += step * (static_cast<Real>(h[j]) * (best[j] + 0.5L * step) - c.b[j]);
    }
    const double value = penalty.value(rival, h);
    if (value == kInfinity) return kInfinity;
    return static_cast<double>((more + (static_cast<Real>(value) - at_best)) / unit);
  };
  double size = size_of(c) + std::abs(at_best) / unit;
  for (std::size_t j = 0; j < n; ++j) size += h[j] * best[j] * best[j] / unit;
  double tolerance = 2e-15 * static_cast<double>(n + 1) * (size + 1e-290);
  if (penalty.traits().is_bounded) {  // a rival may lie outside the domain by its tolerance
    constexpr double kBoundary = 1e-12;
    for (std::size_t j = 0; j < n; ++j) tolerance += kBoundary * std::abs(c.b[j] * best[j]) / unit;
  }
  const auto look = [&](const Values& rival) {
    const double more = excess(rival);
    if (more < -tolerance)
      out.add("rival", show(rival) + " beats " + show(best) + " for b " + show(c.b) + " h " +
                           (c.each.empty() ? to_text(c.even) : show(c.each)) + " by " +
                           to_text(more / size));
  };
  double length = 0.0;
  for (const double x : best) length = std::max(length, std::abs(x));
  if (length == 0.0) length = c.scale;
  for (int trial = 0; trial < trials; ++trial) {
    const double reach = length * std::pow(10.0, -(trial % 8));
    const double sign = rng.below(2) == 0 ? 1.0 : -1.0;
    const auto i = static_cast<std::size_t>(rng.below(static_cast<Index>(n)));
    const auto j = static_cast<std::size_t>(rng.below(static_cast<Index>(n)));
    Values rival = best;
    if (h[i] > 0.0) rival[i] += sign * reach;
    look(rival);
    if (h[j] > 0.0 && i != j) {
      rival[j] -= sign * reach;
      look(rival);
    }
    rival = best;
    for (double& x : rival) x *= 1.0 + sign * std::pow(10.0, -(trial % 8));
    look(rival);
    for (std::size_t k = 0; k < n; ++k)
      rival[k] = best[k] + (h[k] > 0.0 ? reach * rng.normal() : 0.0);
    look(rival);
    std::sort(rival.begin(), rival.end());  // monotone, for penalties along the order
    look(rival);
    // A stretch of entries moved together.
    rival = best;
    for (std::size_t k = std::min(i, j); k <= std::max(i, j); ++k) rival[k] += sign * reach;
    look(rival);
    // A feasible point nearby, by the penalty's own minimiser of another problem.
    Case other = c;
    for (std::size_t k = 0; k < n; ++k) other.b[k] += h[k] * reach * rng.normal();
    look(minimiser_of(penalty, other));
  }
  if (penalty.traits().has_zero) look(Values(n, 0.0));
}

inline double distance(ConstVec a, ConstVec b, Curvature h) {
  return norms::l2_of(a.size(), [&](std::size_t j) { return std::sqrt(h[j]) * (a[j] - b[j]); });
}

// sum_j ( h_j z_j^2 / 2 - b_j z_j )
inline double quadratic_value(ConstVec z, ConstVec b, Curvature h) {
  double sum = 0.0;
  for (std::size_t j = 0; j < z.size(); ++j) sum += z[j] * (0.5 * h[j] * z[j] - b[j]);
  return sum;
}

inline void check_gap(const Penalty& penalty, const Case& c, Rng& rng, Violations& out) {
  const Curvature h = c.h();
  const Values best = minimiser_of(penalty, c);
  const double unit = c.scale * std::sqrt(c.even) * std::sqrt(size_of(c) + 1e-300);
  const double gap = penalty.gap(best, c.b, h);
  if (!(gap <= 1e-7 * unit))
    out.add("gap", to_text(gap / unit) + " at the minimiser " + show(best));
  // Away from it the gap is at least the distance (convex), or the excess (not convex).
  Values away = best;
  const double reach = c.scale * std::pow(10.0, -static_cast<double>(rng.below(4)));
  for (std::size_t j = 0; j < away.size(); ++j) away[j] += h[j] > 0.0 ? reach * rng.normal() : 0.0;
  Case other = c;
  for (std::size_t j = 0; j < away.size(); ++j) other.b[j] += h[j] * (away[j] - best[j]);
  away = minimiser_of(penalty, other);  // feasible
  const double at = penalty.gap(away, c.b, h);
  const double far = distance(away, best, h);
  if (penalty.traits().is_convex && !(at >= far * (1 - 1e-9) - 1e-12 * unit))
    out.add("gap too small", to_text(at) + " < " + to_text(far));
  const double more = quadratic_value(away, c.b, h) + penalty.value(away, h) -
                      quadratic_value(best, c.b, h) - penalty.value(best, h);
  if (!penalty.traits().is_convex && !(at * at >= 2.0 * more * (1 - 1e-6) - 1e-10 * unit * unit))
    out.add("gap too small", to_text(at * at / 2) + " < " + to_text(more));
}

inline bool are_close(ConstVec a, ConstVec b, double tolerance) {
  const double unit = std::max(norms::linf(a), norms::linf(b));
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (!(std::abs(a[j] - b[j]) <= tolerance * unit)) return false;
  }
  return true;
}

inline void check_consistency(const Penalty& penalty, const Case& c, Violations& out) {
  const std::size_t n = c.b.size();
  const Values best = minimiser_of(penalty, c);
  const PenaltyTraits traits = penalty.traits();
  Values in_place = c.b;
  penalty.minimise(in_place, c.h(), in_place);
  if (in_place != best) out.add("in place", show(in_place) + " instead of " + show(best));
  if (c.each.empty()) {
    Case same = c;
    same.each.assign(n, c.even);
    const Values weighted = minimiser_of(penalty, same);
    const double tie = traits.is_convex ? 1e-9 : 1e-7;
    if (!are_close(weighted, best, tie) &&
        !(std::abs(penalty.gap(weighted, c.b, c.h())) <=
          1e-7 * c.scale * std::sqrt(c.even) * std::sqrt(size_of(c))))
      out.add("scalar h", show(weighted) + " instead of " + show(best));
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (c.h()[j] == 0.0 && !traits.is_ordered && best[j] != 0.0) out.add("unobserved", show(best));
    if (traits.is_separable) {
      Case alone = c;
      alone.b = {c.b[j]};
      if (!c.each.empty()) alone.each = {c.each[j]};
      if (minimiser_of(penalty, alone)[0] != best[j]) out.add("neighbours", show(best));
    }
  }
  if (traits.is_nonnegative && *std::min_element(best.begin(), best.end()) < 0.0)
    out.add("nonnegative", show(best));
  const double value = penalty.value(best, c.h());
  Values twice = best;
  for (double& x : twice) x *= 2.0;
  const double doubled = penalty.value(twice, c.h());
  if (traits.is_homogeneous && !(std::abs(doubled - 2.0 * value) <= 1e-12 * value))
    out.add("homogeneous", show(best));
  if (!traits.has_weight && value != 0.0) out.add("weight", show(best));
  if (!traits.has_weight && !traits.has_free_columns) out.add("free columns", show(best));
  if (!traits.has_free_columns && norms::linf(best) > 0.0 && c.each.empty() && !(value > 0.0))
    out.add("a column costs nothing", show(best));
  if (traits.is_scale_free && traits.has_weight) out.add("scale-free with a weight", show(best));
  if (traits.is_scale_free && doubled != value) out.add("scale-free", show(best));
  if (!(value >= 0.0)) out.add("value negative", to_text(value));
  const double tripled = penalty.times(3.0)->value(best, c.h());
  if (!(std::abs(tripled - 3.0 * value) <= 1e-12 * value)) out.add("times", show(best));
  if (traits.has_zero) {
    Case nothing = c;
    nothing.b.assign(n, 0.0);
    if (norms::linf(minimiser_of(penalty, nothing)) != 0.0) out.add("zero moves", show(best));
  }
  // One more quadratic around the minimiser does not move it.
  if (traits.is_convex && c.each.empty()) {
    Case more = c;
    more.even = 2.0 * c.even;
    for (std::size_t j = 0; j < n; ++j) more.b[j] += c.even * best[j];
    if (std::isfinite(norms::linf(more.b)) &&
        distance(minimiser_of(penalty, more), best, 1.0) >
            1e-9 * (norms::l2(best) + norms::l2(c.b) / c.even))
      out.add("moves", show(best));
  }
  for (const double bad : {std::nan(""), kInfinity, -kInfinity}) {
    Values spoilt = c.b, z(n, 7.0);
    spoilt[n / 2] = bad;
    try {
      penalty.minimise(spoilt, c.h(), z);
      out.add("NaN accepted", to_text(bad));
    } catch (const Error&) {
      if (z != Values(n, 7.0)) out.add("NaN accepted", "z was changed before the refusal");
    }
  }
  try {
    Values z(n, 0.0);
    penalty.minimise(c.b, -1.0, z);
    out.add("NaN accepted", "a negative curvature");
  } catch (const Error&) {
  }
}

using Make = std::function<std::unique_ptr<Penalty>(Rng&, const Case&)>;

inline Violations check_penalty(const std::string& name, const Make& make, Index cases, int rivals,
                                double largest_exponent = 40.0, Index largest_size = 10) {
  Violations out;
  Rng rng = Rng::named(20, name);
  for (Index k = 0; k < cases; ++k) {
    out.next_case();
    const Index size = 1 + rng.below(largest_size);
    // A third of the cases at ordinary scales, where bounds like 1 can matter.
    const Case c = random_case(rng, size, k % 3 == 0 ? 0.5 : largest_exponent);
    const std::unique_ptr<Penalty> penalty = make(rng, c);
    check_rivals(*penalty, c, rivals, rng, out);
    check_gap(*penalty, c, rng, out);
    check_consistency(*penalty, c, out);
  }
  return out;
}

// make(weight): at smallest_zero the minimiser is all zero (constant, where the penalty is one of
// differences), and just below it is not.
using WithWeight = std::function<std::unique_ptr<Penalty>(double weight)>;
inline void check_smallest_zero(const WithWeight& make, const Case& c, bool is_constant,
                                Violations& out) {
  const double most = make(1.0)->smallest_zero(c.b, c.h());
  if (!(most >= 0.0) || !std::isfinite(most)) return out.add("smallest zero", to_text(most));
  const auto is_gone = [&](double weight) {
    const Values z = minimiser_of(*make(weight), c);
    Values seen;  // entries that were observed
    for (std::size_t j = 0; j < z.size(); ++j) {
      if (c.h()[j] > 0.0) seen.push_back(z[j]);
    }
    const double target = is_constant && !seen.empty() ? seen[0] : 0.0;
    return std::all_of(seen.begin(), seen.end(), [&](double x) {
      return is_constant ? std::abs(x - target) <= 1e-13 * std::abs(target) : x == target;
    });
  };
  if (!is_gone(most * (1.0 + 1e-8)))
    out.add("smallest zero too small",
            show(c.b) + show(c.each) + to_text(most) + (is_constant ? " constant" : ""));
  if (most > 1e-12 * norms::linf(c.b) && is_gone(most * (1.0 - 1e-5)))
    out.add("smallest zero too large",
            show(c.b) + show(c.each) + to_text(most) + (is_constant ? " constant" : ""));
}

}  // namespace gingham::contract
