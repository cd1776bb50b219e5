#include "gingham/kernels/contraction.hpp"
#include "gingham/kernels/products.hpp"
#include "kernels/support.hpp"

namespace gingham {
namespace {

using test::expect_sum;
using test::random_vector;
using test::same_on_all_threads;

const double kNaN = std::nan("");

// y and weight of one mode by a plain loop over all cells: value and whether it is observed.
struct Cell {
  double value = 0.0;
  bool is_observed = true;
};

std::vector<Cell> cells_of(const Block& block) {
  std::vector<Cell> all(static_cast<std::size_t>(cells(block.shape())),
                        Cell{0.0, !(block.is_sparse() && block.unlisted() == Unlisted::missing)});
  for_each_entry(block, [&](std::span<const Index> index, double value) {
    Index at = 0;
    for (Index m = 0; m < block.modes(); ++m) at = at * block.shape()[m] + index[m];
    all[at] = {value, !std::isnan(value)};
  });
  return all;
}

void check_mode(const Block& block, Index mode, const std::vector<std::vector<double>>& vectors) {
  const Shape& shape = block.shape();
  const Index size = shape[mode];
  std::vector<ConstVec> views(vectors.begin(), vectors.end());
  const std::vector<double> got = same_on_all_threads<double>([&](Executor& executor) {
    std::vector<double> result(static_cast<std::size_t>(2 * size), -7.0);
    contract_observed(block, mode, views, Vec(result).first(size), Vec(result).last(size),
                      executor);
    return result;
  });
  std::vector<long double> y(size), y_size(size), weight(size);
  const std::vector<Cell> all = cells_of(block);
  long double all_weight = 0;
  for (Index at = 0; at < std::ssize(all); ++at) {
    long double product = 1;
    Index rest = at, item = 0;
    for (Index m = block.modes() - 1; m >= 0; --m) {
      const Index i = rest % shape[m];
      rest /= shape[m];
      if (m == mode) {
        item = i;
      } else {
        product *= vectors[m][i];
      }
    }
    all_weight += product * product;
    if (!all[at].is_observed) continue;
    y[item] += product * all[at].value;
    y_size[item] += std::fabs(product * all[at].value);
    weight[item] += product * product;
  }
  for (Index i = 0; i < size; ++i) {
    expect_sum(got[i], y[i], y_size[i], std::ssize(all));
    if (block.is_sparse() && !block.is_matrix()) {  // a difference, allowed to cancel
      expect_sum(got[size + i], weight[i], all_weight, 8);
    } else {
      EXPECT_NEAR(got[size + i], static_cast<double>(weight[i]),
                  1e-12 * static_cast<double>(weight[i]));
    }
  }
}

void check_block(const Block& block, Rng& rng) {
  std::vector<std::vector<double>> vectors;
  for (const Index size : block.shape()) vectors.push_back(random_vector(size, rng));
  for (Index m = 0; m < block.modes(); ++m) check_mode(block, m, vectors);
}

TEST(Observed, DenseMatricesLeaveOutNaN) {
  Rng rng = Rng::named(1, "dense");
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1},
                                   {1, 20},
                                   {20, 1},
                                   {30, 17},
                                   {17, 50},
                                   {900, 60},
                                   {60, 900}}) {
    for (const double share : {0.0, 0.3, 1.0}) {
      Matrix a = test::random_matrix(rows, cols, rng);
      for (double& value : a.values()) {
        if (rng.uniform() < share) value = kNaN;
      }
      check_block(Block("X", std::move(a)), rng);
    }
  }
}

SparseMatrix with_nan(const SparseMatrix& a, double share, Rng& rng) {
  std::vector<double> values(a.values().begin(), a.values().end());
  for (double& value : values) {
    if (rng.uniform() < share) value = kNaN;
  }
  return SparseMatrix(
      a.rows(), a.cols(),
      test::array_of(std::vector<Index>(a.pointers().begin(), a.pointers().end())),
      test::array_of(std::vector<std::int32_t>(a.columns().begin(), a.columns().end())),
      test::array_of(values));
}

TEST(Observed, SparseMatricesFollowTheMeaningOfUnlisted) {
  Rng rng = Rng::named(2, "sparse");
  for (const Unlisted unlisted : {Unlisted::zero, Unlisted::missing}) {
    for (const auto& [rows, cols, share] : {std::tuple<Index, Index, double>{1, 1, 1.0},
                                            {8, 5, 0.0},
                                            {25, 40, 0.4},
                                            {30, 6, 1.0},
                                            {400, 300, 0.5}}) {
      for (const double missing : {0.0, 0.2, 1.0}) {
        const SparseMatrix a = with_nan(test::random_sparse(rows, cols, share, rng), missing, rng);
        check_block(Block("X", SparseMatrix(a), {}, unlisted), rng);
      }
    }
  }
}

// All the weight of x sits where the row is missing: the difference of the squares would be noise.
TEST(Observed, WeightDoesNotCancel) {
  ThreadPool pool(1);
  const std::vector<double> x{1e8, 1.0, 1e-3};
  const Block block(
      "X", SparseMatrix(1, 3, test::array_of<Index>({0, 1}), test::array_of<std::int32_t>({0}),
                        test::array_of<double>({kNaN})));
  std::vector<double> y(1), weight(1);
  multiply_observed(block, x, y, weight, pool);
  EXPECT_EQ(y[0], 0.0);
  EXPECT_DOUBLE_EQ(weight[0], 1.0 + 1e-6);
}

TEST(Observed, TensorsOfTwoToFiveModes) {
  Rng rng = Rng::named(3, "tensors");
  for (const Shape& shape :
       {Shape{4, 5}, Shape{3, 4, 5}, Shape{9, 2, 3}, Shape{2, 3, 2, 4}, Shape{2, 3, 1, 2, 3}}) {
    Tensor x = test::random_tensor(shape, rng);
    std::vector<std::vector<std::int32_t>> coordinates(shape.size());
    std::vector<double> values;
    for (Index at = 0; at < x.size(); ++at) {
      if (rng.uniform() < 0.3) x.values()[at] = kNaN;
      if (rng.uniform() < 0.5) continue;
      Index rest = at;
      for (Index m = std::ssize(shape) - 1; m >= 0; --m) {
        coordinates[m].push_back(static_cast<std::int32_t>(rest % shape[m]));
        rest /= shape[m];
      }
      values.push_back(x.values()[at]);
    }
    std::vector<Array<std::int32_t>> arrays;
    for (const auto& mode : coordinates) arrays.push_back(test::array_of(mode));
    const SparseTensor sparse =
        SparseTensor::from_coordinates(shape, arrays, test::array_of(values), Duplicates::error);
    check_block(Block("X", std::move(x)), rng);
    for (const Unlisted unlisted : {Unlisted::zero, Unlisted::missing}) {
      check_block(Block("X", SparseTensor(sparse), {}, unlisted), rng);
    }
  }
}

}  // namespace
}  // namespace gingham
