// The paper's Algorithm 1 by plain loops, and what must hold of --solver palm.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/multiview/random_views.hpp"

namespace gingham {
namespace {

using Numbers = std::vector<double>;

// Eq. (6) and (7): the `count` largest magnitudes stay, the lower index first among equals.
void keep(std::size_t count, Numbers& x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(x[a]) > std::abs(x[b]); });
  for (std::size_t r = count; r < order.size(); ++r) x[order[r]] = 0.0;
}

// Algorithm 1 as it is printed.
struct Paper {
  std::vector<Matrix> x;
  std::size_t s_omega;
  std::vector<std::size_t> s_v;
  double gamma;
  Numbers omega;
  std::vector<Numbers> u, v;

  std::size_t rows() const { return static_cast<std::size_t>(x[0].rows()); }
  std::size_t columns(std::size_t k) const { return static_cast<std::size_t>(x[k].cols()); }

  // (omega o u) v^T - X, cell by cell
  double error(std::size_t k, std::size_t i, std::size_t j) const {
    return omega[i] * u[k][i] * v[k][j] - x[k](static_cast<Index>(i), static_cast<Index>(j));
  }

  // v = 1 / sqrt(d), omega = 1, u = X v / |v|^2
  void start() {
    omega.assign(rows(), 1.0);
    for (std::size_t k = 0; k < x.size(); ++k) {
      v.emplace_back(columns(k), 1.0 / std::sqrt(static_cast<double>(columns(k))));
      u.emplace_back(rows(), 0.0);
      for (std::size_t i = 0; i < rows(); ++i) {
        double product = 0.0;
        for (std::size_t j = 0; j < columns(k); ++j) product -= error(k, i, j) * v[k][j];
        u[k][i] = product;  // |v| = 1
      }
    }
  }

  void step_u(std::size_t k) {
    double v_squares = 0.0, fourth = 0.0;
    for (const double one : v[k]) v_squares += one * one;
    for (const double one : omega) fourth += one * one * one * one;
    const double lipschitz = v_squares * std::sqrt(fourth);
    Numbers gradient(rows(), 0.0);
    for (std::size_t i = 0; i < rows(); ++i) {
      for (std::size_t j = 0; j < columns(k); ++j) {
        gradient[i] += omega[i] * error(k, i, j) * v[k][j];
      }
    }
    for (std::size_t i = 0; i < rows(); ++i) u[k][i] -= gradient[i] / (gamma * lipschitz);
  }

  void step_v(std::size_t k) {
    double lipschitz = 0.0;
    for (std::size_t i = 0; i < rows(); ++i) lipschitz += std::pow(omega[i] * u[k][i], 2);
    Numbers gradient(columns(k), 0.0);
    for (std::size_t j = 0; j < columns(k); ++j) {
      for (std::size_t i = 0; i < rows(); ++i) {
        gradient[j] += error(k, i, j) * omega[i] * u[k][i];
      }
    }
    for (std::size_t j = 0; j < columns(k); ++j) v[k][j] -= gradient[j] / (gamma * lipschitz);
    keep(s_v[k], v[k]);
  }

  void step_omega() {
    Numbers gradient(rows(), 0.0), hessian(rows(), 0.0);
    for (std::size_t k = 0; k < x.size(); ++k) {
      for (std::size_t i = 0; i < rows(); ++i) {
        for (std::size_t j = 0; j < columns(k); ++j) {
          gradient[i] += error(k, i, j) * v[k][j] * u[k][i];
          hessian[i] += v[k][j] * v[k][j] * u[k][i] * u[k][i];
        }
      }
    }
    double squares = 0.0;
    for (const double one : hessian) squares += one * one;
    for (std::size_t i = 0; i < rows(); ++i) omega[i] -= gradient[i] / (gamma * std::sqrt(squares));
    keep(s_omega, omega);
  }

  void iterate() {
    for (std::size_t k = 0; k < x.size(); ++k) step_u(k);
    for (std::size_t k = 0; k < x.size(); ++k) step_v(k);
    step_omega();
  }
};

void expect_near(const Numbers& expected, const Matrix& found, const std::string& what) {
  double most = 0.0;
  for (const double one : expected) most = std::max(most, std::abs(one));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(found(static_cast<Index>(i), 0), expected[i], 1e-9 * most) << what << " " << i;
  }
}

Dataset dataset(const std::vector<Matrix>& views) {
  std::vector<Block> blocks;
  for (std::size_t k = 0; k < views.size(); ++k) {
    blocks.push_back(testing::view_block(views[k], "view" + std::to_string(k), false));
  }
  return Dataset(std::move(blocks));
}

Matrix normal_matrix(Index rows, Index columns, Rng& rng) {
  Matrix x(rows, columns);
  for (double& value : x.values()) value = rng.normal();
  return x;
}

// Three groups of 15 rows, high in columns of their own, and 15 other rows.
std::vector<Matrix> planted(std::uint64_t seed) {
  Rng rng = Rng::named(seed, "planted rows");
  std::vector<Matrix> views;
  for (const Index own : {4, 3}) {
    Matrix x = normal_matrix(60, 3 * own + 6, rng);
    for (Index i = 0; i < 45; ++i) {
      for (Index j = 0; j < own; ++j) x(i, i / 15 * own + j) += 2.0;
    }
    views.push_back(std::move(x));
  }
  return views;
}

std::set<Index> rows_of(const Result& result) {
  std::set<Index> rows;
  const Matrix& omega = result.matrix("omega");
  for (Index i = 0; i < omega.rows(); ++i) {
    if (omega(i, 0) != 0.0) rows.insert(i);
  }
  return rows;
}

TEST(MultiviewPalm, LiteralIteratesAreThoseOfThePaper) {
  Rng rng = Rng::named(1, "paper");
  const double gammas[] = {1.01, 1.1, 2.0};
  for (int trial = 0; trial < 12; ++trial) {
    std::vector<Matrix> views;
    const Index rows = 8 + rng.below(12), n_views = 1 + rng.below(3);
    for (Index k = 0; k < n_views; ++k) views.push_back(normal_matrix(rows, 3 + rng.below(8), rng));
    const Index s_omega = 3 + rng.below(rows - 3);
    Paper paper{.x = views,
                .s_omega = static_cast<std::size_t>(s_omega),
                .s_v = {},
                .gamma = gammas[trial % 3],
                .omega = {},
                .u = {},
                .v = {}};
    std::string columns;
    for (const Matrix& view : views) {
      const Index count = 1 + rng.below(view.cols());
      paper.s_v.push_back(static_cast<std::size_t>(count));
      columns += (columns.empty() ? "" : ",") + std::to_string(count);
    }
    paper.start();
    const Dataset data = dataset(views);
    for (Index t = 1; t <= 40; ++t) {
      paper.iterate();
      if (t > 5 && t % 7 != 0) continue;
      const Result result = run("multiview", data,
                                {{"clusters", 1},
                                 {"rows", s_omega},
                                 {"columns", columns},
                                 {"scale", "none"},
                                 {"start", "ones"},
                                 {"solver", "palm"},
                                 {"palm", "literal"},
                                 {"gamma", paper.gamma},
                                 {"tolerance", 0.0},
                                 {"max-iterations", t}});
      ASSERT_EQ(result.iterations, t);
      const std::string what = "trial " + std::to_string(trial) + ", " + std::to_string(t) + ": ";
      expect_near(paper.omega, result.matrix("omega"), what + "omega");
      for (std::size_t k = 0; k < views.size(); ++k) {
        const std::string tail = "_" + std::to_string(k);
        expect_near(paper.u[k], result.matrix("u" + tail), what + "u" + tail);
        expect_near(paper.v[k], result.matrix("v" + tail), what + "v" + tail);
      }
      const Verification verification = verify_result(data, result);
      EXPECT_TRUE(verification.passed()) << verification.differences[0];
    }
  }
}

TEST(MultiviewPalm, RowsEnterFromOnes) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const std::vector<Matrix> views = planted(seed);
    const auto after = [&](Index iterations) {
      return run("multiview", dataset(views),
                 {{"clusters", 1},
                  {"rows", 15},
                  {"columns", "4,3"},
                  {"start", "ones"},
                  {"solver", "palm"},
                  {"max-iterations", iterations}});
    };
    const Result first = after(1), last = after(500);
    EXPECT_EQ(last.status, Status::converged) << seed;
    EXPECT_EQ(rows_of(last).size(), 15u) << seed;
    const std::set<Index> before = rows_of(first);
    Index n_entered = 0;
    for (const Index i : rows_of(last)) n_entered += before.contains(i) ? 0 : 1;
    EXPECT_GT(n_entered, 0) << seed;
    EXPECT_LT(last.terms.objective(), first.terms.objective()) << seed;
  }
}

// The rows and columns that palm ends with depend on how many columns there may be.
TEST(MultiviewPalm, RowsDependOnTheColumns) {
  Index n_changed = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto rows = [&](const char* columns) {
      return rows_of(
          run("multiview", dataset(planted(seed)),
              {{"clusters", 1}, {"rows", 15}, {"columns", columns}, {"solver", "palm"}}));
    };
    n_changed += rows("1") != rows("100%") ? 1 : 0;
  }
  EXPECT_EQ(n_changed, 4);
}

// Gains by plain loops: converged is said of rows that no step of palm would leave.
TEST(MultiviewPalm, ConvergedMeansThatNoOtherRowExplainsMoreThanGammaSquaredTimesAsMuch) {
  for (const double gamma : {1.01, 1.5}) {
    Index n_converged = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      Rng rng = Rng::named(seed, "small");
      const std::vector<Matrix> views{normal_matrix(12, 5, rng), normal_matrix(12, 4, rng)};
      for (const char* const variant : {"rescaled", "literal"}) {
        const Result result = run("multiview", dataset(views),
                                  {{"clusters", 1},
                                   {"rows", 5},
                                   {"columns", 2},
                                   {"scale", "none"},
                                   {"sign", "any"},
                                   {"solver", "palm"},
                                   {"palm", variant},
                                   {"gamma", gamma},
                                   {"tolerance", 1e-8},
                                   {"max-iterations", 500}});
        const Matrix& omega = result.matrix("omega");
        double least_in = INFINITY, most_out = 0.0;
        for (Index i = 0; i < 12; ++i) {
          double gain = 0.0;
          for (std::size_t k = 0; k < 2; ++k) {
            const Matrix& v = result.matrix("v_" + std::to_string(k));
            double z = 0.0, norm = 0.0;
            for (Index j = 0; j < v.rows(); ++j) {
              z += views[k](i, j) * v(j, 0);
              norm += v(j, 0) * v(j, 0);
            }
            gain += z * z / norm;
          }
          if (omega(i, 0) != 0.0) least_in = std::min(least_in, gain);
          if (omega(i, 0) == 0.0) most_out = std::max(most_out, gain);
        }
        const bool is_fixed = most_out <= gamma * gamma * least_in * (1.0 + 1e-6);
        if (result.status == Status::converged) {
          EXPECT_TRUE(is_fixed) << seed << " " << variant;
          n_converged += 1;
        }
        if (std::string(variant) == "rescaled") {
          EXPECT_EQ(result.status, Status::converged) << seed;
        }
      }
    }
    EXPECT_GE(n_converged, 8);
  }
}

TEST(MultiviewPalm, StepsLongerThanTheConstantsAllowAreRefused) {
  try {
    run("multiview", dataset(planted(0)), {{"solver", "palm"}, {"gamma", 1.0}});
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("above 1"), std::string::npos);
  }
}

}  // namespace
}  // namespace gingham
