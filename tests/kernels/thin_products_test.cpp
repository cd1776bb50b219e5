#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/products.hpp"
#include "kernels/support.hpp"

namespace gingham {
namespace {

using test::expect_product;
using test::flat;
using test::same_on_all_threads;
using test::transpose_of;

const std::vector<std::pair<Index, Index>> kShapes = {{0, 0},     {0, 4},    {4, 0},    {1, 1},
                                                      {1, 50},    {50, 1},   {9, 33},   {40, 17},
                                                      {150, 260}, {3, 9000}, {9000, 3}, {1200, 40}};

template <class T>
DenseMatrix<T> random(Index rows, Index cols, Rng& rng) {
  DenseMatrix<T> a(rows, cols);
  for (T& value : a.values()) value = static_cast<T>(rng.normal());
  return a;
}

template <class A, class T>
void check_both(const A& a, const DenseMatrix<T>& dense, Index k, Rng& rng) {
  const DenseMatrix<T> x = random<T>(a.cols(), k, rng), u = random<T>(a.rows(), k, rng);
  DenseMatrix<T> y(2, 2), z;
  same_on_all_threads<T>([&](Executor& executor) {
    multiply(a, x, y, executor);
    return flat(y);
  });
  expect_product(dense, x, y);
  same_on_all_threads<T>([&](Executor& executor) {
    multiply_transposed(a, u, z, executor);
    return flat(z);
  });
  expect_product(transpose_of(dense), u, z);
}

TEST(ThinProducts, DenseInDoubleAndFloat) {
  Rng rng = Rng::named(1, "thin");
  for (const auto& [rows, cols] : kShapes) {
    for (const Index k : {0, 1, 2, 3, 5, 8, 13, 20, 25, 40, 70}) {
      const Matrix a = random<double>(rows, cols, rng);
      check_both(a, a, k, rng);
      const MatrixF f = random<float>(rows, cols, rng);
      check_both(f, f, k, rng);
    }
  }
}

TEST(ThinProducts, SparseForEveryNumberOfColumns) {
  Rng rng = Rng::named(2, "sparse thin");
  for (Index k = 0; k <= 70; ++k) {
    const SparseMatrix a = test::random_sparse(30, 41, 0.3, rng);
    check_both(a, test::dense_of(a), k, rng);
  }
  const SparseMatrix empty = test::random_sparse(5, 6, 0.0, rng);
  check_both(empty, test::dense_of(empty), 4, rng);
  const SparseMatrix large = test::random_sparse(700, 300, 0.5, rng);
  check_both(large, test::dense_of(large), 20, rng);
}

TEST(ThinProducts, SparseInFloat) {
  Rng rng = Rng::named(3, "sparse float");
  const SparseMatrix a = test::random_sparse(60, 45, 0.4, rng);
  const Matrix dense = test::dense_of(a);
  MatrixF rounded(a.rows(), a.cols());
  for (Index i = 0; i < dense.size(); ++i)
    rounded.values()[i] = static_cast<float>(dense.values()[i]);
  for (const Index k : {1, 7, 8, 20, 64, 65}) check_both(a, rounded, k, rng);
}

template <class T>
void check_gram(Index rows, Index k, Rng& rng) {
  const DenseMatrix<T> x = random<T>(rows, k, rng);
  DenseMatrix<T> g(1, 1);
  same_on_all_threads<T>([&](Executor& executor) {
    gram(x, g, executor);
    return flat(g);
  });
  expect_product(transpose_of(x), x, g);
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j < k; ++j) EXPECT_EQ(g(i, j), g(j, i));
  }
}

TEST(Gram, AgreesWithPlainLoopsAndIsSymmetric) {
  Rng rng = Rng::named(4, "gram");
  for (const Index rows : {0, 1, 2, 63, 64, 200, 3000}) {
    for (const Index k : {0, 1, 3, 8, 9, 20, 33, 70}) {
      check_gram<double>(rows, k, rng);
      check_gram<float>(rows, k, rng);
    }
  }
}

}  // namespace
}  // namespace gingham
