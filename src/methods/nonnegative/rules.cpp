#include "gingham/methods/nonnegative/rules.hpp"

#include <algorithm>

#include "gingham/kernels/copies.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/penalties/in_ball.hpp"

namespace gingham::methods::nonnegative {

void SideRules::set_penalty(std::shared_ptr<const Penalty> asked) {
  penalty = std::move(asked);
  if (holds_length) penalty = std::make_shared<InBall>(penalty);
}

void SideRules::set_beta(double number) {
  beta = number;
  penalty = std::make_shared<Separable>(kNonneg);
  if (!has_group_penalty()) return;
  penalty = std::make_shared<GroupNorms>(
      groups, number, is_max_norm ? GroupNorm::infinity : GroupNorm::two, kNonneg, factors);
}

bool SideRules::has_group_penalty() const {
  return groups != nullptr && beta > 0.0 &&
         std::any_of(factors.begin(), factors.end(), [](double one) { return one > 0.0; });
}

void columns_to_domain(const SideRules& rules, Matrix& f) {
  if (!rules.penalty->traits().is_bounded) return;
  Matrix columns = transposed(f);
  for (Index k = 0; k < f.cols(); ++k) to_domain(*rules.penalty, columns.row(k));
  f = transposed(columns);
}

template <class T>
std::vector<double> column_costs(const SideRules& rules, const DenseMatrix<T>& f, ConstVec observed,
                                 Matrix& columns) {
  std::vector<double> costs(static_cast<std::size_t>(f.cols()), 0.0);
  if (rules.penalty->traits().is_scale_free) return costs;
  transpose(f, columns);
  for (Index k = 0; k < f.cols(); ++k) {
    if (!std::is_same_v<T, double>) to_domain(*rules.penalty, columns.row(k));
    costs[k] = rules.penalty->value(std::as_const(columns).row(k), observed);
  }
  return costs;
}

template <class T>
std::vector<Degrees> degrees(const SideRules& rules, ConstVec costs, const DenseMatrix<T>& f,
                             ConstVec observed) {
  std::vector<Degrees> found(static_cast<std::size_t>(f.cols()));
  if (!rules.penalty->traits().charges_length()) return found;
  const bool is_homogeneous = rules.penalty->traits().is_homogeneous;
  Matrix columns;
  if (!is_homogeneous) transpose(f, columns);
  for (Index k = 0; k < f.cols(); ++k) {
    found[k].one = costs[k];
    if (is_homogeneous) continue;
    scale(2.0, columns.row(k));  // g = one + two becomes 2 one + 4 two
    found[k].two = 0.5 * rules.penalty->value(columns.row(k), observed) - found[k].one;
    found[k].one -= found[k].two;
  }
  return found;
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

template <class T>
std::vector<double> savings(const SideRules& rules, ConstVec costs, const DenseMatrix<T>& f) {
  std::vector<double> all(costs.begin(), costs.end());
  for (Index i = 0; rules.cross > 0.0 && i < f.rows(); ++i) {
    double total = 0.0;
    for (const T x : f.row(i)) total += static_cast<double>(x);
    for (Index k = 0; k < f.cols(); ++k) {
      const auto own = static_cast<double>(f(i, k));
      all[k] += rules.cross * own * (2.0 * total - own);
    }
  }
  return all;
}

Matrix group_norms(const SideRules& rules, const Matrix& f) {
  Matrix norms(rules.groups->count(), f.cols());
  std::vector<double> own;
  for (Index g = 0; g < norms.rows(); ++g) {
    for (Index k = 0; k < f.cols(); ++k) {
      own.clear();
      for (const Index item : rules.groups->members(g)) own.push_back(f(item, k));
      norms(g, k) = rules.is_max_norm ? max_abs(own) : norm2(own);
    }
  }
  return norms;
}

template std::vector<double> column_costs(const SideRules&, const Matrix&, ConstVec, Matrix&);
template std::vector<double> column_costs(const SideRules&, const MatrixF&, ConstVec, Matrix&);
template std::vector<Degrees> degrees(const SideRules&, ConstVec, const Matrix&, ConstVec);
template std::vector<Degrees> degrees(const SideRules&, ConstVec, const MatrixF&, ConstVec);
template std::vector<double> savings(const SideRules&, ConstVec, const Matrix&);
template std::vector<double> savings(const SideRules&, ConstVec, const MatrixF&);
template double cross_cost(const SideRules&, const Matrix&);
template double cross_cost(const SideRules&, const MatrixF&);

}  // namespace gingham::methods::nonnegative
