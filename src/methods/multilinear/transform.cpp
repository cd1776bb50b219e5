#include "gingham/methods/multilinear/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/multilinear/asked.hpp"
#include "gingham/methods/multilinear/factors.hpp"
#include "gingham/operators/new_items.hpp"
#include "gingham/operators/residual.hpp"
#include "gingham/penalties/rows.hpp"

namespace gingham::methods::multilinear {
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
  EntryRule rule;               // of new items, over scale^2
  bool in_order = false;        // a deflation fit
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
  if (options.has("model") && options.text("model") == "plain")
    return std::vector<double>(static_cast<std::size_t>(rank), 1.0);
  const auto* weights = find_array<std::vector<double>>(fitted, "weights");
  if (weights == nullptr || std::ssize(*weights) != rank) refuse_array("weights");
  return *weights;
}

// What new items of a mode obey, each by itself.
EntryRule rule_of(const Block& fresh, const Options& options, const Model& fitted, Index mode) {
  const std::string name = mode_names(fresh)[mode];
  const PenaltyRequest* request = options.has("penalty") ? asked_penalty(options, name) : nullptr;
  EntryRule rule{.low = 0.0};
  if (options.has("sparsity")) {
    if (request == nullptr) rule.l1 = used_number(options, fitted, "sparsity", mode);
    if (options.text("model") == "box") rule.high = 1.0;
    if (options.flag("signed")) rule.low = -rule.high;
  }
  if (request == nullptr) return rule;
  std::vector<double> numbers = used_numbers(options, fitted);
  for (const ModePenalty& one : options.mode_penalties("penalty")) {
    if (one.mode == name) break;
    numbers.erase(numbers.begin(),
                  numbers.begin() + std::min<Index>(one.penalty.n_weights(), std::ssize(numbers)));
  }
  numbers.resize(static_cast<std::size_t>(request->n_weights()), 0.0);
  const EntryRule* asked = nullptr;
  std::unique_ptr<Penalty> made;
  if (request->file().empty()) {
    made = request->make(numbers);
    asked = made->entry();
  }
  if (asked == nullptr) {
    throw Error(ErrorCode::usage, "--penalty",
                fmt::format("{}={} holds items together: new ones cannot be fitted one by one",
                            name, request->text()));
  }
  const bool is_boxed = rule.high < kInfinity;
  return {.l1 = asked->l1,
          .ridge = asked->ridge,
          .low = is_boxed ? std::max(asked->low, rule.low) : asked->low,
          .high = std::min(asked->high, rule.high)};
}

Fixed fixed_part(const Block& fresh, const Options& options, const Model& fitted, Index mode) {
  const bool is_penalised = options.has("sparsity");
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
    const double prune = is_penalised ? used_number(options, fitted, "prune", 0) : 0.0;
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
  fixed.rule =
      rule_of(fresh, options, fitted, mode).times(1.0 / fixed.scale).times(1.0 / fixed.scale);
  if (!is_penalised) return fixed;
  fixed.in_order = options.has("strategy") && options.text("strategy") == "deflation";
  return fixed;
}

// Cyclic coordinate descent over the entries that `keep` marks; returns the squared gap reached.
double minimise_row(const RowProblem<double>& problem, const double* y,
                    const std::vector<std::uint8_t>& keep, bool is_restricted, double squares,
                    Vec a) {
  const double least = kTolerance * kTolerance * squares;
  const std::vector<std::uint8_t> members_only(a.size(), is_restricted ? 1 : 0);
  std::vector<double> gaps(a.size());
  const auto gap = [&] {
    std::fill(gaps.begin(), gaps.end(), 0.0);
    add_row_gaps(problem, {.n = 1}, y, a.data(), members_only, gaps);
    return sum(gaps);
  };
  for (Index pass = 0; pass < kMaxPasses; ++pass) {
    const double moved = sweep_row(problem, 1, y, keep.data(), a.data());
    if (moved > least) continue;  // the gap costs as much as a pass
    const double reached = gap();
    if (!(reached > least) || moved == 0.0) return reached;
  }
  return gap();
}

// The row of one slice; returns its squared gap.
double solve_row(const RowProblem<double>& problem, const double* y, const Fixed& fixed,
                 double squares, Vec a) {
  if (fixed.in_order) {
    sweep_row_in_order(problem, y, fixed.least, a.data());
    return 0.0;
  }
  std::vector<std::uint8_t> keep(a.size(), 1);
  const double gap = minimise_row(problem, y, keep, false, squares, a);
  bool is_pruned = false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const bool is_small = a[k] != 0.0 && std::abs(a[k]) < fixed.least[k];
    is_pruned = is_pruned || is_small;
    if (is_small) a[k] = 0.0;
    keep[k] = a[k] != 0.0 ? 1 : 0;
  }
  return is_pruned ? minimise_row(problem, y, keep, true, squares, a) : gap;
}

std::string mode_name(const Model& fitted, Index mode) {
  const auto at = static_cast<std::size_t>(mode);
  return at < fitted.memberships.size() ? fitted.memberships[at].mode
                                        : fmt::format("mode_{}", mode);
}

std::vector<std::string> notes_on(const Matrix& factor, const std::vector<NewItem>& seen,
                                  const char* component) {
  std::vector<std::string> notes;
  const auto n_empty =
      std::count_if(seen.begin(), seen.end(), [](const NewItem& one) { return !one.has_some; });
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
        fmt::format("{} of {} new items are in no {}", n_outside, factor.rows(), component));
  return notes;
}

// Loss and penalty of the new items, in the units of the data.
Terms terms_of(const Observed& data, const Fixed& fixed, Index mode, const Matrix& factor,
               bool is_penalised, Executor& executor) {
  Factors all{.modes = fixed.factors,
              .weights = std::vector<double>(static_cast<std::size_t>(factor.cols()), 1.0)};
  all.modes[mode] = factor;
  const double unit = fixed.scale * fixed.scale;
  Terms terms;
  terms.loss = residual_squares(data, all, executor, 1.0 / fixed.scale) * unit;
  if (is_penalised) {
    terms.penalties = {{"sparsity", fixed.rule.value(factor.values(), 1.0) * unit}};
  }
  return terms;
}

}  // namespace

Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx) {
  const Block& block = fresh.block(0);
  const Fixed fixed = fixed_part(block, options, fitted, mode);
  ctx.phase("slices");
  const NewItems items(block, mode, fixed.factors, 1.0 / fixed.scale, ctx.executor());
  const Index n = items.count(), rank = items.rank();
  const auto size = static_cast<std::size_t>(n);
  Matrix y(n, rank), factor(n, rank);
  std::vector<NewItem> seen(size);
  std::vector<double> gaps(size);
  RowProblem<double> common(fixed.rule.times(0.5), rank, 0, {});
  common.take(items.whole_gram());
  double* sums = y.data();
  ctx.executor().map(items.n_blocks(), [&](Index part) {
    const Index begin = items.begin(part), end = items.end(part);
    items.add(begin, end, sums + begin * rank, seen.data() + begin);
    Matrix own;
    RowProblem<double> problem = common;
    for (Index i = begin; i < end; ++i) {
      if (!seen[i].has_all) {
        items.gram_of(i, own);
        problem.take(own);
      }
      gaps[i] = solve_row(seen[i].has_all ? common : problem, sums + i * rank, fixed,
                          seen[i].squares, factor.row(i));
    }
  });
  const std::string name = mode_name(fitted, mode);
  const bool is_penalised = options.has("sparsity");
  Transformed found;
  found.memberships = {membership_of(name, std::nullopt, factor)};
  found.notes = notes_on(factor, seen, is_penalised ? "co-cluster" : "term");
  found.terms =
      terms_of(Observed(block, ctx.executor()), fixed, mode, factor, is_penalised, ctx.executor());
  const double gap = sum(gaps);
  double squares = 0.0;
  for (const NewItem& one : seen) squares += one.squares;
  found.terms.gaps = {{name, gap > 0.0 ? std::sqrt(gap / squares) : gap}};
  found.arrays.push_back({fmt::format("mode_{}", mode), std::move(factor)});
  return found;
}

}  // namespace gingham::methods::multilinear
