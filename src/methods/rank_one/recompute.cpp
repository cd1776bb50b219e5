#include "gingham/methods/rank_one/recompute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gingham/methods/rank_one/recompute_signal.hpp"

namespace gingham::methods::rank_one {
namespace {

using Real = long double;
using Reals = std::vector<Real>;

const NamedArray& named(const Model& model, const std::string& name) {
  for (const NamedArray& array : model.arrays) {
    if (array.name == name) return array;
  }
  throw Error(ErrorCode::input, name, "is missing from the result");
}

double used_value(const Model& model, const std::string& option, Index component) {
  for (const UsedValues& used : model.used) {
    if (used.option == option && component < static_cast<Index>(used.values.size())) {
      return used.values[component];
    }
  }
  throw Error(ErrorCode::input, option, "the number used is missing from the result");
}

// The stored arrays: u[i], v[i] per time; s and levels, times x components.
struct Factors {
  std::vector<const Matrix*> u, v;
  Matrix s, levels;
  Index components = 0;

  Factors(const Dataset& data, const Model& model, bool series) {
    const Index t = data.size();
    for (Index i = 0; i < t; ++i) {
      const std::string tail = series ? "_" + std::to_string(i) : "";
      u.push_back(std::get_if<Matrix>(&named(model, "u" + tail).values));
      v.push_back(std::get_if<Matrix>(&named(model, "v" + tail).values));
      if (u[i] == nullptr || v[i] == nullptr) refuse();
      components = u[0]->cols();
      const Shape& shape = data.block(i).shape();
      if (u[i]->rows() != shape[0] || v[i]->rows() != shape[1] || u[i]->cols() != components ||
          v[i]->cols() != components) {
        refuse();
      }
    }
    s = table(named(model, "s"), t);
    levels = table(named(model, "levels"), t);
  }
  Matrix table(const NamedArray& array, Index t) const {
    Matrix made(t, components);
    if (const auto* vector = std::get_if<std::vector<double>>(&array.values)) {
      if (t != 1 || static_cast<Index>(vector->size()) != components) refuse();
      std::copy(vector->begin(), vector->end(), made.values().begin());
    } else {
      const auto* matrix = std::get_if<Matrix>(&array.values);
      if (matrix == nullptr || matrix->rows() != t || matrix->cols() != components) refuse();
      made = *matrix;
    }
    return made;
  }
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::input, "u, v, s, levels", "do not fit the data or each other");
  }
  // A row of block i less the first n_terms terms with these weights.
  Reals residual_row(ConstVec row, Index i, Index r, const Matrix& weights, Index n_terms) const {
    Reals out(row.begin(), row.end());
    for (Index k = 0; k < n_terms; ++k) {
      for (std::size_t j = 0; j < out.size(); ++j) {
        out[j] -=
            static_cast<Real>(weights(i, k)) * (*u[i])(r, k) * (*v[i])(static_cast<Index>(j), k);
      }
    }
    return out;
  }
};

// One side of one component as the method's step would make it: per time.
struct Step {
  std::vector<Reals> b, h;   // targets and curvatures
  std::vector<Reals> x;      // the minimiser
  std::vector<Reals> alpha;  // of each entry
  Real lambda = 0, gamma = 0;
};

struct SideOptions {
  PenaltyValue sparsity, fusion;
  Real exponent = 0;
  bool relaxed = false;
  bool is_tied() const { return fusion.kind == PenaltyValue::Kind::word; }
};

// An independent value: the entries that share it.
struct Unit {
  Real z = 0, h = 0, b = 0, entries = 0;
  Real weight = 1;                                                    // |z|^-g
  Real last() const { return h * std::abs(z) / (entries * weight); }  // lambda at which it goes
};

// lambda by BIC over the units; the loss of unit value x is h x^2 - 2 b x more than without. In a
// series the values of those that stay are taken unshortened.
Real bic_lambda(std::vector<Unit> units, Real rss_least, Real squares_explained, Real variance,
                Real cells, bool relaxed) {
  units.erase(
      std::remove_if(units.begin(), units.end(), [](const Unit& one) { return one.z == 0; }),
      units.end());
  std::stable_sort(units.begin(), units.end(),
                   [](const Unit& a, const Unit& b) { return a.last() > b.last(); });
  const Real base = rss_least + squares_explained;  // all values zero
  Real best = 0, best_lambda = 0;
  bool any = false;
  Real quadratic = 0, linear = 0, constant = 0;
  for (std::size_t k = 1; k <= units.size(); ++k) {
    // Unit value sign(z) (|z| - lambda r), r = weight entries / h.
    const Unit& one = units[k - 1];
    const Real r = one.weight * one.entries / one.h, size = std::abs(one.z);
    const Real b = one.z > 0 ? one.b : -one.b;
    quadratic += one.h * r * r;
    linear += -2 * one.h * size * r + 2 * b * r;
    constant += one.h * size * size - 2 * b * size;
    const Real lambda = k < units.size() ? units[k].last() : Real{0};
    const Real shortened = lambda * linear + lambda * lambda * quadratic;
    const Real rss = base + constant + (relaxed ? Real{0} : shortened);
    const Real bic = rss / variance + static_cast<Real>(k) * std::log(cells);
    if (!any || bic < best) {
      any = true;
      best = bic;
      best_lambda = lambda;
    }
  }
  return best_lambda;
}

// Towards zero by so much; rounding is all that is left below 1e-14 of x.
Real soft(Real x, Real by) {
  const Real kept = std::abs(x) - by;
  return kept > 1e-14L * std::abs(x) ? (x > 0 ? kept : -kept) : Real{0};
}

class Side {
 public:
  Side(const SideOptions& options, Index times) : options_(options), t_(times) {}

  // b and h must be there; `stored` gives the numbers used where they were not chosen anew.
  void solve(Step& step, bool weighted, Real stored_lambda, Real stored_gamma, Real rss_least,
             Real variance, Real cells) const {
    const bool fused = t_ > 1 && !options_.is_tied() && stored_gamma > 0;
    const bool tied = t_ > 1 && options_.is_tied();
    step.gamma = fused ? stored_gamma : Real{0};
    step.lambda = stored_lambda;
    step.x = free_solution(step, fused, tied);
    if (options_.sparsity.is("auto")) {
      Real explained = 0;
      for (Index i = 0; i < t_; ++i) {
        for (std::size_t j = 0; j < step.b[i].size(); ++j) {
          if (step.h[i][j] > 0) explained += step.b[i][j] * step.b[i][j] / step.h[i][j];
        }
      }
      step.lambda = bic_lambda(units_of(step, fused || tied), rss_least, explained, variance, cells,
                               options_.relaxed);
    }
    set_alpha(step);
    if (fused && weighted) {
      for (std::size_t j = 0; j < step.b[0].size(); ++j) {
        const Reals x =
            plain_fused(signal(step.h, j), signal(step.b, j), signal(step.alpha, j), step.gamma);
        Real curvature = 0;
        for (Index i = 0; i < t_; ++i) curvature = std::max(curvature, step.h[i][j]);
        for (Index i = 0; i < t_; ++i) {
          const bool rounding = std::abs(x[i]) * curvature <= 1e-13L * step.lambda;
          step.x[i][j] = rounding ? Real{0} : x[i];
        }
      }
    } else if (tied) {
      for (std::size_t j = 0; j < step.b[0].size(); ++j) {
        Real b = 0, h = 0, entries = 0;
        for (Index i = 0; i < t_; ++i) {
          if (step.h[i][j] <= 0) continue;
          b += step.b[i][j];
          h += step.h[i][j];
          entries += 1;
        }
        const Real c = step.x[0][j] != 0 ? soft(b, entries * step.lambda) / h : Real{0};
        for (Index i = 0; i < t_; ++i) step.x[i][j] = c;
        const Real alpha = weighted ? step.lambda : Real{0};
        const Real level = weighted ? c : (h > 0 ? b / h : Real{0});
        step.gamma = std::max(
            step.gamma, plain_fusion_bound(signal(step.h, j), signal(step.b, j), alpha, level));
      }
    } else {
      for (Index i = 0; i < t_; ++i) {
        for (std::size_t j = 0; j < step.x[i].size(); ++j) {
          const Real h = fused || step.h[i][j] <= 0 ? Real{1} : step.h[i][j];
          step.x[i][j] = soft(step.x[i][j], step.alpha[i][j] / h);
        }
      }
    }
  }

 private:
  Reals signal(const std::vector<Reals>& values, std::size_t j) const {
    Reals one;
    for (Index i = 0; i < t_; ++i) one.push_back(values[i][j]);
    return one;
  }
  std::vector<Reals> free_solution(const Step& step, bool fused, bool tied) const {
    std::vector<Reals> x = step.b;
    if (!fused && !tied) {
      for (Index i = 0; i < t_; ++i) {
        for (std::size_t j = 0; j < x[i].size(); ++j) {
          x[i][j] = step.h[i][j] > 0 ? step.b[i][j] / step.h[i][j] : Real{0};
        }
      }
      return x;
    }
    const Reals none(static_cast<std::size_t>(t_), 0);
    for (std::size_t j = 0; j < step.b[0].size(); ++j) {
      const Reals h = signal(step.h, j), b = signal(step.b, j);
      const Real sum_h = std::accumulate(h.begin(), h.end(), Real{0});
      const Real sum_b = std::accumulate(b.begin(), b.end(), Real{0});
      Reals one = fused ? plain_fused(h, b, none, step.gamma)
                        : Reals(static_cast<std::size_t>(t_), sum_h > 0 ? sum_b / sum_h : 0);
      drop_cancelled(one, h, b);
      for (Index i = 0; i < t_; ++i) x[i][j] = one[i];
    }
    return x;
  }
  // A run of equal values that is nothing but the rounding of a sum that cancels is zero.
  static void drop_cancelled(Reals& x, const Reals& h, const Reals& b) {
    Real size = 0;
    for (const Real value : b) size += std::abs(value);
    for (std::size_t begin = 0; begin < x.size();) {
      std::size_t end = begin;
      Real run_h = 0;
      for (; end < x.size() && x[end] == x[begin]; ++end) run_h += h[end];
      if (std::abs(x[begin]) * run_h <= 1e-14L * size) {
        for (std::size_t i = begin; i < end; ++i) x[i] = 0;
      }
      begin = end;
    }
  }
  // Runs of equal values over time where there is fusion, single entries otherwise.
  std::vector<Unit> units_of(const Step& step, bool together) const {
    std::vector<Unit> units;
    if (!together) {
      for (Index i = 0; i < t_; ++i) {
        for (std::size_t j = 0; j < step.x[i].size(); ++j) {
          if (step.h[i][j] <= 0 || step.x[i][j] == 0) continue;
          units.push_back({step.x[i][j], step.h[i][j], step.b[i][j], 1,
                           std::pow(std::abs(step.x[i][j]), -options_.exponent)});
        }
      }
      return units;
    }
    for (std::size_t j = 0; j < step.x[0].size(); ++j) {
      for (Index i = 0; i < t_;) {
        Unit one{step.x[i][j], 0, 0, 0, 1};
        for (; i < t_ && step.x[i][j] == one.z; ++i) {
          if (step.h[i][j] <= 0) continue;
          one.h += step.h[i][j];
          one.b += step.b[i][j];
          one.entries += 1;
        }
        if (one.entries > 0) units.push_back(one);
      }
    }
    return units;
  }
  void set_alpha(Step& step) const {
    step.alpha = step.b;
    for (Index i = 0; i < t_; ++i) {
      for (std::size_t j = 0; j < step.b[i].size(); ++j) {
        const Real h = step.h[i][j];
        const Real z = h > 0 ? std::abs(step.b[i][j] / h) : Real{0};
        const Real weight = options_.exponent == 0 ? Real{1}
                            : z > 0                ? std::pow(z, -options_.exponent)
                                                   : Real{0};
        step.alpha[i][j] = h > 0 ? step.lambda * weight : Real{0};
      }
    }
  }

  SideOptions options_;
  Index t_;
};

Real norm(const Reals& x) {
  Real squares = 0;
  for (const Real value : x) squares += value * value;
  return std::sqrt(squares);
}

bool is_zero(const Matrix& factor, Index column) {
  for (Index r = 0; r < factor.rows(); ++r) {
    if (factor(r, column) != 0.0) return false;
  }
  return true;
}

// The largest distance over the times between the step's unit vectors and those stored.
Real gap_of(const Step& step, const std::vector<const Matrix*>& factor, Index column) {
  Real gap = 0;
  for (std::size_t i = 0; i < step.x.size(); ++i) {
    const Real length = norm(step.x[i]);
    Reals difference = step.x[i];
    for (std::size_t r = 0; r < difference.size(); ++r) {
      difference[r] = (length > 0 ? difference[r] / length : Real{0}) -
                      (*factor[i])(static_cast<Index>(r), column);
    }
    gap = std::max(gap, norm(difference));
  }
  return gap;
}

Real alpha_length(const Step& step, const std::vector<const Matrix*>& factor, Index column,
                  Index time) {
  Real total = 0;
  for (std::size_t r = 0; r < step.alpha[time].size(); ++r) {
    const double unit = (*factor[time])(static_cast<Index>(r), column);
    if (unit != 0.0) total += step.alpha[time][r] * std::abs(static_cast<Real>(unit));
  }
  return total;
}

Real variation(const std::vector<Reals>& x) {
  Real total = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    for (std::size_t r = 0; r < x[i].size(); ++r) total += std::abs(x[i + 1][r] - x[i][r]);
  }
  return total;
}

Real fused_length(const std::vector<const Matrix*>& factor, Index column, const Reals& s) {
  Real total = 0;
  for (std::size_t i = 0; i + 1 < s.size(); ++i) {
    for (Index r = 0; r < factor[i]->rows(); ++r) {
      total += std::abs(s[i + 1] * (*factor[i + 1])(r, column) - s[i] * (*factor[i])(r, column));
    }
  }
  return total;
}

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  const bool series = options.has("column-fusion");
  const Factors f(data, model, series);
  const Index t = data.size();
  const auto side_options = [&](const char* sparsity, const char* fusion) {
    SideOptions side{options.penalty(sparsity), {}, 0, series};
    if (series) side.fusion = options.penalty(fusion);
    if (options.has("adaptive")) side.exponent = options.real("adaptive");
    return side;
  };
  const SideOptions row_options = side_options("row-sparsity", "row-fusion");
  const SideOptions column_options = side_options("column-sparsity", "column-fusion");
  // The side an iteration begins with; its step is where u'Rv is taken from.
  const bool columns_first = !column_options.is_tied() && !(column_options.fusion.number > 0.0);
  const bool even_rows =
      std::all_of(data.blocks().begin(), data.blocks().end(),
                  [&](const Block& b) { return b.shape()[0] == data.block(0).shape()[0]; });
  const bool even_columns =
      std::all_of(data.blocks().begin(), data.blocks().end(),
                  [&](const Block& b) { return b.shape()[1] == data.block(0).shape()[1]; });

  Real data_squares = 0, loss = 0, cells = 0, n_rows = 0, n_columns = 0;
  Reals block_squares(static_cast<std::size_t>(t), 0);
  bool weighted = false;
  for (Index i = 0; i < t; ++i) {
    n_rows += static_cast<Real>(data.block(i).shape()[0]);
    n_columns += static_cast<Real>(data.block(i).shape()[1]);
    for_each_row(data.block(i), [&](Index r, ConstVec row) {
      for (const double x : row) {
        if (std::isnan(x)) {
          weighted = true;
          continue;
        }
        cells += 1;
        data_squares += static_cast<Real>(x) * x;
        block_squares[i] += static_cast<Real>(x) * x;
      }
      for (const Real x : f.residual_row(row, i, r, f.s, f.components)) {
        if (!std::isnan(x)) loss += x * x / 2;
      }
    });
  }

  Recomputed result;
  Matrix strengths = f.s;  // of members: the weights, or for one matrix the levels
  result.terms.loss = static_cast<double>(loss);
  Real penalties[4] = {0, 0, 0, 0}, gaps[3] = {0, 0, 0}, variations[2] = {0, 0};
  UsedValues used[4] = {
      {"row-sparsity", {}}, {"column-sparsity", {}}, {"row-fusion", {}}, {"column-fusion", {}}};
  for (Index c = 0; c < f.components; ++c) {
    Step rows, columns;
    Reals cross(static_cast<std::size_t>(t), 0), curvature(static_cast<std::size_t>(t), 0);
    for (Index i = 0; i < t; ++i) {
      const Shape& shape = data.block(i).shape();
      const bool no_u = is_zero(*f.u[i], c), no_v = is_zero(*f.v[i], c);
      Reals b_rows(static_cast<std::size_t>(shape[0]), 0), h_rows(b_rows.size(), 0);
      Reals b_columns(static_cast<std::size_t>(shape[1]), 0), h_columns(b_columns.size(), 0);
      for_each_row(data.block(i), [&](Index r, ConstVec row) {
        const Reals residual = f.residual_row(row, i, r, f.levels, c);
        const Real u = (*f.u[i])(r, c);
        for (Index j = 0; j < shape[1]; ++j) {
          if (std::isnan(residual[j])) continue;
          const Real v = (*f.v[i])(j, c);
          b_rows[r] += residual[j] * v;
          h_rows[r] += v * v;
          b_columns[j] += residual[j] * u;
          h_columns[j] += u * u;
          curvature[i] += u * u * v * v;
        }
      });
      for (const auto& [b, h] : {std::pair{&b_rows, &h_rows}, std::pair{&b_columns, &h_columns}}) {
        for (std::size_t r = 0; r < b->size(); ++r) {
          if ((*h)[r] < 1e-12L) (*b)[r] = (*h)[r] = 0;  // as good as unobserved
        }
      }
      // What is left of a matrix of which nothing is left is rounding.
      for (Reals* b : {&b_rows, &b_columns}) {
        if (norm(*b) <= 1e-11L * std::sqrt(block_squares[i])) b->assign(b->size(), 0);
      }
      for (std::size_t r = 0; r < b_rows.size() && !columns_first; ++r) {
        cross[i] += b_rows[r] * (*f.u[i])(static_cast<Index>(r), c);
      }
      for (std::size_t j = 0; j < b_columns.size() && columns_first; ++j) {
        cross[i] += b_columns[j] * (*f.v[i])(static_cast<Index>(j), c);
      }
      // All data observed: the unit vectors' squares add up to 1. An absent term pulls to zero.
      if (no_v || !weighted) h_rows.assign(h_rows.size(), 1);
      if (no_u || !weighted) h_columns.assign(h_columns.size(), 1);
      rows.b.push_back(b_rows);
      rows.h.push_back(h_rows);
      columns.b.push_back(b_columns);
      columns.h.push_back(h_columns);
    }
    Real rss_rows = 0, rss_columns = 0;
    for (Index i = 0; i < t; ++i) {
      for_each_row(data.block(i), [&](Index r, ConstVec row) {
        const Reals residual = f.residual_row(row, i, r, f.levels, c);
        const Real z_row = rows.h[i][r] > 0 ? rows.b[i][r] / rows.h[i][r] : Real{0};
        for (std::size_t j = 0; j < residual.size(); ++j) {
          if (std::isnan(residual[j])) continue;
          const Real z_column = columns.h[i][j] > 0 ? columns.b[i][j] / columns.h[i][j] : Real{0};
          rss_rows += std::pow(residual[j] - z_row * (*f.v[i])(static_cast<Index>(j), c), 2);
          rss_columns += std::pow(residual[j] - (*f.u[i])(r, c) * z_column, 2);
        }
      });
    }
    const auto variance = [&](Real rss, Real unknowns) {
      return std::max({rss / std::max(Real{1}, cells - unknowns),
                       1e-12L * data_squares / std::max(cells, Real{1}),
                       static_cast<Real>(std::numeric_limits<double>::min())});
    };
    const auto stored = [&](const char* option) {
      return series || std::string(option).find("fusion") == std::string::npos
                 ? static_cast<Real>(used_value(model, option, c))
                 : Real{0};
    };
    Side(row_options, t)
        .solve(rows, weighted, stored("row-sparsity"), stored("row-fusion"), rss_rows,
               variance(rss_rows, n_rows), std::max(cells, Real{1}));
    Side(column_options, t)
        .solve(columns, weighted, stored("column-sparsity"), stored("column-fusion"), rss_columns,
               variance(rss_columns, n_columns), std::max(cells, Real{1}));

    // The weights, by trying whether any change of some of them makes the objective smaller.
    Reals s, gain;
    Real scale = 0, squares = 0, explained = 0;
    for (Index i = 0; i < t; ++i) {
      const Real row_length = alpha_length(rows, f.u, c, i);
      const Real column_length = alpha_length(columns, f.v, c, i);
      s.push_back(f.s(i, c));
      const bool is_seen = curvature[i] >= 1e-6L;  // in the observed cells
      const Real all_gain = cross[i] - row_length - column_length;
      gain.push_back(is_seen ? all_gain : std::min(all_gain, Real{0}));
      if (curvature[i] > 0) scale = std::max(scale, gain[i] / curvature[i]);
      penalties[0] += s[i] * row_length;
      penalties[1] += s[i] * column_length;
      const Real level = is_seen ? cross[i] / curvature[i] : Real{0};
      if (!series) strengths(i, c) = static_cast<double>(level);
      if (level == 0) strengths(i, c) = 0;  // no rows or no columns: no co-cluster
      squares += level * level;
      explained += level * level * curvature[i];
      if (t == 1) squares = level;
    }
    const bool rows_tied = t > 1 && row_options.is_tied();
    const bool columns_tied = t > 1 && column_options.is_tied();
    const Real row_gamma = rows.gamma, column_gamma = columns.gamma;
    const auto objective = [&](const Reals& w) {
      Real value = 0;
      for (Index i = 0; i < t; ++i) value += curvature[i] * w[i] * w[i] / 2 - gain[i] * w[i];
      if (!rows_tied && row_gamma > 0) value += row_gamma * fused_length(f.u, c, w);
      if (!columns_tied && column_gamma > 0) value += column_gamma * fused_length(f.v, c, w);
      return value;
    };
    const bool tied = rows_tied || columns_tied;
    const Real here = objective(s);
    for (Index from = 0; from < t && scale > 0; ++from) {
      for (Index to = from; to < t; ++to) {
        if (tied && (from > 0 || to + 1 < t)) continue;
        for (const Real by :
             {1e-2L, 1e-3L, 1e-4L, 1e-5L, 1e-6L, -1e-2L, -1e-3L, -1e-4L, -1e-5L, -1e-6L}) {
          Reals moved = s;
          for (Index i = from; i <= to; ++i) moved[i] = std::max(s[i] + by * scale, Real{0});
          gaps[2] = std::max(gaps[2], (here - objective(moved)) / (scale * scale));
        }
      }
    }
    if (row_gamma > 0) penalties[2] += row_gamma * fused_length(f.u, c, s);
    if (column_gamma > 0) penalties[3] += column_gamma * fused_length(f.v, c, s);
    gaps[0] = std::max(gaps[0], gap_of(rows, f.u, c));
    gaps[1] = std::max(gaps[1], gap_of(columns, f.v, c));
    if (even_rows) variations[0] += variation(rows.x);
    if (even_columns) variations[1] += variation(columns.x);
    result.components.push_back(
        {static_cast<double>(t == 1 ? squares : std::sqrt(squares)),
         data_squares > 0 ? static_cast<double>(explained / data_squares) : 0});
    const Real numbers[4] = {rows.lambda, columns.lambda, row_gamma, column_gamma};
    for (int k = 0; k < 4; ++k) used[k].values.push_back(static_cast<double>(numbers[k]));
  }

  const char* const penalty_names[] = {"row_sparsity", "column_sparsity", "row_fusion",
                                       "column_fusion"};
  const char* const gap_names[] = {"rows", "columns", "weights"};
  for (int k = 0; k < (series ? 4 : 2); ++k) {
    result.terms.penalties.push_back({penalty_names[k], static_cast<double>(penalties[k])});
    result.used.push_back(used[k]);
  }
  for (int k = 0; k < (series ? 3 : 2); ++k) {
    result.terms.gaps.push_back({gap_names[k], static_cast<double>(gaps[k])});
  }
  if (series && t > 1 && even_rows) {
    result.measures.push_back({"row_variation", static_cast<double>(variations[0])});
  }
  if (series && t > 1 && even_columns) {
    result.measures.push_back({"column_variation", static_cast<double>(variations[1])});
  }
  for (const bool of_rows : {true, false}) {
    for (Index i = 0; i < t; ++i) {
      Matrix strength = of_rows ? *f.u[i] : *f.v[i];
      for (Index r = 0; r < strength.rows(); ++r) {
        for (Index c = 0; c < f.components; ++c) {
          strength(r, c) *= strengths(i, c);
        }
      }
      result.memberships.push_back(membership_of(
          of_rows ? "rows" : "columns", series ? std::optional(i) : std::nullopt, strength));
    }
  }
  return result;
}

}  // namespace gingham::methods::rank_one
