// The weights s_0 ... s_t-1 of a rank-one term over time, its unit vectors fixed:
//
//   min  sum_i (0.5 D_i s_i^2 - G_i s_i) + sum_e c_e |p_e s_i(e)+1 - q_e s_i(e)|,   s >= 0.
//
// D_i = sum of (u_r v_c)^2 over the observed cells (1 where all are observed), G_i = u_i^T R_i v_i
// less the sparsity penalties per unit of s_i. An edge e lies between times i and i + 1: an entry
// of a fused side has p and q from the two unit vectors and c = gamma.
#pragma once
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham::methods::rank_one {

// Ratios q / p of edges nearer than this are one: they differ by the rounding of two divisions and
// of the unit vectors.
inline constexpr double kSameRatio = 1e-13;

struct WeightEdge {
  Index time = 0;
  double next = 0.0, now = 0.0;  // p, q
  double cost = 0.0;             // c

  double of(const std::vector<double>& s) const { return next * s[time + 1] - now * s[time]; }
  void add_to(double force, std::vector<double>& x) const {  // the transposed of `of`
    x[time + 1] += next * force;
    x[time] -= now * force;
  }
};

struct WeightProblem {
  std::vector<double> curvature;  // D
  std::vector<double> gain;       // G
  std::vector<WeightEdge> edges;

  double value(const std::vector<double>& s) const;
};

struct Weights {
  std::vector<double> s;
  // Duality gap in units of the largest [G / D]_+ squared, or how far the forces are from balance
  // in units of that, whichever is less.
  double gap = 0.0;
};

// Without edges each weight has a closed form: [G / D]_+.
Weights separate_weights(const WeightProblem& problem);
// One weight for all times: [sum G / sum D]_+. The edges must cost s times a constant.
Weights tied_weights(const WeightProblem& problem);
// Where the edges are cost * |s_i+1 - s_i| for all i, as for vectors that do not change: exact.
Weights chained_weights(const WeightProblem& problem, double cost);
// Any edges: in one of these forms where there is one, otherwise by a primal-dual interior-point
// method, whose linear systems are tridiagonal, so that an iteration costs O(t + edges), and an
// exact solution of what it points to.
Weights solve_weights(const WeightProblem& problem);

}  // namespace gingham::methods::rank_one
