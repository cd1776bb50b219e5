#include "gingham/data/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "gingham/base/digest.hpp"
#include "gingham/base/text.hpp"

namespace gingham {
namespace {

constexpr std::size_t kLanes = 8;  // independent accumulators, so that the compiler can use vectors

struct Scan {
  Index missing = 0;
  Index zeros = 0;
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double sum = 0.0;
};

Scan scan(std::span<const double> values) {
  std::array<double, kLanes> low, high, sum{};
  std::array<Index, kLanes> missing{}, zeros{};
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  const auto look = [&](std::size_t lane, double x) {
    const bool observed = x == x;
    missing[lane] += observed ? 0 : 1;
    zeros[lane] += x == 0.0 ? 1 : 0;
    low[lane] = x < low[lane] ? x : low[lane];
    high[lane] = x > high[lane] ? x : high[lane];
    sum[lane] += observed ? x : 0.0;
  };
  std::size_t k = 0;
  for (; k + kLanes <= values.size(); k += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) look(lane, values[k + lane]);
  }
  for (; k < values.size(); ++k) look(k % kLanes, values[k]);
  Scan result;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    result.missing += missing[lane];
    result.zeros += zeros[lane];
    result.min = std::min(result.min, low[lane]);
    result.max = std::max(result.max, high[lane]);
    result.sum += sum[lane];
  }
  return result;
}

std::span<const double> values_of(const Block::Values& values) {
  return std::visit([](const auto& block) { return std::span<const double>(block.values()); },
                    values);
}

Shape shape_of(const Block::Values& values) {
  if (const auto* m = std::get_if<Matrix>(&values)) return {m->rows(), m->cols()};
  if (const auto* m = std::get_if<SparseMatrix>(&values)) return {m->rows(), m->cols()};
  if (const auto* t = std::get_if<Tensor>(&values)) return t->shape();
  return std::get<SparseTensor>(values).shape();
}

Summary summarize(const Block::Values& values, Unlisted unlisted) {
  const Scan seen = scan(values_of(values));
  Summary summary;
  summary.shape = shape_of(values);
  summary.listed = static_cast<Index>(values_of(values).size());
  summary.missing = seen.missing;
  summary.nonzeros = summary.listed - seen.missing - seen.zeros;
  summary.min = seen.min;
  summary.max = seen.max;
  summary.sum = seen.sum;
  summary.bytes = std::visit([](const auto& block) { return block.bytes(); }, values);
  // A huge sparse shape may have more cells than 64 bits count; then the count stays at the
  // largest.
  Index all_cells = 1;
  for (const Index size : summary.shape) {
    if (__builtin_mul_overflow(all_cells, size, &all_cells)) {
      all_cells = std::numeric_limits<Index>::max();
      break;
    }
  }
  const Index hidden = all_cells - summary.listed;
  if (hidden > 0 && unlisted == Unlisted::missing) summary.missing += hidden;
  if (hidden > 0 && unlisted == Unlisted::zero) {
    summary.min = std::min(summary.min, 0.0);
    summary.max = std::max(summary.max, 0.0);
  }
  if (summary.missing >= all_cells) summary.min = summary.max = std::nan("");
  return summary;
}

[[noreturn]] void report_infinity(const Block& block) {
  std::string place;
  for_each_entry(block, [&](std::span<const Index> at, double value) {
    if (!std::isinf(value) || !place.empty()) return;
    for (const Index i : at) place += (place.empty() ? "" : ", ") + std::to_string(i + 1);
  });
  throw Error(
      ErrorCode::input, block.name(),
      fmt::format("infinite value at ({}); expected finite numbers, or NaN for missing", place));
}

}  // namespace

Block::Block(std::string name, Values values, std::vector<Labels> labels, Unlisted unlisted)
    : name_(std::move(name)),
      values_(std::move(values)),
      labels_(std::move(labels)),
      unlisted_(unlisted) {
  const Shape shape = shape_of(values_);
  if (shape.empty()) throw Error(ErrorCode::input, name_, "no modes; expected at least one");
  for (std::size_t mode = 0; mode < shape.size(); ++mode) {
    if (shape[mode] <= 0) {
      throw Error(ErrorCode::input, name_,
                  fmt::format("shape {} is empty; expected at least one item in each mode",
                              shape_text(shape)));
    }
  }
  if (labels_.size() > shape.size()) {
    throw Error(ErrorCode::input, name_,
                fmt::format("{} lists of labels for {} modes", labels_.size(), shape.size()));
  }
  labels_.resize(shape.size());
  for (std::size_t mode = 0; mode < shape.size(); ++mode) {
    if (!labels_[mode].empty() && static_cast<Index>(labels_[mode].size()) != shape[mode]) {
      throw Error(ErrorCode::input, name_,
                  fmt::format("{} labels for the {} items of mode {}", labels_[mode].size(),
                              shape[mode], mode));
    }
  }
  summary_ = summarize(values_, unlisted_);
  if (std::isinf(summary_.min) || std::isinf(summary_.max)) report_infinity(*this);
}

std::string Block::digest() const {
  Digest digest;
  digest.add(static_cast<std::uint64_t>(values_.index()));
  digest.add(static_cast<std::uint64_t>(is_sparse() && unlisted_ == Unlisted::missing));
  for (const Index size : shape()) digest.add(size);
  if (const SparseMatrix* m = sparse_matrix()) {
    digest.add(m->pointers());
    digest.add(m->columns());
  } else if (const SparseTensor* t = sparse_tensor()) {
    for (Index mode = 0; mode < t->modes(); ++mode) digest.add(t->coordinates(mode));
  }
  digest.add(values_of(values_));
  return digest.hex();
}

Dataset::Dataset(std::vector<Block> blocks)
    : blocks_(std::make_shared<const std::vector<Block>>(std::move(blocks))) {}

namespace {

// A list in braces would copy the block, values and all.
std::vector<Block> only(Block block) {
  std::vector<Block> blocks;
  blocks.push_back(std::move(block));
  return blocks;
}

}  // namespace

Dataset::Dataset(Block block) : Dataset(only(std::move(block))) {}

Dataset::Dataset(Matrix matrix) : Dataset(Block("X", std::move(matrix))) {}

Index Dataset::bytes() const {
  Index total = 0;
  for (const Block& block : *blocks_) total += block.summary().bytes;
  return total;
}

void for_each_entry(const Block& block, FunctionRef<void(std::span<const Index>, double)> visit) {
  std::vector<Index> at(static_cast<std::size_t>(block.modes()), 0);
  if (const SparseMatrix* m = block.sparse_matrix()) {
    for (at[0] = 0; at[0] < m->rows(); ++at[0]) {
      for (Index k = m->pointers()[at[0]]; k < m->pointers()[at[0] + 1]; ++k) {
        at[1] = m->columns()[k];
        visit(at, m->values()[k]);
      }
    }
  } else if (const SparseTensor* t = block.sparse_tensor()) {
    for (Index k = 0; k < t->entries(); ++k) {
      for (Index mode = 0; mode < t->modes(); ++mode) at[mode] = t->coordinates(mode)[k];
      visit(at, t->values()[k]);
    }
  } else {
    const Shape& shape = block.shape();
    for (const double value : values_of(block.values())) {
      visit(at, value);
      for (Index mode = block.modes() - 1; mode >= 0 && ++at[mode] == shape[mode]; --mode)
        at[mode] = 0;
    }
  }
}

void for_each_row(const Block& block, FunctionRef<void(Index, ConstVec)> visit) {
  if (!block.is_matrix()) throw Error(ErrorCode::internal, block.name(), "is not a matrix");
  if (const Matrix* dense = block.dense_matrix()) {
    for (Index i = 0; i < dense->rows(); ++i) visit(i, dense->row(i));
    return;
  }
  const SparseMatrix& sparse = *block.sparse_matrix();
  const double nothing = block.unlisted() == Unlisted::missing ? std::nan("") : 0.0;
  std::vector<double> row(static_cast<std::size_t>(sparse.cols()));
  for (Index i = 0; i < sparse.rows(); ++i) {
    std::fill(row.begin(), row.end(), nothing);
    for (Index k = sparse.pointers()[i]; k < sparse.pointers()[i + 1]; ++k) {
      row[sparse.columns()[k]] = sparse.values()[k];
    }
    visit(i, row);
  }
}

}  // namespace gingham
