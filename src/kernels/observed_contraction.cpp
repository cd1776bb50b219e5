// Contractions that leave out what is missing.
#include <algorithm>

#include "gingham/kernels/contraction.hpp"
#include "gingham/kernels/outer_product.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

[[noreturn]] void mismatch() {
  throw Error(ErrorCode::internal, "", "observed contraction: sizes do not match the modes");
}

void check(const Shape& shape, Index mode, std::span<const ConstVec> vectors, ConstVec y,
           ConstVec weight) {
  if (vectors.size() != shape.size() || mode < 0 || mode >= std::ssize(shape)) mismatch();
  for (Index m = 0; m < std::ssize(shape); ++m) {
    if (m != mode && static_cast<Index>(vectors[m].size()) != shape[m]) mismatch();
  }
  if (static_cast<Index>(y.size()) != shape[mode] || weight.size() != y.size()) mismatch();
}

// L x I x R as in contraction.cpp: the longer side first, its sums and squares kept apart, then the
// other.
void dense(const Tensor& x, Index mode, std::span<const ConstVec> vectors, Vec y, Vec weight,
           Executor& executor) {
  const std::vector<double> left = outer_product(vectors, 0, mode);
  const std::vector<double> right = outer_product(vectors, mode + 1, x.modes());
  const Index n_left = std::ssize(left), n_right = std::ssize(right), n = x.shape()[mode];
  const bool left_first = n_left > n_right;
  const Index rows = left_first ? n_left : n_left * n;
  const Matrix all(rows, x.size() / std::max<Index>(rows, 1),
                   Array<double>::borrow(x.data(), x.size(), nullptr));
  const std::vector<double>& rest = left_first ? right : left;
  std::vector<double> sums(rest.size() * static_cast<std::size_t>(n)), squares(sums.size());
  if (left_first) {
    multiply_transposed_observed(all, left, sums, squares, executor);
  } else {
    multiply_observed(all, right, sums, squares, executor);
  }
  const Index step_item = left_first ? n_right : 1, step_rest = left_first ? 1 : n;
  const Partition items = Partition::even(n, 2 * std::ssize(rest));
  executor.map(items.count(), [&](Index block) {
    for (Index i = items.begin(block); i < items.end(block); ++i) {
      double total = 0.0, seen = 0.0;
      for (Index o = 0; o < std::ssize(rest); ++o) {
        total += sums[i * step_item + o * step_rest] * rest[o];
        seen += squares[i * step_item + o * step_rest] * (rest[o] * rest[o]);
      }
      y[i] = total;
      weight[i] = seen;
    }
  });
}

void sparse(const SparseTensor& x, Unlisted unlisted, Index mode, std::span<const ConstVec> vectors,
            Vec y, Vec weight, Executor& executor) {
  const SparseTensor::Grouped& grouped = x.grouped(mode);
  double all = 1.0;
  for (Index m = 0; m < x.modes(); ++m) {
    if (m != mode) all *= sum_squares(vectors[m]);
  }
  const Partition items = Partition::weighted(grouped.pointers.span());
  executor.map(items.count(), [&](Index block) {
    for (Index i = items.begin(block); i < items.end(block); ++i) {
      double total = 0.0, seen = 0.0, missing = 0.0;
      for (Index e = grouped.pointers.data()[i]; e < grouped.pointers.data()[i + 1]; ++e) {
        double product = 1.0;
        for (Index m = 0; m < x.modes(); ++m) {
          if (m != mode) product *= vectors[m].data()[grouped.coordinates[m].data()[e]];
        }
        const double value = grouped.values.data()[e];
        if (value != value) {
          missing += product * product;
        } else {
          total += value * product;
          seen += product * product;
        }
      }
      y[i] = total;
      weight[i] = unlisted == Unlisted::missing ? seen : std::max(all - missing, seen);
    }
  });
}

}  // namespace

void contract_observed(const Block& x, Index mode, std::span<const ConstVec> vectors, Vec y,
                       Vec weight, Executor& executor) {
  check(x.shape(), mode, vectors, y, weight);
  if (const Tensor* tensor = x.dense_tensor()) {
    return dense(*tensor, mode, vectors, y, weight, executor);
  }
  if (const SparseTensor* tensor = x.sparse_tensor()) {
    return sparse(*tensor, x.unlisted(), mode, vectors, y, weight, executor);
  }
  if (mode == 0) return multiply_observed(x, vectors[1], y, weight, executor);
  multiply_transposed_observed(x, vectors[0], y, weight, executor);
}

}  // namespace gingham
