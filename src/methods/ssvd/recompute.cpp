// Every number of an ssvd result from the data and u, v, levels, by plain loops in long double.
#include "gingham/methods/ssvd/recompute.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gingham::methods::ssvd {
namespace {

using Real = long double;
using Reals = std::vector<Real>;

struct Factors {
  const Matrix* u = nullptr;
  const Matrix* v = nullptr;
  const std::vector<double>* s = nullptr;
  const std::vector<double>* levels = nullptr;
};

// A row of the data less the first n_terms terms with the given weights.
Reals residual_row(ConstVec row, Index i, const Factors& f, const std::vector<double>& weights,
                   Index n_terms) {
  Reals r(row.begin(), row.end());
  for (Index k = 0; k < n_terms; ++k) {
    for (std::size_t j = 0; j < r.size(); ++j) {
      r[j] -= static_cast<Real>(weights[k]) * (*f.u)(i, k) * (*f.v)(static_cast<Index>(j), k);
    }
  }
  return r;
}

// What the half step from estimate z gives: the shrinkage of each entry, and the unit vector.
struct HalfStep {
  Reals shrinkage, unit;
  Real lambda = 0;
};

HalfStep shrunk(const Reals& z, Real lambda, Real exponent, Index survivors) {
  HalfStep step;
  step.lambda = lambda;
  std::vector<Index> order(z.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(z[a]) > std::abs(z[b]); });
  step.shrinkage.assign(z.size(), 0);
  step.unit.assign(z.size(), 0);
  Real length = 0;
  for (Index rank = 0; rank < static_cast<Index>(z.size()); ++rank) {
    const Index j = order[rank];
    if (z[j] == 0) continue;
    step.shrinkage[j] = lambda * std::pow(std::abs(z[j]), -exponent);
    if (rank >= survivors) continue;
    const Real kept = std::max(std::abs(z[j]) - step.shrinkage[j], Real{0});
    step.unit[j] = z[j] > 0 ? kept : -kept;
    length += kept * kept;
  }
  if (length > 0) {
    for (Real& value : step.unit) value /= std::sqrt(length);
  }
  return step;
}

HalfStep by_bic(const Reals& z, Real exponent, Real rss, Real data_squares, Real cells) {
  Reals falling;
  for (const Real value : z) {
    if (value != 0) falling.push_back(std::abs(value));
  }
  std::sort(falling.begin(), falling.end(), std::greater<>());
  const Real degrees = std::max(Real{1}, cells - static_cast<Real>(z.size()));
  const Real variance = std::max({rss / degrees, 1e-12L * data_squares / cells,
                                  static_cast<Real>(std::numeric_limits<double>::min())});
  Reals tail(falling.size() + 1, 0);
  for (std::size_t k = falling.size(); k-- > 0;) tail[k] = tail[k + 1] + falling[k] * falling[k];
  Real weights = 0, best = 0, best_lambda = 0;
  Index best_size = 0;
  for (std::size_t k = 1; k <= falling.size(); ++k) {
    weights += std::pow(falling[k - 1], -2 * exponent);
    const Real lambda = k < falling.size() ? std::pow(falling[k], 1 + exponent) : Real{0};
    const Real bic = (rss + lambda * lambda * weights + tail[k]) / variance +
                     static_cast<Real>(k) * std::log(cells);
    if (best_size == 0 || bic < best) {
      best = bic;
      best_size = static_cast<Index>(k);
      best_lambda = lambda;
    }
  }
  return shrunk(z, best_lambda, exponent, best_size);
}

Real distance(const Reals& a, const Matrix& b, Index column) {
  Real squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Real d = a[i] - b(static_cast<Index>(i), column);
    squares += d * d;
  }
  return std::sqrt(squares);
}

Real weighted_length(const HalfStep& step, const Matrix& factor, Index column) {
  Real total = 0;
  for (std::size_t i = 0; i < step.shrinkage.size(); ++i) {
    total += step.shrinkage[i] * std::abs(factor(static_cast<Index>(i), column));
  }
  return total;
}

template <class T>
const T& array_of(const Model& model, const char* name) {
  for (const NamedArray& array : model.arrays) {
    if (array.name == name && std::holds_alternative<T>(array.values))
      return std::get<T>(array.values);
  }
  throw Error(ErrorCode::input, name, "is missing from the result");
}

double used_value(const Model& model, const char* option, Index component) {
  for (const UsedValues& used : model.used) {
    if (used.option == option && component < static_cast<Index>(used.values.size())) {
      return used.values[component];
    }
  }
  throw Error(ErrorCode::input, option, "the number used is missing from the result");
}

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  const Block& block = data.block(0);
  const Index m = block.shape()[0], n = block.shape()[1];
  const Factors f{&array_of<Matrix>(model, "u"), &array_of<Matrix>(model, "v"),
                  &array_of<std::vector<double>>(model, "s"),
                  &array_of<std::vector<double>>(model, "levels")};
  const Index n_terms = f.u->cols();
  if (f.u->rows() != m || f.v->rows() != n || f.v->cols() != n_terms ||
      static_cast<Index>(f.s->size()) != n_terms ||
      static_cast<Index>(f.levels->size()) != n_terms) {
    throw Error(ErrorCode::input, "u, v, s, levels", "do not fit the data or each other");
  }
  const Real exponent = options.real("adaptive");
  const Real cells = static_cast<Real>(m) * static_cast<Real>(n);

  Real data_squares = 0, loss = 0;
  for_each_row(block, [&](Index i, ConstVec row) {
    for (const double x : row) data_squares += static_cast<Real>(x) * x;
    for (const Real r : residual_row(row, i, f, *f.s, n_terms)) loss += r * r / 2;
  });

  Recomputed result;
  result.terms.loss = static_cast<double>(loss);
  Real row_penalty = 0, column_penalty = 0, row_gap = 0, column_gap = 0;
  Matrix row_strength(m, n_terms), column_strength(n, n_terms);
  UsedValues row_used{"row-sparsity", {}}, column_used{"column-sparsity", {}};
  for (Index c = 0; c < n_terms; ++c) {
    Reals z_rows(static_cast<std::size_t>(m), 0), z_columns(static_cast<std::size_t>(n), 0);
    for_each_row(block, [&](Index i, ConstVec row) {
      const Reals r = residual_row(row, i, f, *f.levels, c);
      for (Index j = 0; j < n; ++j) {
        z_rows[i] += r[j] * (*f.v)(j, c);
        z_columns[j] += r[j] * (*f.u)(i, c);
      }
    });
    Real row_rss = 0, column_rss = 0, level = 0;
    for_each_row(block, [&](Index i, ConstVec row) {
      const Reals r = residual_row(row, i, f, *f.levels, c);
      for (Index j = 0; j < n; ++j) {
        row_rss += std::pow(r[j] - z_rows[i] * (*f.v)(j, c), 2);
        column_rss += std::pow(r[j] - (*f.u)(i, c) * z_columns[j], 2);
      }
      level += (*f.u)(i, c) * z_rows[i];
    });
    const auto half_step = [&](const char* option, const Reals& z, Real rss) {
      const PenaltyValue& rule = options.penalty(option);
      if (rule.is("auto")) return by_bic(z, exponent, rss, data_squares, cells);
      return shrunk(z, used_value(model, option, c), exponent, static_cast<Index>(z.size()));
    };
    const HalfStep rows = half_step("row-sparsity", z_rows, row_rss);
    const HalfStep columns = half_step("column-sparsity", z_columns, column_rss);
    const Real row_length = weighted_length(rows, *f.u, c);
    const Real column_length = weighted_length(columns, *f.v, c);
    const Real s = std::max(level - row_length - column_length, Real{0});
    row_penalty += s * row_length;
    column_penalty += s * column_length;
    row_gap = std::max(row_gap, distance(rows.unit, *f.u, c));
    column_gap = std::max(column_gap, distance(columns.unit, *f.v, c));
    result.components.push_back(
        {static_cast<double>(level),
         data_squares > 0 ? static_cast<double>(level * level / data_squares) : 0});
    for (Index i = 0; i < m; ++i) row_strength(i, c) = static_cast<double>(level) * (*f.u)(i, c);
    for (Index j = 0; j < n; ++j) column_strength(j, c) = static_cast<double>(level) * (*f.v)(j, c);
    row_used.values.push_back(static_cast<double>(rows.lambda));
    column_used.values.push_back(static_cast<double>(columns.lambda));
  }
  result.terms.penalties = {{"row_sparsity", static_cast<double>(row_penalty)},
                            {"column_sparsity", static_cast<double>(column_penalty)}};
  result.terms.gaps = {{"rows", static_cast<double>(row_gap)},
                       {"columns", static_cast<double>(column_gap)}};
  result.memberships = {membership_of("rows", std::nullopt, row_strength),
                        membership_of("columns", std::nullopt, column_strength)};
  result.used = {row_used, column_used};
  return result;
}

}  // namespace gingham::methods::ssvd
