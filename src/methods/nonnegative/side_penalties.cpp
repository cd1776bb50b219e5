#include "gingham/methods/nonnegative/side_penalties.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::nonnegative {
namespace {

// Sums of squares in this range are right to rounding.
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

template std::vector<double> group_costs(const SideRules&, const Matrix&);
template std::vector<double> group_costs(const SideRules&, const MatrixF&);
template Matrix group_norms(const SideRules&, const Matrix&);
template Matrix group_norms(const SideRules&, const MatrixF&);
template double cross_cost(const SideRules&, const Matrix&);
template double cross_cost(const SideRules&, const MatrixF&);

}  // namespace gingham::methods::nonnegative
