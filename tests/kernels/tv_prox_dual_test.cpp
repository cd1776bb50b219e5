#include <gtest/gtest.h>

#include "gingham/base/rng.hpp"
#include "gingham/kernels/tv_prox.hpp"

namespace gingham {
namespace {

Matrix random_signals(Index t, Index n, const char* name) {
  Rng rng = Rng::named(1, name);
  Matrix a(t, n);
  for (double& x : a.values()) x = rng.normal();
  return a;
}

// gap = primal objective - dual objective, from their definitions.
double gap_by_definition(const Matrix& a, const Matrix& v, double gamma) {
  // v = a - F'w determines w: w_i = sum_{k<=i} (v_k - a_k).
  double primal = 0.0, dual = 0.0;
  for (Index j = 0; j < a.cols(); ++j) {
    double w = 0.0;
    for (Index i = 0; i < a.rows(); ++i) {
      primal += 0.5 * (v(i, j) - a(i, j)) * (v(i, j) - a(i, j));
      if (i + 1 < a.rows()) primal += gamma * std::abs(v(i + 1, j) - v(i, j));
      w += v(i, j) - a(i, j);
      EXPECT_LE(std::abs(w), gamma * (1 + 1e-9) + 1e-9);
      dual += 0.5 * a(i, j) * a(i, j) - 0.5 * v(i, j) * v(i, j);
    }
    EXPECT_NEAR(w, 0.0, 1e-9);
  }
  return primal - dual;
}

TEST(TvProxDual, AgreesWithTheExactSolver) {
  ThreadPool pool(2);
  for (const Index t : {2, 3, 7, 20}) {
    const Matrix a = random_signals(t, 5, "dual");
    double half_square = 0.0;
    for (const double x : a.values()) half_square += 0.5 * x * x;
    const double tolerance = 1e-13 / std::max(1.0, half_square);  // a gap of 1e-13: v to 3.2e-7
    for (const double gamma : {0.1, 0.5, 2.0}) {
      Matrix exact = a;
      tv_prox(exact, gamma, pool);
      Matrix v = a;
      const TvDualResult result = tv_prox_dual(v, gamma, {.tolerance = tolerance}, pool);
      ASSERT_TRUE(result.converged) << t << " " << gamma;
      ASSERT_LE(result.gaps.back(), 1e-13);
      for (Index i = 0; i < v.size(); ++i) ASSERT_NEAR(v.data()[i], exact.data()[i], 1e-6);
    }
  }
}

TEST(TvProxDual, TheSummedGapFallsMonotonicallyAndIsWhatItSays) {
  ThreadPool pool(2);
  const Matrix a = random_signals(7, 400, "monotone");
  for (const double gamma : {0.01, 0.1, 0.5, 2.0, 10.0}) {
    for (const Index iterations : {1, 2, 10, 50}) {
      Matrix v = a;
      const TvDualResult result =
          tv_prox_dual(v, gamma, {.tolerance = 0.0, .max_iterations = iterations}, pool);
      // A gap of exactly zero ends it before the iterations are used up.
      ASSERT_TRUE(static_cast<Index>(result.gaps.size()) == iterations ||
                  result.gaps.back() == 0.0);
      for (std::size_t k = 1; k < result.gaps.size(); ++k) {
        ASSERT_LE(result.gaps[k], result.gaps[k - 1] * (1 + 1e-12) + 1e-11) << gamma << " " << k;
      }
      EXPECT_NEAR(result.gaps.back(), gap_by_definition(a, v, gamma), 1e-9);
    }
  }
}

TEST(TvProxDual, TheGapBoundsTheSquaredDistance) {
  ThreadPool pool(1);
  const Matrix a = random_signals(15, 30, "bound");
  Matrix exact = a;
  tv_prox(exact, 1.0, pool);
  for (const Index iterations : {1, 5, 20, 100}) {
    Matrix v = a;
    const TvDualResult result =
        tv_prox_dual(v, 1.0, {.tolerance = 0.0, .max_iterations = iterations}, pool);
    double square = 0.0;
    for (Index i = 0; i < v.size(); ++i) {
      square += (v.data()[i] - exact.data()[i]) * (v.data()[i] - exact.data()[i]);
    }
    EXPECT_LE(square, result.gaps.back() * (1 + 1e-9));
  }
}

TEST(TvProxDual, SameBitsOnAnyNumberOfThreads) {
  ThreadPool one(1), three(3);
  const Matrix a = random_signals(7, 5000, "threads");
  Matrix v = a, w = a;
  const TvDualResult first = tv_prox_dual(v, 0.5, {.tolerance = 1e-8}, one);
  const TvDualResult second = tv_prox_dual(w, 0.5, {.tolerance = 1e-8}, three);
  EXPECT_EQ(first.gaps, second.gaps);
  for (Index i = 0; i < v.size(); ++i) ASSERT_EQ(v.data()[i], w.data()[i]);
}

TEST(TvProxDual, HasNothingToDoForOneTimeOrNoWeight) {
  ThreadPool pool(1);
  for (const auto& [t, n, gamma] :
       std::vector<std::tuple<Index, Index, double>>{{1, 4, 1.0}, {5, 4, 0.0}, {5, 0, 1.0}}) {
    const Matrix a = random_signals(t, n, "idle");
    Matrix v = a;
    EXPECT_TRUE(tv_prox_dual(v, gamma, {}, pool).converged);
    for (Index i = 0; i < v.size(); ++i) EXPECT_EQ(v.data()[i], a.data()[i]);
  }
}

}  // namespace
}  // namespace gingham
