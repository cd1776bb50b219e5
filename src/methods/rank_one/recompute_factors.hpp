// What a stored result holds, and the sums that recompute takes over it.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gingham/base/error.hpp"
#include "gingham/data/dataset.hpp"
#include "gingham/engine/model.hpp"
#include "gingham/methods/plain/sums.hpp"
#include "gingham/methods/rank_one/recompute_side.hpp"

namespace gingham::methods::rank_one {

inline const NamedArray& named(const Model& model, const std::string& name) {
  for (const NamedArray& array : model.arrays) {
    if (array.name == name) return array;
  }
  throw Error(ErrorCode::input, name, "is missing from the result");
}

// The stored arrays: u[i], v[i] per time; s and levels, times x components.
struct Factors {
  std::vector<const Matrix*> unit[2];  // of rows, of columns
  Matrix s, levels;
  Matrix heights;  // levels of what is in the model: components with some weight
  Index components = 0;

  Factors(const Dataset& data, const Model& model, bool series) {
    const Index t = data.size();
    for (Index i = 0; i < t; ++i) {
      const std::string tail = series ? "_" + std::to_string(i) : "";
      for (const int side : {0, 1}) {
        const NamedArray& array = named(model, (side == 0 ? "u" : "v") + tail);
        unit[side].push_back(std::get_if<Matrix>(&array.values));
        const Matrix* one = unit[side].back();
        if (one == nullptr || one->rows() != data.block(i).shape()[side]) refuse();
        components = unit[0][0]->cols();
        if (one->cols() != components) refuse();
      }
    }
    s = table(named(model, "s"), t);
    levels = heights = table(named(model, "levels"), t);
    for (Index k = 0; k < components; ++k) {
      bool is_in_model = false;
      for (Index i = 0; i < t; ++i) is_in_model = is_in_model || s(i, k) != 0.0;
      for (Index i = 0; i < t && !is_in_model; ++i) heights(i, k) = 0.0;
    }
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
  // u v' of block i with these weights.
  plain::Product product(Index i, const Matrix& weights) const {
    return {{plain::reals(*unit[0][i]), plain::reals(*unit[1][i])},
            Reals(weights.row(i).begin(), weights.row(i).end())};
  }
};

inline Real norm(const Reals& x) {
  Real squares = 0;
  for (const Real value : x) squares += value * value;
  return std::sqrt(squares);
}

inline bool is_zero(const Matrix& factor, Index column) {
  for (Index r = 0; r < factor.rows(); ++r) {
    if (factor(r, column) != 0.0) return false;
  }
  return true;
}

// The largest distance over the times between the step's unit vectors and those stored.
inline Real gap_of(const PlainStep& step, const std::vector<const Matrix*>& factor, Index column) {
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

// What a unit of weight pays for one side at one time.
inline Real length_of(const PlainStep& step, const PlainRule& rule,
                      const std::vector<const Matrix*>& factor, Index column, Index time) {
  std::vector<double> unit, h;
  Real total = 0;
  for (Index r = 0; r < factor[time]->rows(); ++r) {
    unit.push_back((*factor[time])(r, column));
    if (unit.back() != 0.0) total += step.alpha[time][r] * std::abs(static_cast<Real>(unit.back()));
    Real all = 0;  // tied, one vector for all times: observed at any of them
    for (Index i = 0; i < std::ssize(step.h); ++i)
      all += i == time || rule.is_tied() ? step.h[i][r] : Real{0};
    h.push_back(static_cast<double>(all));
  }
  if (!rule.penalty) return total;
  const std::optional<Real> known = rule.asked.value({unit.begin(), unit.end()}, h);
  return known ? *known : static_cast<Real>(rule.penalty->value(unit, h));
}

inline Real variation(const std::vector<Reals>& x) {
  Real total = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    for (std::size_t r = 0; r < x[i].size(); ++r) total += std::abs(x[i + 1][r] - x[i][r]);
  }
  return total;
}

inline Real fused_length(const std::vector<const Matrix*>& factor, Index column, const Reals& s) {
  Real total = 0;
  for (std::size_t i = 0; i + 1 < s.size(); ++i) {
    for (Index r = 0; r < factor[i]->rows(); ++r) {
      total += std::abs(s[i + 1] * (*factor[i + 1])(r, column) - s[i] * (*factor[i])(r, column));
    }
  }
  return total;
}

// By how much some change of the weights s of component c would make
//
//   sum_i ( curvature_i s_i^2 / 2 - gain_i s_i ) + gamma[0] |u|_fused + gamma[1] |v|_fused
//
// smaller: of single times, runs of times (of many times only those that begin or end the series),
// all times where they are tied.
inline Real weights_gap(const Factors& f, Index c, const Reals& s, const Reals& gain,
                        const Reals& curvature, const Real (&gamma)[2], bool is_tied) {
  constexpr Index kFewTimes = 12;
  const Index t = std::ssize(s);
  const auto objective = [&](const Reals& w) {
    Real value = 0;
    for (Index i = 0; i < t; ++i) value += curvature[i] * w[i] * w[i] / 2 - gain[i] * w[i];
    for (const int side : {0, 1}) {
      if (gamma[side] > 0) value += gamma[side] * fused_length(f.unit[side], c, w);
    }
    return value;
  };
  Real scale = 0, gap = 0;
  for (Index i = 0; i < t; ++i) {
    if (curvature[i] > 0) scale = std::max(scale, gain[i] / curvature[i]);
  }
  const Real here = objective(s);
  for (Index from = 0; from < t && scale > 0; ++from) {
    for (Index to = from; to < t; ++to) {
      const bool inner = from > 0 && to + 1 < t;
      if (is_tied && (from > 0 || to + 1 < t)) continue;
      if (t > kFewTimes && from != to && inner) continue;
      for (const Real by :
           {1e-2L, 1e-3L, 1e-4L, 1e-5L, 1e-6L, -1e-2L, -1e-3L, -1e-4L, -1e-5L, -1e-6L}) {
        Reals moved = s;
        for (Index i = from; i <= to; ++i) moved[i] = std::max(s[i] + by * scale, Real{0});
        gap = std::max(gap, (here - objective(moved)) / (scale * scale));
      }
    }
  }
  return gap;
}

}  // namespace gingham::methods::rank_one
