// Random data, plain loops in long double, and the check that threads do not change a bit.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "gingham/base/parallel.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham::test {

inline Matrix random_matrix(Index rows, Index cols, Rng& rng) {
  Matrix a(rows, cols);
  for (double& value : a.values()) value = rng.normal();
  return a;
}
inline MatrixF random_matrix_f(Index rows, Index cols, Rng& rng) {
  MatrixF a(rows, cols);
  for (float& value : a.values()) value = static_cast<float>(rng.normal());
  return a;
}
inline std::vector<double> random_vector(Index size, Rng& rng) {
  std::vector<double> x(static_cast<std::size_t>(size));
  for (double& value : x) value = rng.normal();
  return x;
}
inline Tensor random_tensor(const Shape& shape, Rng& rng) {
  Tensor x(shape);
  for (double& value : x.values()) value = rng.normal();
  return x;
}

template <class T>
Array<T> array_of(const std::vector<T>& values) {
  Array<T> array(std::ssize(values));
  std::copy(values.begin(), values.end(), array.data());
  return array;
}

// Each cell listed with the given probability; about a tenth of the rows stays empty.
inline SparseMatrix random_sparse(Index rows, Index cols, double share, Rng& rng) {
  std::vector<std::int32_t> row, column;
  std::vector<double> value;
  for (Index i = 0; i < rows; ++i) {
    if (rng.uniform() < 0.1) continue;
    for (Index j = 0; j < cols; ++j) {
      if (rng.uniform() >= share) continue;
      row.push_back(static_cast<std::int32_t>(i));
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(rng.normal());
    }
  }
  return SparseMatrix::from_triplets(rows, cols, array_of(row), array_of(column), array_of(value),
                                     Duplicates::error);
}
inline Matrix dense_of(const SparseMatrix& a) {
  Matrix dense(a.rows(), a.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index e = a.pointers()[i]; e < a.pointers()[i + 1]; ++e) {
      dense(i, a.columns()[e]) = a.values()[e];
    }
  }
  return dense;
}

template <class T>
DenseMatrix<T> transpose_of(const DenseMatrix<T>& a) {
  DenseMatrix<T> t(a.cols(), a.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) t(j, i) = a(i, j);
  }
  return t;
}

// |got - sum of terms| against the sum of |terms|: what rounding may cost, whatever the order of
// adding.
template <class T>
void expect_sum(T got, long double sum, long double size, Index terms) {
  const long double unit = std::numeric_limits<T>::epsilon();
  EXPECT_LE(std::fabs(static_cast<long double>(got) - sum),
            unit * size * static_cast<long double>(terms + 4))
      << "got " << got << ", expected " << static_cast<double>(sum);
}

// Y = A X by plain loops.
template <class T>
void expect_product(const DenseMatrix<T>& a, const DenseMatrix<T>& x, const DenseMatrix<T>& y) {
  ASSERT_EQ(y.rows(), a.rows());
  ASSERT_EQ(y.cols(), x.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index c = 0; c < x.cols(); ++c) {
      long double sum = 0, size = 0;
      for (Index j = 0; j < a.cols(); ++j) {
        const long double term = static_cast<long double>(a(i, j)) * x(j, c);
        sum += term;
        size += std::fabs(term);
      }
      expect_sum(y(i, c), sum, size, a.cols());
    }
  }
}
inline void expect_product(const Matrix& a, const std::vector<double>& x,
                           const std::vector<double>& y) {
  expect_product(a, Matrix(std::ssize(x), 1, array_of(x)), Matrix(std::ssize(y), 1, array_of(y)));
}

// Runs `compute` on 1, 2, 3 and 5 threads; the answers must be the same bits. Returns the first.
template <class T>
std::vector<T> same_on_all_threads(const std::function<std::vector<T>(Executor&)>& compute) {
  std::vector<T> first;
  for (const int threads : {1, 2, 3, 5}) {
    ThreadPool pool(threads);
    const std::vector<T> answer = compute(pool);
    if (threads == 1) {
      first = answer;
    } else {
      EXPECT_EQ(answer.size(), first.size());
      EXPECT_TRUE(answer.empty() ||
                  std::memcmp(answer.data(), first.data(), answer.size() * sizeof(T)) == 0)
          << "differs on " << threads << " threads";
    }
  }
  return first;
}
template <class T>
std::vector<T> flat(const DenseMatrix<T>& a) {
  return {a.values().begin(), a.values().end()};
}

}  // namespace gingham::test
