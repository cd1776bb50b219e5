#include "gingham/methods/multilinear/observations.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/contraction.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::multilinear {
namespace {

std::span<const double> stored(const Block& block) {
  if (const Matrix* matrix = block.dense_matrix()) return matrix->values();
  if (const SparseMatrix* matrix = block.sparse_matrix()) return matrix->values();
  if (const Tensor* tensor = block.dense_tensor()) return tensor->values();
  return block.sparse_tensor()->values();
}

// The entries that `wanted` chooses, as a sparse tensor with their values.
SparseTensor entries_where(const Block& block, FunctionRef<bool(double)> wanted) {
  Index count = 0;
  for_each_entry(block, [&](std::span<const Index>, double x) { count += wanted(x) ? 1 : 0; });
  std::vector<Array<std::int32_t>> coordinates;
  std::vector<std::int32_t*> to;
  for (Index n = 0; n < block.modes(); ++n) {
    if (block.shape()[n] > kMaxSparseModeSize) {
      throw Error(ErrorCode::memory, block.name(),
                  "missing values in a mode of more than 2147483647 items cannot be held");
    }
    coordinates.emplace_back(count);
    to.push_back(coordinates.back().data());
  }
  Array<double> values(count);
  double* value = values.data();
  Index at = 0;
  for_each_entry(block, [&](std::span<const Index> index, double x) {
    if (!wanted(x)) return;
    for (std::size_t n = 0; n < to.size(); ++n) to[n][at] = static_cast<std::int32_t>(index[n]);
    value[at++] = x;
  });
  return SparseTensor::from_coordinates(block.shape(), std::move(coordinates), std::move(values),
                                        Duplicates::error);
}

constexpr auto is_missing = [](double x) { return std::isnan(x); };
constexpr auto is_observed = [](double x) { return !std::isnan(x); };

// A copy of a dense block with 0 in place of NaN.
Block::Values zero_filled(const Block& block) {
  const auto fill = [](auto copy) {
    for (double& x : copy.values()) x = std::isnan(x) ? 0.0 : x;
    return Block::Values(std::move(copy));
  };
  if (const Matrix* matrix = block.dense_matrix()) return fill(*matrix);
  return fill(*block.dense_tensor());
}

}  // namespace

Observations::Observations(const Block& block, Executor& executor) : block_(&block) {
  const Summary& summary = block.summary();
  n_observed_ = -static_cast<double>(summary.missing);
  double n_cells = 1.0;
  for (const Index size : summary.shape) n_cells *= static_cast<double>(size);
  n_observed_ += n_cells;
  largest_ = std::max(summary.max, 0.0);  // 0 where nothing is observed
  largest_magnitude_ = std::max(largest_, -std::min(summary.min, 0.0));
  if (!(largest_ >= 0.0)) largest_ = 0.0;
  if (!(largest_magnitude_ >= 0.0)) largest_magnitude_ = 0.0;
  if (summary.missing > 0) {
    const bool is_mostly_missing =
        !block.is_sparse() && static_cast<double>(summary.missing) > 0.5 * n_cells;
    if (block.unlisted() == Unlisted::missing || is_mostly_missing) {
      keep_listed();
    } else {
      fill_holes();
    }
  }
  squares_ = sum_squares(stored(values()));
  sort_entries(executor);
}

// Every mode's order of the entries, several at a time, before somebody waits for one of them.
void Observations::sort_entries(Executor& executor) const {
  const SparseTensor* tensor = values().sparse_tensor();
  executor.map(n_modes(), [&](Index mode) {
    if (tensor != nullptr) tensor->grouped(mode);
    if (pattern_ != nullptr && pattern_ != tensor) pattern_->grouped(mode);
  });
}

void Observations::fill_holes() {
  kind_ = Kind::holes;
  own_pattern_ = entries_where(*block_, is_missing);
  pattern_ = &*own_pattern_;
  if (block_->is_sparse()) {
    own_values_.emplace(block_->name(), entries_where(*block_, is_observed));
  } else {
    own_values_.emplace(block_->name(), zero_filled(*block_));
  }
}

void Observations::keep_listed() {
  kind_ = Kind::listed;
  const SparseTensor* tensor = block_->sparse_tensor();
  const std::span<const double> values = stored(*block_);
  const bool is_clean = std::all_of(values.begin(), values.end(), is_observed);
  if (tensor == nullptr || !is_clean) {
    own_values_.emplace(block_->name(), entries_where(*block_, is_observed));
    tensor = own_values_->sparse_tensor();
  }
  pattern_ = tensor;
}

std::vector<double> Observations::observed_items(Index mode) const {
  std::vector<double> marks(static_cast<std::size_t>(shape()[mode]), 1.0);
  if (kind_ == Kind::complete) return marks;
  double n_cells = 1.0;
  for (Index m = 0; m < n_modes(); ++m) {
    if (m != mode) n_cells *= static_cast<double>(shape()[m]);
  }
  const std::span<const Index> pointers = pattern_->grouped(mode).pointers.span();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const auto n_listed = static_cast<double>(pointers[i + 1] - pointers[i]);
    marks[i] = (kind_ == Kind::listed ? n_listed > 0.0 : n_listed < n_cells) ? 1.0 : 0.0;
  }
  return marks;
}

void Observations::products(Index mode, std::span<const Matrix> factors, Matrix& y,
                            Executor& executor) const {
  if (factors[mode == 0 ? 1 : 0].cols() != 1) {
    mttkrp(values(), mode, factors, y, executor);
    return;
  }
  if (y.rows() != shape()[mode] || y.cols() != 1) y = Matrix(shape()[mode], 1);
  std::vector<ConstVec> vectors;
  for (const Matrix& factor : factors) vectors.push_back(factor.values());
  contract(values(), mode, vectors, y.values(), executor);
}

}  // namespace gingham::methods::multilinear
