// Kernels, affinities and the combined methods against plain loops and Eigen's dense solver.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gingham/engine/check.hpp"
#include "gingham/engine/run.hpp"
#include "gingham/methods/kernel_views/affinity.hpp"
#include "gingham/methods/kernel_views/kernel.hpp"
#include "methods/views/planted_views.hpp"
#include "support/dense.hpp"

namespace gingham::methods::kernel_views {
namespace {

using testing::agreement;
using testing::planted_views;

constexpr Scale kScales[] = {Scale::none, Scale::center, Scale::standardize, Scale::unit,
                             Scale::rows};

PenaltyValue automatic() { return {.kind = PenaltyValue::Kind::word, .number = 0, .word = "auto"}; }

Matrix random_matrix(Index n, Index d, double zeros, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "kernels");
  Matrix x(n, d);
  for (double& cell : x.values()) cell = rng.uniform() < zeros ? 0.0 : 1.0 + rng.normal();
  return x;
}

// Rows of the scaled view and what the kernel should be, from the rows alone.
Eigen::MatrixXd naive_kernel(const PreparedMatrix& view, KernelKind kind, double* width) {
  const Index n = view.rows();
  Eigen::MatrixXd rows(n, view.cols());
  std::vector<double> row(static_cast<std::size_t>(view.cols()));
  for (Index i = 0; i < n; ++i) {
    view.fill_row(i, row);
    for (Index j = 0; j < view.cols(); ++j) rows(i, j) = row[j];
  }
  Eigen::MatrixXd k = rows * rows.transpose();
  if (kind == KernelKind::linear) return k;
  std::vector<double> distances;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      k(i, j) = (rows.row(i) - rows.row(j)).norm();
      // The same row but for rounding.
      if (k(i, j) < 1e-13 * (rows.row(i).norm() + rows.row(j).norm())) k(i, j) = 0.0;
      if (j < i) distances.push_back(k(i, j));
    }
  }
  std::sort(distances.begin(), distances.end());
  if (!distances.empty() && distances[(distances.size() - 1) / 2] == 0.0)
    std::erase(distances, 0.0);
  *width = distances.empty() ? 1.0 : distances[(distances.size() - 1) / 2];
  return (-k.array().square() / (2.0 * *width * *width)).exp();
}

void expect_same_kernel(const Block& block, Scale scale, KernelKind kind) {
  SCOPED_TRACE(block.name() + " " + std::to_string(static_cast<int>(scale)));
  ThreadPool pool(2);
  const PreparedMatrix view(block, scale, pool);
  double width = 0.0;
  const Eigen::MatrixXd wanted = naive_kernel(view, kind, &width);
  const Kernel found = make_kernel(view, kind, automatic(), [] {});
  EXPECT_NEAR(found.width, width, 1e-12 * width);
  const double unit = std::ldexp(1.0, 2 * found.exponent), size = wanted.cwiseAbs().maxCoeff();
  for (Index i = 0; i < view.rows(); ++i) {
    for (Index j = 0; j < view.rows(); ++j) {
      EXPECT_NEAR(found.values(i, j) * unit, wanted(i, j), 1e-12 * size) << i << " " << j;
      EXPECT_EQ(found.values(i, j), found.values(j, i));
    }
  }
}

TEST(Kernels, AreWhatTheFormulasSay) {
  for (const Index n : {2, 17, 140, 300}) {
    for (const Index d : {1, 9, 600}) {
      const Matrix x = random_matrix(n, d, 0.6, static_cast<std::uint64_t>(n + d));
      for (const Scale scale : kScales) {
        for (const KernelKind kind : {KernelKind::gaussian, KernelKind::linear}) {
          expect_same_kernel(Block("dense", x), scale, kind);
          expect_same_kernel(Block("sparse", SparseMatrix::from_dense(x)), scale, kind);
        }
      }
    }
  }
}

TEST(Kernels, OfEqualRowsAreExactlyOneAtAnyOffset) {
  Matrix x = random_matrix(30, 7, 0.0, 3);
  for (double& cell : x.values()) cell += 1e6;
  std::copy(x.row(0).begin(), x.row(0).end(), x.row(9).begin());
  ThreadPool pool(1);
  const Block block("x", x);
  const PreparedMatrix view(block, Scale::none, pool);
  const Kernel found = make_kernel(view, KernelKind::gaussian, automatic(), [] {});
  double width = 0.0;
  const Eigen::MatrixXd wanted = naive_kernel(view, KernelKind::gaussian, &width);
  EXPECT_EQ(found.values(0, 9), 1.0);
  EXPECT_NEAR(found.width, width, 1e-8 * width);
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 30; ++j) EXPECT_NEAR(found.values(i, j), wanted(i, j), 1e-8);
  }
}

TEST(Kernels, TheMedianIsOfThePositiveDistancesWhereMostRowsAreEqual) {
  Matrix x(6, 2);
  x(5, 0) = 3.0;
  x(5, 1) = 4.0;
  x(4, 0) = 1.0;
  ThreadPool pool(1);
  const Block block("x", x);
  const PreparedMatrix view(block, Scale::none, pool);
  // Distances: six of 0, four of 1, four of 5 and one of sqrt(20); the middle one is 1.
  EXPECT_NEAR(make_kernel(view, KernelKind::gaussian, automatic(), [] {}).width, 1.0, 1e-15);
  x(4, 0) = 0.0;
  const Block mostly("x", x);
  const PreparedMatrix equal(mostly, Scale::none, pool);
  EXPECT_NEAR(make_kernel(equal, KernelKind::gaussian, automatic(), [] {}).width, 5.0, 1e-14);
}

TEST(Kernels, SelectionIsThatOfSorting) {
  ThreadPool pool(2);
  Rng rng = Rng::named(7, "select");
  for (const Index n : {2, 3, 40, 200}) {
    Matrix x(n, n);
    std::vector<double> all;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < i; ++j) {
        x(i, j) = rng.uniform() < 0.3
                      ? 0.0
                      : std::ldexp(rng.uniform(), static_cast<int>(rng.below(600)) - 300);
        all.push_back(x(i, j));
      }
    }
    std::sort(all.begin(), all.end());
    for (Index trial = 0; trial < 20; ++trial) {
      const Index rank = rng.below(static_cast<Index>(all.size()));
      EXPECT_EQ(select_below_diagonal(x, rank, pool), all[rank]);
    }
  }
}

// The embedding spans what Eigen finds; F is that of the labels.
TEST(CombinedKernels, EmbedsByTheLeadingEigenvectors) {
  const Dataset data = planted_views(150, 3, 4.0, 1).data;
  for (const char* name : {"kernel-sum", "kernel-product"}) {
    const MethodInfo& info = find_method(name);
    Options options = info.make_options();
    options.set("tolerance", "1e-10");
    const Result result = run(info, data, options);
    EXPECT_EQ(result.status, Status::converged);
    ThreadPool pool(1);
    Eigen::MatrixXd k;
    for (Index v = 0; v < data.size(); ++v) {
      const PreparedMatrix view(data.block(v), Scale::center, pool);
      double width = 0.0;
      const Eigen::MatrixXd one = naive_kernel(view, KernelKind::gaussian, &width);
      if (v == 0) {
        k = one;
      } else if (info.name == "kernel-sum") {
        k += one;
      } else {
        k = k.cwiseProduct(one);
      }
    }
    const Eigen::VectorXd scale = k.rowwise().sum().cwiseSqrt().cwiseInverse();
    const testing::DenseEigenpairs all =
        testing::dense_eigenpairs(scale.asDiagonal() * k * scale.asDiagonal());
    const Matrix& found = result.matrix("embedding");
    const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> u(found.data(), 150, 3);
    const Eigen::MatrixXd wanted = all.vectors.rightCols(3);
    EXPECT_NEAR(testing::dense_singular_values(wanted.transpose() * u).minCoeff(), 1.0, 1e-9);
    for (Index i = 0; i < 3; ++i)
      EXPECT_NEAR(result.vector("values")[i], all.values(149 - i), 1e-10);
  }
}

TEST(CombinedKernels, SayTheirMemoryBeforeTheyStart) {
  const Dataset data({Block("a", Matrix(20000, 1)), Block("b", Matrix(20000, 1))});
  for (const char* name : {"kernel-sum", "kernel-product"}) {
    const MethodInfo& info = find_method(name);
    EXPECT_GE(estimate_bytes(info, data, info.make_options()), 6.4e9);
  }
}

TEST(CombinedKernels, TakeOneWidthOrOneForEach) {
  const Dataset data = planted_views(40, 3, 4.0, 2).data;
  const MethodInfo& info = find_method("kernel-sum");
  Options options = info.make_options();
  options.set("width", "2,50%");
  const Result result = run(info, data, options);
  ASSERT_EQ(result.model.used.size(), 1u);
  EXPECT_EQ(result.model.used[0].values[0], 2.0);
  options.set("width", "1,2,3");
  EXPECT_THROW(run(info, data, options), Error);
}

}  // namespace
}  // namespace gingham::methods::kernel_views
