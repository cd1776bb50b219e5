#include "gingham/methods/tensor/sparsity.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::tensor {
namespace {

using multilinear::Factors;
using multilinear::Problem;

constexpr double kPaperShare = 0.001;
constexpr double kAutoShare = 0.5;

// The largest over the items of a mode of the sum over its slice of term(x).
double largest_slice(const Observed& data, Index mode, FunctionRef<double(double)> term) {
  const std::vector<double> sums = data.item_sums(mode, term);
  return *std::max_element(sums.begin(), sums.end());
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double largest_value(const Observed& data, bool is_signed) {
  return is_signed ? data.largest_magnitude() : data.largest();
}

// One lambda per mode from the noise that a least-squares fit leaves.
std::vector<double> from_noise(const Observed& data, Factors factors, bool is_signed, Problem even,
                               Executor& executor) {
  const auto n_modes = static_cast<std::size_t>(data.n_modes());
  even.lambda.clear();
  even.balance = true;
  for (const Index size : data.shape()) even.lambda.push_back(size > 1 ? 1.0 : 0.0);
  multilinear::Solver fit(data, multilinear::least_squares(data.n_modes(), is_signed));
  fit.begin(factors, 0, executor);
  const double sigma = std::sqrt(fit.loss() / std::max(data.n_observed(), 1.0));
  multilinear::normalise(even, 0, factors);
  std::vector<double> lambda;
  for (std::size_t n = 0; n < n_modes; ++n) {
    std::vector<double> strengths;
    for (Index k = 0; k < factors.n_components(); ++k) {
      if (multilinear::level(factors, k) == 0.0) continue;
      double strength = factors.weights[k];
      for (std::size_t m = 0; m < n_modes; ++m) {
        if (m != n) strength *= norm2(multilinear::column(factors.modes[m], k));
      }
      strengths.push_back(strength);
    }
    const auto items = static_cast<double>(data.shape()[static_cast<Index>(n)]);
    lambda.push_back(kAutoShare * sigma * std::sqrt(2.0 * std::log(items)) * median(strengths));
  }
  return lambda;
}

}  // namespace

bool asks_for(const Options& options, std::string_view word) {
  const std::vector<PenaltyValue>& all = options.penalties("sparsity");
  return std::any_of(all.begin(), all.end(), [&](const PenaltyValue& p) { return p.is(word); });
}

std::vector<double> expected_sizes(const Shape& shape, const Options& options) {
  const std::vector<PenaltyValue>& given = options.penalties("expect");
  std::vector<double> sizes;
  for (std::size_t n = 0; n < shape.size(); ++n) {
    const PenaltyValue& one = given[given.size() == 1 ? 0 : n];
    sizes.push_back(
        std::min(one.resolve(static_cast<double>(shape[n])), static_cast<double>(shape[n])));
  }
  return sizes;
}

std::vector<double> resolve_sparsity(const Observed& data, const Options& options,
                                     const Problem& problem, const Factors& plain_fit,
                                     Executor& executor) {
  const std::vector<PenaltyValue>& asked = options.penalties("sparsity");
  const bool is_signed = options.flag("signed");
  std::vector<double> noise, expected, lambda;
  if (asks_for(options, "auto")) {
    noise = from_noise(data, plain_fit, is_signed, problem, executor);
  }
  if (asks_for(options, "paper")) expected = expected_sizes(data.shape(), options);
  for (Index n = 0; n < data.n_modes(); ++n) {
    const PenaltyValue& one = asked[asked.size() == 1 ? 0 : n];
    double value = 0.0;
    if (data.shape()[n] == 1) {
      value = 0.0;
    } else if (one.is("auto")) {
      value = noise[n];
    } else if (one.is("paper")) {
      value = kPaperShare * 2.0 * largest_value(data, is_signed) *
              std::sqrt(largest_slice(data, n, [](double x) { return x * x; }));
      for (Index m = 0; m < data.n_modes(); ++m) value *= m == n ? 1.0 : expected[m];
    } else if (one.kind == PenaltyValue::Kind::percent) {
      value = 0.0;  // resolve_percentages
    } else {
      value = one.number;
    }
    lambda.push_back(value);
  }
  return lambda;
}

bool has_percentages(const Options& options) {
  const std::vector<PenaltyValue>& all = options.penalties("sparsity");
  return std::any_of(all.begin(), all.end(),
                     [](const PenaltyValue& p) { return p.kind == PenaltyValue::Kind::percent; });
}

std::vector<double> smallest_zeros(const Observed& data, const Problem& problem,
                                   const Factors& start, Executor& executor) {
  multilinear::Solver solver(data, problem);
  solver.begin(start, 0, executor);
  std::vector<double> zeros;
  for (Index n = 0; n < data.n_modes(); ++n) {
    zeros.push_back(0.0);
    solver.for_each_column(
        n, multilinear::Beside::none,
        [&](Index, ConstVec b, Curvature) {
          for (const double pull : b)
            zeros.back() = std::max(zeros.back(), problem.low < 0.0 ? std::abs(pull) : pull);
        },
        executor);
    zeros.back() *= 2.0;
  }
  return zeros;
}

std::vector<double> resolve_percentages(const Observed& data, const Options& options, Index first,
                                        Factors& start, Problem& problem, Executor& executor) {
  Problem even = problem;
  even.balance = true;
  for (Index n = 0; n < data.n_modes(); ++n) even.lambda[n] = data.shape()[n] > 1 ? 1.0 : 0.0;
  multilinear::normalise(even, first, start);
  std::vector<double> whole = smallest_zeros(data, even, start, executor);
  const std::vector<PenaltyValue>& asked = options.penalties("sparsity");
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const PenaltyValue& one = asked[asked.size() == 1 ? 0 : n];
    whole[n] = one.kind != PenaltyValue::Kind::percent ? kUnknown
               : even.lambda[n] > 0.0                  ? whole[n]
                                                       : 0.0;
    if (one.kind == PenaltyValue::Kind::percent) problem.lambda[n] = one.resolve(whole[n]);
  }
  return whole;
}

}  // namespace gingham::methods::tensor
