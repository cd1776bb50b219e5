#include "gingham/penalties/row_sweep.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/lanes.hpp"

namespace gingham {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kW = lanes::kWide<double>;

// Tiles are columns x kW values: lane r of line k is entry k of row r.
GINGHAM_MULTIARCH void sweep_tile(const double* q, Index n_columns, Index first,
                                  const double* inverse, double l1, double low, double high,
                                  const double* y, const double* keep, int passes, double* a) {
  const V zero = {}, least = zero + low, most = zero + high;
  for (int pass = 0; pass < passes; ++pass) {
    for (Index k = first; k < n_columns; ++k) {
      if (inverse[k] < 0.0) continue;
      const double* line = q + k * n_columns;
      V pull = wide(y + (k - first) * kW), other = zero;
      Index l = 0;
      for (; l + 1 < k; l += 2) {
        pull -= line[l] * wide(a + l * kW);
        other -= line[l + 1] * wide(a + (l + 1) * kW);
      }
      if (l < k) pull -= line[l] * wide(a + l * kW);
      for (l = k + 1; l + 1 < n_columns; l += 2) {
        pull -= line[l] * wide(a + l * kW);
        other -= line[l + 1] * wide(a + (l + 1) * kW);
      }
      if (l < n_columns) pull -= line[l] * wide(a + l * kW);
      pull += other;
      const V up = pull - l1, down = pull + l1;
      V x = (up > zero ? up : zero) + (down < zero ? down : zero);
      x *= inverse[k];
      x = x < least ? least : x;
      x = x > most ? most : x;
      if (keep != nullptr) x *= wide(keep + k * kW);
      wide(a + k * kW) = x;
    }
  }
}

// What pulls entry k: y_k less what the other entries of the row explain.
double pull_on(const RowProblem& problem, Index k, Index n_explaining, const double* y,
               const double* a) {
  const double* line = problem.q + k * problem.n_columns;
  double pull = problem.weights[k] * y[k - problem.first];
  for (Index l = 0; l < n_explaining; ++l) {
    if (l != k) pull -= line[l] * a[l];
  }
  return pull;
}

}  // namespace

double minimiser(const RowProblem& problem, Index k, double pull, double now) {
  const double curvature = problem.q[k * problem.n_columns + k];
  if (!(curvature > 0.0)) return problem.waits[k] != 0 ? now : 0.0;
  return problem.rule.minimiser(pull, curvature);
}

RowSweep::RowSweep(const RowProblem& problem)
    : problem_(problem), n_unknown_(problem.n_columns - problem.first) {
  const auto columns = static_cast<std::size_t>(problem.n_columns);
  inverse_.resize(columns);
  for (std::size_t k = 0; k < columns; ++k) {
    const double curvature = problem.q[k * columns + k];
    // 0: such an entry becomes 0; below 0: it is left alone.
    inverse_[k] = curvature > 0.0         ? 1.0 / (curvature + problem.rule.ridge)
                  : problem.waits[k] != 0 ? -1.0
                                          : 0.0;
    if (!std::isfinite(inverse_[k])) inverse_[k] = 0.0;
  }
  tile_a_.resize(columns * kW);
  tile_keep_.resize(columns * kW);
  before_.resize(columns * kW);
  tile_y_.resize(static_cast<std::size_t>(n_unknown_ * kW));
}

double RowSweep::run(const double* y, const std::uint8_t* keep, Index begin, Index end, int passes,
                     double* a) {
  const Index columns = problem_.n_columns, first = problem_.first;
  double moved = 0.0;
  for (Index top = begin; top < end; top += kW) {
    const Index height = std::min(kW, end - top);
    for (Index r = 0; r < height; ++r) {
      const double* row = a + (top + r) * columns;
      for (Index k = 0; k < columns; ++k) tile_a_[k * kW + r] = row[k];
      const double* given = y + (top + r) * n_unknown_;
      for (Index k = 0; k < n_unknown_; ++k) {
        tile_y_[k * kW + r] = problem_.weights[first + k] * given[k];
      }
      if (keep == nullptr) continue;
      const std::uint8_t* kept = keep + (top + r) * columns;
      for (Index k = 0; k < columns; ++k) tile_keep_[k * kW + r] = kept[k];
    }
    before_ = tile_a_;
    sweep_tile(problem_.q, columns, first, inverse_.data(), problem_.rule.l1, problem_.rule.low,
               problem_.rule.high, tile_y_.data(), keep == nullptr ? nullptr : tile_keep_.data(),
               passes, tile_a_.data());
    for (Index r = 0; r < height; ++r) {
      double* row = a + (top + r) * columns;
      for (Index k = first; k < columns; ++k) {
        const double change = tile_a_[k * kW + r] - before_[k * kW + r];
        moved += problem_.q[k * columns + k] * change * change;
        row[k] = tile_a_[k * kW + r];
      }
    }
  }
  return moved;
}

double sweep_row(const RowProblem& problem, const double* y, const std::uint8_t* keep, int passes,
                 double* a) {
  const Index columns = problem.n_columns;
  std::vector<double> before(a, a + columns);
  for (int pass = 0; pass < passes; ++pass) {
    for (Index k = problem.first; k < columns; ++k) {
      if (keep != nullptr && keep[k] == 0) continue;
      a[k] = minimiser(problem, k, pull_on(problem, k, columns, y, a), a[k]);
    }
  }
  double moved = 0.0;
  for (Index k = problem.first; k < columns; ++k) {
    moved += problem.q[k * columns + k] * (a[k] - before[k]) * (a[k] - before[k]);
  }
  return moved;
}

void sweep_row_in_order(const RowProblem& problem, const double* y, ConstVec least, double* a) {
  for (Index k = problem.first; k < problem.n_columns; ++k) {
    const double best = minimiser(problem, k, pull_on(problem, k, k, y, a), a[k]);
    a[k] = std::abs(best) < least[k] ? 0.0 : best;
  }
}

void add_row_gaps(const RowProblem& problem, const double* y,
                  const std::vector<std::uint8_t>& members_only, bool in_order, const double* a,
                  Vec sums) {
  const Index columns = problem.n_columns;
  for (Index k = problem.first; k < columns; ++k) {
    if (members_only[k] != 0 && a[k] == 0.0) continue;
    const double pull = pull_on(problem, k, in_order ? k : columns, y, a);
    const double off = a[k] - minimiser(problem, k, pull, a[k]);
    sums[k] += problem.q[k * columns + k] * off * off;
  }
}

}  // namespace gingham
