#include "gingham/kernels/contraction.hpp"

#include "kernels/support.hpp"

namespace gingham {
namespace {

using test::expect_sum;
using test::flat;
using test::same_on_all_threads;

const std::vector<Shape> kShapes = {{7},          {5, 6},       {1, 1, 1},       {4, 5, 6},
                                    {9, 2, 3},    {3, 1, 8},    {30, 40, 3},     {3, 40, 30},
                                    {2, 3, 4, 5}, {6, 1, 2, 3}, {2, 3, 2, 3, 2}, {60, 20, 70},
                                    {1, 50, 900}, {900, 50, 1}, {50, 4, 300}};

SparseTensor sparse_of(const Tensor& x, double share, Rng& rng, Tensor& kept) {
  const Shape& shape = x.shape();
  std::vector<std::vector<std::int32_t>> coordinates(shape.size());
  std::vector<double> values;
  kept = Tensor(shape);
  for (Index at = 0; at < x.size(); ++at) {
    if (rng.uniform() >= share) continue;
    Index rest = at;
    for (Index m = std::ssize(shape) - 1; m >= 0; --m) {
      coordinates[m].push_back(static_cast<std::int32_t>(rest % shape[m]));
      rest /= shape[m];
    }
    values.push_back(kept.values()[at] = x.values()[at]);
  }
  std::vector<Array<std::int32_t>> arrays;
  for (const auto& mode : coordinates) arrays.push_back(test::array_of(mode));
  return SparseTensor::from_coordinates(shape, arrays, test::array_of(values), Duplicates::error);
}

// The product over the other modes of factors[m](i_m, c), summed over all cells.
void expect_mttkrp(const Tensor& x, Index mode, const std::vector<Matrix>& factors,
                   const Matrix& y) {
  const Shape& shape = x.shape();
  const Index k = y.cols();
  std::vector<long double> sum(static_cast<std::size_t>(shape[mode] * k)), size(sum.size());
  for (Index at = 0; at < x.size(); ++at) {
    if (x.values()[at] == 0.0) continue;
    for (Index c = 0; c < k; ++c) {
      long double product = x.values()[at];
      Index rest = at, item = 0;
      for (Index m = x.modes() - 1; m >= 0; --m) {
        const Index i = rest % shape[m];
        rest /= shape[m];
        if (m == mode) {
          item = i;
        } else {
          product *= factors[m](i, c);
        }
      }
      sum[item * k + c] += product;
      size[item * k + c] += std::fabs(product);
    }
  }
  for (Index i = 0; i < y.size(); ++i) expect_sum(y.values()[i], sum[i], size[i], x.size());
}

template <class X>
void check_contractions(const X& x, const Tensor& dense, Rng& rng) {
  std::vector<Matrix> columns;
  std::vector<ConstVec> vectors;
  for (const Index size : dense.shape()) columns.push_back(test::random_matrix(size, 1, rng));
  for (const Matrix& column : columns) vectors.push_back(column.values());
  for (Index mode = 0; mode < dense.modes(); ++mode) {
    const Index size = dense.shape()[mode];
    const std::vector<double> y = same_on_all_threads<double>([&](Executor& executor) {
      std::vector<double> result(static_cast<std::size_t>(size), -7.0);
      contract(x, mode, vectors, result, executor);
      return result;
    });
    expect_mttkrp(dense, mode, columns, Matrix(size, 1, test::array_of(y)));
  }
}

template <class X>
void check_mttkrp(const X& x, const Tensor& dense, Index k, Rng& rng) {
  std::vector<Matrix> factors;
  for (const Index size : dense.shape()) factors.push_back(test::random_matrix(size, k, rng));
  for (Index mode = 0; mode < dense.modes(); ++mode) {
    Matrix y(1, k);
    same_on_all_threads<double>([&](Executor& executor) {
      mttkrp(x, mode, factors, y, executor);
      return flat(y);
    });
    EXPECT_EQ(y.rows(), dense.shape()[mode]);
    expect_mttkrp(dense, mode, factors, y);
  }
}

TEST(Contraction, DenseWithVectors) {
  Rng rng = Rng::named(1, "dense");
  for (const Shape& shape : kShapes) {
    const Tensor x = test::random_tensor(shape, rng);
    check_contractions(x, x, rng);
    check_contractions(Block("X", Tensor(x)), x, rng);
  }
}

TEST(Contraction, SparseWithVectors) {
  Rng rng = Rng::named(2, "sparse");
  for (const Shape& shape : kShapes) {
    for (const double share : {0.0, 0.2, 0.9}) {
      Tensor kept;
      const SparseTensor x = sparse_of(test::random_tensor(shape, rng), share, rng, kept);
      check_contractions(x, kept, rng);
    }
  }
}

TEST(Mttkrp, Dense) {
  Rng rng = Rng::named(3, "dense mttkrp");
  for (const Shape& shape : kShapes) {
    const Tensor x = test::random_tensor(shape, rng);
    for (const Index k : {0, 1, 3, 8}) {
      SCOPED_TRACE(shape_text(shape) + ", rank " + std::to_string(k));
      check_mttkrp(x, x, k, rng);
    }
  }
}

TEST(Mttkrp, SparseForManyRanks) {
  Rng rng = Rng::named(4, "sparse mttkrp");
  for (const Shape& shape : kShapes) {
    for (const Index k : {0, 1, 4, 5}) {
      Tensor kept;
      const SparseTensor x = sparse_of(test::random_tensor(shape, rng), 0.3, rng, kept);
      check_mttkrp(x, kept, k, rng);
    }
  }
  for (Index k = 1; k <= 40; ++k) {
    for (const Shape& shape : {Shape{6, 7}, Shape{4, 5, 6}, Shape{3, 2, 4, 3}}) {
      Tensor kept;
      const SparseTensor x = sparse_of(test::random_tensor(shape, rng), 0.4, rng, kept);
      check_mttkrp(x, kept, k, rng);
    }
  }
}

TEST(Mttkrp, MatricesAreTensorsOfTwoModes) {
  Rng rng = Rng::named(5, "matrices");
  const Tensor x = test::random_tensor({9, 14}, rng);
  const Matrix a(9, 14, test::array_of(std::vector<double>(x.values().begin(), x.values().end())));
  check_mttkrp(Block("X", Matrix(a)), x, 5, rng);
  check_contractions(Block("X", Matrix(a)), x, rng);
}

TEST(Contraction, WrongSizesAreRefused) {
  ThreadPool pool(1);
  const Tensor x({2, 3, 4});
  std::vector<double> two(2), three(3), four(4);
  std::vector<ConstVec> vectors{two, three, four};
  EXPECT_THROW(contract(x, 3, vectors, two, pool), Error);
  EXPECT_THROW(contract(x, -1, vectors, two, pool), Error);
  EXPECT_THROW(contract(x, 0, vectors, three, pool), Error);
  vectors[1] = four;
  EXPECT_THROW(contract(x, 0, vectors, two, pool), Error);
  EXPECT_NO_THROW(contract(x, 1, vectors, three, pool));
  vectors.pop_back();
  EXPECT_THROW(contract(x, 1, vectors, three, pool), Error);
  std::vector<Matrix> factors{Matrix(2, 5), Matrix(3, 5), Matrix(4, 6)};
  Matrix y;
  EXPECT_THROW(mttkrp(x, 0, factors, y, pool), Error);
  EXPECT_NO_THROW(mttkrp(x, 2, factors, y, pool));
}

}  // namespace
}  // namespace gingham
