#include "gingham/methods/nonnegative/side_penalties.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/nonnegative/group_prox.hpp"

namespace gingham::methods::nonnegative {
namespace {

// Sums of squares in this range are right to rounding.
constexpr double kTight = 1e-8;  // of a smallest weight
constexpr double kSlow = 1e-6;
constexpr double kSafeLow = 1e-280, kSafeHigh = 1e280;

template <class T>
double careful_length(std::span<const Index> items, const DenseMatrix<T>& f, Index k) {
  std::vector<double> entries;
  for (const Index item : items) entries.push_back(static_cast<double>(f(item, k)));
  return norm2(entries);
}

}  // namespace

template <class T>
Matrix group_norms(const SideRules& rules, const DenseMatrix<T>& f) {
  Matrix norms(rules.groups->count(), f.cols());
  for (Index g = 0; g < norms.rows(); ++g) {
    const Vec line = norms.row(g);
    for (const Index item : rules.groups->members(g)) {
      for (Index k = 0; k < f.cols(); ++k) {
        const auto value = static_cast<double>(f(item, k));
        line[k] = rules.is_max_norm ? std::max(line[k], value) : line[k] + value * value;
      }
    }
    if (rules.is_max_norm) continue;
    for (Index k = 0; k < f.cols(); ++k)
      line[k] = line[k] > kSafeLow && line[k] < kSafeHigh
                    ? std::sqrt(line[k])
                    : careful_length(rules.groups->members(g), f, k);
  }
  return norms;
}

template <class T>
std::vector<double> group_costs(const SideRules& rules, const DenseMatrix<T>& f) {
  std::vector<double> costs(static_cast<std::size_t>(f.cols()), 0.0);
  if (!rules.has_group_penalty()) return costs;
  const Matrix norms = group_norms(rules, f);
  for (Index g = 0; g < norms.rows(); ++g) {
    for (Index k = 0; k < norms.cols(); ++k) costs[k] += rules.beta[g] * norms(g, k);
  }
  return costs;
}

template <class T>
double cross_cost(const SideRules& rules, const DenseMatrix<T>& f) {
  double total = 0.0;
  for (Index i = 0; i < f.rows(); ++i) {
    double sum = 0.0;
    for (const T x : f.row(i)) sum += static_cast<double>(x);
    total += sum * sum;
  }
  return rules.cross * total;
}

// |b_+ over g|_q* / beta_g at most; that is it where groups do not overlap. Otherwise by bisection.
double smallest_zero(const SideRules& rules, ConstVec b) {
  double largest = 0.0;
  for (const ConnectedSet& set : rules.groups->connected_sets()) {
    double high = 0.0;
    for (const Index g : set.groups) {
      if (!(rules.beta[g] > 0.0)) continue;
      std::vector<double> own;
      for (const Index item : rules.groups->members(g)) own.push_back(std::max(b[item], 0.0));
      high = std::max(high, (rules.is_max_norm ? sum(own) : norm2(own)) / rules.beta[g]);
    }
    if (high <= largest) continue;
    double low = largest;
    const auto is_zero_at = [&](double factor) {
      std::vector<double> beta, z;
      for (const double one : rules.beta) beta.push_back(factor * one);
      for (const Index item : set.items) z.push_back(b[item]);
      GroupProx penalty(*rules.groups, set, beta,
                        rules.is_max_norm ? GroupNorm::infinity : GroupNorm::two);
      penalty.prox(z, 1.0);
      return penalty.value(z) == 0.0;
    };
    while (set.groups.size() > 1 && high - low > kTight * high) {
      const double middle = low + 0.5 * (high - low);
      (is_zero_at(middle) ? high : low) = middle;
    }
    // The minimiser over groups that overlap is found by steps, which are slow where it is nearly
    // 0.
    largest = rules.groups->is_laminar() ? high : high * (1.0 + kSlow);
  }
  return largest;
}

std::vector<double> costs(const SideRules& rules, const Matrix& f) {
  std::vector<double> all = group_costs(rules, f);
  if (!(rules.ridge > 0.0 || rules.cross > 0.0)) return all;
  for (Index i = 0; i < f.rows(); ++i) {
    const double total = sum(f.row(i));
    for (Index k = 0; k < f.cols(); ++k)
      all[k] += rules.ridge * f(i, k) * f(i, k) + rules.cross * f(i, k) * (2.0 * total - f(i, k));
  }
  return all;
}

template std::vector<double> group_costs(const SideRules&, const Matrix&);
template std::vector<double> group_costs(const SideRules&, const MatrixF&);
template Matrix group_norms(const SideRules&, const Matrix&);
template Matrix group_norms(const SideRules&, const MatrixF&);
template double cross_cost(const SideRules&, const Matrix&);
template double cross_cost(const SideRules&, const MatrixF&);

}  // namespace gingham::methods::nonnegative
