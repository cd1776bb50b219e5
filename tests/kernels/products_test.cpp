#include "gingham/kernels/products.hpp"

#include "kernels/support.hpp"

namespace gingham {
namespace {

using test::expect_product;
using test::random_matrix;
using test::random_vector;
using test::same_on_all_threads;
using test::transpose_of;

// Nothing, single cells, rows and columns, sizes around the lanes, and enough for many blocks:
// tall, wide, few long rows, few long columns.
const std::vector<std::pair<Index, Index>> kShapes = {
    {0, 0},    {0, 3},     {3, 0},     {1, 1},     {1, 17},     {17, 1},
    {4, 8},    {5, 9},     {7, 16},    {33, 31},   {64, 65},    {700, 90},
    {90, 700}, {300, 300}, {5, 40000}, {40000, 5}, {1, 200000}, {200000, 1}};

std::vector<double> run(const Matrix& a, const std::vector<double>& x, bool transposed) {
  return same_on_all_threads<double>([&](Executor& executor) {
    std::vector<double> y(static_cast<std::size_t>(transposed ? a.cols() : a.rows()), -7.0);
    transposed ? multiply_transposed(a, x, y, executor) : multiply(a, x, y, executor);
    return y;
  });
}

TEST(Products, DenseMatrixTimesVector) {
  Rng rng = Rng::named(1, "dense");
  for (const auto& [rows, cols] : kShapes) {
    const Matrix a = random_matrix(rows, cols, rng);
    const std::vector<double> x = random_vector(cols, rng), u = random_vector(rows, rng);
    expect_product(a, x, run(a, x, false));
    expect_product(transpose_of(a), u, run(a, u, true));
  }
}

TEST(Products, SweepUsesWhatTheCallbackMakesOfEachRow) {
  Rng rng = Rng::named(3, "sweep");
  const auto made = [](Index i, double av) {
    return std::fabs(av) > 0.5 ? av - 0.01 * static_cast<double>(i % 5) : 0.0;
  };
  for (const auto& [rows, cols] : kShapes) {
    const Matrix a = random_matrix(rows, cols, rng);
    const std::vector<double> v = random_vector(cols, rng);
    const std::vector<double> got =
        same_on_all_threads<double>([&, m = rows, n = cols](Executor& executor) {
          std::vector<double> result(static_cast<std::size_t>(m + n), -7.0);
          std::vector<int> calls(static_cast<std::size_t>(m));
          sweep(
              a, v,
              [&](Index begin, Index end, ConstVec av, Vec u) {
                for (Index i = begin; i < end; ++i) {
                  u[i - begin] = made(i, av[i - begin]);
                  ++calls[i];
                }
              },
              Vec(result).first(m), Vec(result).last(n), executor);
          EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), m);
          return result;
        });
    const std::vector<double> av(got.begin(), got.begin() + rows);
    expect_product(a, v, av);
    std::vector<double> u;
    for (Index i = 0; i < rows; ++i) u.push_back(made(i, av[i]));
    expect_product(transpose_of(a), u, {got.begin() + rows, got.end()});
  }
}

TEST(Products, SparseMatrixTimesVector) {
  Rng rng = Rng::named(4, "sparse");
  for (const auto& [rows, cols, share] : {std::tuple<Index, Index, double>{0, 0, 1},
                                          {3, 0, 1},
                                          {0, 3, 1},
                                          {1, 1, 1},
                                          {5, 7, 0},
                                          {6, 9, 0.5},
                                          {1, 300, 0.7},
                                          {300, 1, 0.7},
                                          {900, 400, 0.4}}) {
    const SparseMatrix a = test::random_sparse(rows, cols, share, rng);
    const Matrix dense = test::dense_of(a);
    const std::vector<double> x = random_vector(cols, rng), u = random_vector(rows, rng);
    const std::vector<double> ax = same_on_all_threads<double>([&](Executor& executor) {
      std::vector<double> y(static_cast<std::size_t>(a.rows()), -7.0);
      multiply(a, x, y, executor);
      return y;
    });
    expect_product(dense, x, ax);
    const std::vector<double> atu = same_on_all_threads<double>([&](Executor& executor) {
      std::vector<double> y(static_cast<std::size_t>(a.cols()), -7.0);
      multiply_transposed(a, u, y, executor);
      return y;
    });
    expect_product(transpose_of(dense), u, atu);
  }
}

TEST(Products, BlocksGoToTheirKindAndTensorsAreRefused) {
  Rng rng = Rng::named(5, "blocks");
  ThreadPool pool(1);
  const SparseMatrix sparse = test::random_sparse(12, 8, 0.5, rng);
  const Matrix dense = test::dense_of(sparse);
  const std::vector<double> x = random_vector(8, rng), u = random_vector(12, rng);
  const Matrix thin = random_matrix(8, 3, rng), thin_u = random_matrix(12, 3, rng);
  for (const Block& block : {Block("d", Matrix(dense)), Block("s", SparseMatrix(sparse))}) {
    std::vector<double> y(12), z(8);
    Matrix yy, zz;
    multiply(block, x, y, pool);
    multiply_transposed(block, u, z, pool);
    multiply(block, thin, yy, pool);
    multiply_transposed(block, thin_u, zz, pool);
    expect_product(dense, x, y);
    expect_product(transpose_of(dense), u, z);
    expect_product(dense, thin, yy);
    expect_product(transpose_of(dense), thin_u, zz);
  }
  const Block tensor("t", test::random_tensor({2, 3, 4}, rng));
  std::vector<double> y(2), z(3);
  Matrix yy;
  EXPECT_THROW(multiply(tensor, z, y, pool), Error);
  EXPECT_THROW(multiply_transposed(tensor, y, z, pool), Error);
  EXPECT_THROW(multiply(tensor, thin, yy, pool), Error);
  EXPECT_THROW(multiply_observed(tensor, z, y, y, pool), Error);
}

TEST(Products, WrongSizesAreRefused) {
  ThreadPool pool(1);
  const Matrix a(3, 4);
  std::vector<double> three(3), four(4);
  Matrix y;
  EXPECT_THROW(multiply(a, three, three, pool), Error);
  EXPECT_THROW(multiply(a, four, four, pool), Error);
  EXPECT_THROW(multiply_transposed(a, four, four, pool), Error);
  EXPECT_THROW(multiply(a, Matrix(3, 2), y, pool), Error);
  EXPECT_THROW(multiply_transposed(a, Matrix(4, 2), y, pool), Error);
}

// Vectors with zeros take other ways through the matrix.
TEST(DenseProducts, AgreeForVectorsWithZeros) {
  Rng rng = Rng::named(21, "zeros");
  ThreadPool one(1), two(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Index m = 1 + rng.below(300), n = 1 + rng.below(trial % 4 == 0 ? 5000 : 200);
    const double share = std::array{0.0, 0.01, 0.05, 0.5, 0.95, 1.0}[rng.below(6)];
    Matrix a(m, n);
    for (double& value : a.values()) value = rng.normal();
    std::vector<double> x(static_cast<std::size_t>(n)), u(static_cast<std::size_t>(m));
    for (double& value : x) value = rng.uniform() < share ? rng.normal() : 0.0;
    for (double& value : u) value = rng.uniform() < share ? rng.normal() : 0.0;
    std::vector<double> y(u.size()), z(x.size()), again_y(u.size()), again_z(x.size());
    multiply(a, x, y, one);
    multiply_transposed(a, u, z, one);
    multiply(a, x, again_y, two);
    multiply_transposed(a, u, again_z, two);
    EXPECT_EQ(y, again_y);
    EXPECT_EQ(z, again_z);
    std::vector<double> plain_y(u.size()), plain_z(x.size());
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < n; ++j) {
        plain_y[i] += a(i, j) * x[j];
        plain_z[j] += a(i, j) * u[i];
      }
    }
    for (Index i = 0; i < m; ++i) EXPECT_NEAR(y[i], plain_y[i], 1e-11);
    for (Index j = 0; j < n; ++j) EXPECT_NEAR(z[j], plain_z[j], 1e-11);
  }
}

}  // namespace
}  // namespace gingham
