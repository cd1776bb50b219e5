#include "gingham/methods/tensor/transform_row.hpp"

#include <algorithm>
#include <cmath>

namespace gingham::methods::tensor {
namespace {

double best_entry(const RowProblem& problem, ConstVec a, Index k) {
  const double curvature = problem.q(k, k);
  if (!(curvature > 0.0)) return 0.0;
  double pull = problem.y[k];
  for (Index j = 0; j < std::ssize(a); ++j) {
    if (j != k) pull -= problem.q(k, j) * a[j];
  }
  const double shrunk = std::max(std::abs(pull) - 0.5 * problem.lambda, 0.0);
  const double best = std::copysign(shrunk / curvature, pull);
  return std::clamp(best, problem.low, problem.high) + 0.0;  // no -0
}

double squared_move(const RowProblem& problem, Index k, double from, double to) {
  return problem.q(k, k) * (from - to) * (from - to);
}

double gap_of(const RowProblem& problem, const std::vector<char>& may_differ, ConstVec a) {
  double squares = 0.0;
  for (Index k = 0; k < std::ssize(a); ++k) {
    if (may_differ[k] != 0) squares += squared_move(problem, k, a[k], best_entry(problem, a, k));
  }
  return squares > 0.0 ? std::sqrt(squares) / problem.norm : squares;
}

}  // namespace

double minimise_row(const RowProblem& problem, const std::vector<char>& may_differ,
                    double tolerance, Index max_passes, Vec a) {
  for (Index pass = 0; pass < max_passes; ++pass) {
    double moved = 0.0;
    for (Index k = 0; k < std::ssize(a); ++k) {
      if (may_differ[k] == 0) continue;
      const double before = a[k];
      a[k] = best_entry(problem, a, k);
      moved += squared_move(problem, k, before, a[k]);
    }
    // The gap costs as much as a pass: it is looked at when little moved, or nothing can.
    if (std::sqrt(moved) > tolerance * problem.norm) continue;
    const double gap = gap_of(problem, may_differ, a);
    if (!(gap > tolerance) || moved == 0.0) return gap;
  }
  return gap_of(problem, may_differ, a);
}

double fit_of_row(const RowProblem& problem, ConstVec a) {
  double total = 0.0;
  for (Index k = 0; k < std::ssize(a); ++k) {
    double product = -2.0 * problem.y[k];
    for (Index j = 0; j < std::ssize(a); ++j) product += problem.q(k, j) * a[j];
    total += a[k] * product;
  }
  return total;
}

}  // namespace gingham::methods::tensor
