// Total variation along signals (the fused lasso), exact and by the dual.
//
//   min_v  sum_i (h_i v_i^2 / 2 - b_i v_i)  +  gamma sum_{i<t} |v_{i+1} - v_i|  +  alpha sum_i
//   |v_i|
//
// One signal has t values. Plain problems have h = 1 and b = a, the signal itself; there the term
// with alpha is a soft threshold after the rest (Ji, Zhang, Liu 2012, Theorem 3.1). Many signals
// lie in a t x n matrix, time-major: value i of signal j is (i, j). The exact solvers cost O(t) per
// signal, whatever the values (the plain one O(t^2) up to 64 values, where that is faster); signals
// are independent, so results do not depend on threads. All functions throw Error{internal} for a
// value that is not finite and for a negative or NaN weight.
#pragma once
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham {

// signal <- argmin_v ||v - signal||^2 / 2 + gamma TV(v), by the taut string. At gamma >=
// tv_gamma_max the result is constant to the last bit.
void tv_prox(Vec signal, double gamma);
void tv_prox(Matrix& signals, double gamma, Executor& executor);

// The problem with curvature h >= 0 and linear term b, by dynamic programming over the derivative.
// Where h = 0 nothing was observed: b is not read, alpha counts as 0, and the value is carried over
// from the next observed time (at the end: the last); with gamma = 0, or when nothing is observed,
// it is 0. `result` has the same size and may be the same memory as h or b.
void tv_prox_weighted(ConstVec h, ConstVec b, double gamma, double alpha, Vec result);
void tv_prox_weighted(ConstVec h, ConstVec b, double gamma, ConstVec alpha, Vec result);
void tv_prox_weighted(const Matrix& h, const Matrix& b, double gamma, double alpha, Matrix& result,
                      Executor& executor);

// The smallest gamma at which the plain solution is constant over time: max_j |sum_{i<=j} (a_i -
// mean)|. For a matrix: one number per signal; the maximum over all is what makes all of them
// constant.
double tv_gamma_max(ConstVec signal);
std::vector<double> tv_gamma_max(const Matrix& signals, Executor& executor);

// The same for the weighted problem; `level` receives that constant, soft(sum b, t alpha) / sum h.
double tv_gamma_max_weighted(ConstVec h, ConstVec b, double alpha, double* level = nullptr);
std::vector<double> tv_gamma_max_weighted(const Matrix& h, const Matrix& b, double alpha,
                                          Executor& executor);

// Distance from -gradient to the subdifferential of gamma TV + sum_i alpha_i |.| at `point`: 0
// where the point is stationary. Neighbours count as equal only when they are equal to the last
// bit.
double tv_gap(ConstVec point, ConstVec gradient, double gamma, double alpha);
double tv_gap(ConstVec point, ConstVec gradient, double gamma, ConstVec alpha);

struct TvDualOptions {
  double tolerance = 1e-8;  // of the duality gap, relative to max(1, ||signals||^2 / 2)
  Index max_iterations = 100000;
};

struct TvDualResult {
  std::vector<double> gaps;  // duality gap summed over the signals, before each gradient step
  bool converged = false;    // the last gap is within the tolerance
};

// The plain problem by projected gradient on its dual (the paper's solver, kept for its Figure 6):
//   w <- clip(w + F v / lambda_max, +-gamma),  v = a - F'w,  lambda_max = 4 cos^2(pi / 2t),
// where (F v)_i = v_{i+1} - v_i. The gap gamma |F v|_1 - <w, F v> bounds the error of both
// objectives and
// ||v - exact||^2. Signals are replaced by v, those of the last gap. (Nesterov's steps take at best
// half as many iterations, for 50 values and a gap of 1e-8, each twice as long.)
TvDualResult tv_prox_dual(Matrix& signals, double gamma, const TvDualOptions& options,
                          Executor& executor);

}  // namespace gingham
