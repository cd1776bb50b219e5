#include "gingham/methods/tensor/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/methods/tensor/transform_row.hpp"
#include "gingham/methods/tensor/transform_slices.hpp"

namespace gingham::methods::tensor {
namespace {

constexpr double kTolerance = 1e-10;
constexpr Index kMaxPasses = 100'000;

template <class T>
const T* find_array(const Model& fitted, const std::string& name) {
  for (const NamedArray& array : fitted.arrays) {
    if (array.name == name) return std::get_if<T>(&array.values);
  }
  return nullptr;
}

[[noreturn]] void refuse_array(const std::string& name) {
  throw Error(ErrorCode::input, name, "is missing from the result or does not fit the data");
}

// The number that was used for a penalty: that of this mode, or the one for all.
double used_number(const Options& options, const Model& fitted, const std::string& option,
                   Index mode) {
  const auto at = static_cast<std::size_t>(mode);
  for (const UsedValues& used : fitted.used) {
    if (used.option == option && !used.values.empty())
      return used.values[std::min(at, used.values.size() - 1)];
  }
  if (options.given(option)) {
    const std::vector<PenaltyValue>& given = options.penalties(option);
    const PenaltyValue& own = given[std::min(at, given.size() - 1)];
    if (own.kind == PenaltyValue::Kind::number) return own.number;
  }
  throw Error(ErrorCode::input, option, "the result does not say which number was used");
}

struct Fixed {
  std::vector<Matrix> factors;  // of the other modes, the weights and 1/scale multiplied into one
  std::vector<double> least;    // per component: smaller entries are pruned
  double lambda = 0.0;          // over scale^2
  double low = 0.0, high = 1.0;
  // The size of the model's values, a power of two: data and model are divided by it, so that
  // squares of very large or small data stay in range.
  double scale = 1.0;
};

double largest(const Matrix& x) {
  double most = 0.0;
  for (const double value : x.values()) most = std::max(most, std::abs(value));
  return most;
}

// max rho * product of max |A|, as a power of two.
double model_scale(const std::vector<double>& weights, const std::vector<Matrix>& factors) {
  constexpr int kMaxExponent = 1000;
  double exponent = 0.0, most = 0.0;
  for (const double weight : weights) most = std::max(most, std::abs(weight));
  exponent += std::log2(most);
  for (const Matrix& factor : factors) {
    if (factor.size() > 0) exponent += std::log2(largest(factor));
  }
  if (!std::isfinite(exponent)) return 1.0;  // the model is all zero
  return std::ldexp(1.0, static_cast<int>(std::clamp(std::floor(exponent), -1.0 * kMaxExponent,
                                                     1.0 * kMaxExponent)));
}

std::vector<double> fitted_weights(const Options& options, const Model& fitted, Index rank) {
  if (options.text("model") == "plain")
    return std::vector<double>(static_cast<std::size_t>(rank), 1.0);
  const auto* weights = find_array<std::vector<double>>(fitted, "weights");
  if (weights == nullptr || std::ssize(*weights) != rank) refuse_array("weights");
  return *weights;
}

Fixed fixed_part(const Block& fresh, const Options& options, const Model& fitted, Index mode) {
  Fixed fixed;
  Index rank = -1;
  for (Index m = 0; m < fresh.modes(); ++m) {
    const std::string name = fmt::format("mode_{}", m);
    const auto* factor = find_array<Matrix>(fitted, name);
    if (factor == nullptr || (rank >= 0 && factor->cols() != rank)) refuse_array(name);
    rank = factor->cols();
    if (m != mode && factor->rows() != fresh.shape()[m]) refuse_array(name);
    if (m != mode) {
      fixed.factors.push_back(*factor);
      continue;
    }
    fixed.factors.emplace_back();
    const double prune = used_number(options, fitted, "prune", 0);
    fixed.least.assign(static_cast<std::size_t>(rank), 0.0);
    for (Index i = 0; i < factor->rows(); ++i) {
      for (Index k = 0; k < rank; ++k)
        fixed.least[k] = std::max(fixed.least[k], prune * std::abs((*factor)(i, k)));
    }
  }
  const std::vector<double> weights = fitted_weights(options, fitted, rank);
  fixed.scale = model_scale(weights, fixed.factors);
  Matrix& first = fixed.factors[mode == 0 ? 1 : 0];
  for (Index i = 0; i < first.rows(); ++i) {
    for (Index k = 0; k < rank; ++k) first(i, k) *= weights[k] / fixed.scale;
  }
  fixed.lambda = used_number(options, fitted, "sparsity", mode) / fixed.scale / fixed.scale;
  if (options.text("model") == "plain") fixed.high = std::numeric_limits<double>::infinity();
  if (options.flag("signed")) fixed.low = -fixed.high;
  return fixed;
}

struct RowTerms {
  double loss = 0.0, penalty = 0.0, gap_squares = 0.0;
};

RowTerms solve_row(const RowProblem& problem, const Fixed& fixed, double squares, Vec a) {
  std::vector<char> may_differ(a.size(), 1);
  double gap = minimise_row(problem, may_differ, kTolerance, kMaxPasses, a);
  bool is_pruned = false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] == 0.0 || std::abs(a[k]) >= fixed.least[k]) {
      may_differ[k] = a[k] != 0.0 ? 1 : 0;
      continue;
    }
    a[k] = 0.0;
    may_differ[k] = 0;
    is_pruned = true;
  }
  if (is_pruned) gap = minimise_row(problem, may_differ, kTolerance, kMaxPasses, a);
  RowTerms terms;
  terms.loss = std::max(squares + fit_of_row(problem, a), 0.0);
  for (const double value : a) terms.penalty += problem.lambda * std::abs(value);
  terms.gap_squares = gap * gap * squares;
  return terms;
}

std::string mode_name(const Model& fitted, Index mode) {
  const auto at = static_cast<std::size_t>(mode);
  return at < fitted.memberships.size() ? fitted.memberships[at].mode
                                        : fmt::format("mode_{}", mode);
}

Terms total_terms(const std::vector<RowTerms>& rows, const std::vector<double>& squares,
                  double scale, const std::string& name) {
  double loss = 0.0, penalty = 0.0, gap_squares = 0.0, all_squares = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    loss += rows[i].loss;
    penalty += rows[i].penalty;
    gap_squares += rows[i].gap_squares;
    all_squares += squares[i];
  }
  Terms terms;
  terms.loss = loss * scale * scale;
  terms.penalties = {{"sparsity", penalty * scale * scale}};
  terms.gaps = {{name, gap_squares > 0.0 ? std::sqrt(gap_squares / all_squares) : gap_squares}};
  return terms;
}

std::vector<std::string> notes_on(const Matrix& factor, const std::vector<char>& has_some) {
  std::vector<std::string> notes;
  const auto n_empty = std::count(has_some.begin(), has_some.end(), 0);
  if (n_empty > 0)
    notes.push_back(
        fmt::format("{} new items have no observed value; they belong to nothing", n_empty));
  Index n_outside = 0;
  for (Index i = 0; i < factor.rows(); ++i) {
    const ConstVec row = factor.row(i);
    n_outside += std::all_of(row.begin(), row.end(), [](double a) { return a == 0.0; }) ? 1 : 0;
  }
  if (n_outside > n_empty)
    notes.push_back(
        fmt::format("{} of {} new items are in no co-cluster", n_outside, factor.rows()));
  return notes;
}

}  // namespace

Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx) {
  const Block& block = fresh.block(0);
  const Fixed fixed = fixed_part(block, options, fitted, mode);
  ctx.phase("slices");
  const Slices slices(block, mode, fixed.factors, 1.0 / fixed.scale, ctx.executor());
  const Index n = slices.count(), rank = slices.rank();
  const auto size = static_cast<std::size_t>(n);
  Matrix y(n, rank), factor(n, rank);
  std::vector<double> squares(size, 0.0);
  std::vector<char> has_some(size), has_all(size);
  std::vector<RowTerms> rows(size);
  double* sums = y.data();
  ctx.executor().map(slices.n_blocks(), [&](Index part) {
    const Index begin = slices.begin(part), end = slices.end(part);
    slices.add(begin, end, sums, squares.data(), has_some.data(), has_all.data());
    Matrix own;
    for (Index i = begin; i < end; ++i) {
      if (has_all[i] == 0) slices.gram_of(i, own);
      const RowProblem problem{.q = has_all[i] == 0 ? own : slices.full_gram(),
                               .y = {sums + i * rank, static_cast<std::size_t>(rank)},
                               .lambda = fixed.lambda,
                               .low = fixed.low,
                               .high = fixed.high,
                               .norm = std::sqrt(squares[i])};
      rows[i] = solve_row(problem, fixed, squares[i], factor.row(i));
    }
  });
  const std::string name = mode_name(fitted, mode);
  Transformed found;
  found.terms = total_terms(rows, squares, fixed.scale, name);
  found.memberships = {membership_of(name, std::nullopt, factor)};
  found.notes = notes_on(factor, has_some);
  found.arrays.push_back({fmt::format("mode_{}", mode), std::move(factor)});
  return found;
}

}  // namespace gingham::methods::tensor
