#include "gingham/data/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/base/digest.hpp"
#include "gingham/base/text.hpp"
#include "gingham/data/scan.hpp"

namespace gingham {
namespace {

using Streamed = std::shared_ptr<const RowSource>;

// What lies in memory; nothing of a source of rows.
std::span<const double> values_of(const Block::Values& values) {
  if (const auto* m = std::get_if<Matrix>(&values)) return m->values();
  if (const auto* m = std::get_if<SparseMatrix>(&values)) return m->values();
  if (const auto* t = std::get_if<Tensor>(&values)) return t->values();
  if (const auto* t = std::get_if<SparseTensor>(&values)) return t->values();
  return {};
}

Index bytes_of(const Block::Values& values) {
  if (const auto* m = std::get_if<Matrix>(&values)) return m->bytes();
  if (const auto* m = std::get_if<SparseMatrix>(&values)) return m->bytes();
  if (const auto* t = std::get_if<Tensor>(&values)) return t->bytes();
  if (const auto* t = std::get_if<SparseTensor>(&values)) return t->bytes();
  return 0;
}

Shape shape_of(const Block::Values& values) {
  if (const auto* m = std::get_if<Matrix>(&values)) return {m->rows(), m->cols()};
  if (const auto* m = std::get_if<SparseMatrix>(&values)) return {m->rows(), m->cols()};
  if (const auto* t = std::get_if<Tensor>(&values)) return t->shape();
  if (const auto* t = std::get_if<SparseTensor>(&values)) return t->shape();
  const Streamed& source = std::get<Streamed>(values);
  if (source == nullptr) throw Error(ErrorCode::internal, "", "a block without a source of rows");
  return {source->rows(), source->cols()};
}

Summary summarize(const Scan& seen, const Block::Values& values, Unlisted unlisted) {
  Summary summary;
  summary.shape = shape_of(values);
  summary.listed = seen.count();
  summary.missing = seen.missing();
  summary.nonzeros = summary.listed - summary.missing - seen.zeros();
  summary.min = seen.min();
  summary.max = seen.max();
  summary.sum = seen.sum();
  summary.bytes = bytes_of(values);
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

// The beginning of a digest. A source of rows counts as the dense matrix it stands for.
void add_kind(Digest& digest, const Block& block, const Shape& shape) {
  const std::size_t kind = block.row_source() != nullptr ? 0 : block.values().index();
  digest.add(static_cast<std::uint64_t>(kind));
  digest.add(
      static_cast<std::uint64_t>(block.is_sparse() && block.unlisted() == Unlisted::missing));
  for (const Index size : shape) digest.add(size);
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
  for (std::size_t mode = 0; mode < shape.size(); ++mode) check_labels(mode, shape[mode]);
  Scan seen;
  seen.add(values_of(values_));
  if (const RowSource* source = row_source()) {
    Digest digest;
    add_kind(digest, *this, shape);
    for_each_run(*source, [&](Index, std::span<const double> run) {
      seen.add(run);
      digest.add(run);
    });
    streamed_digest_ = digest.hex();
  }
  summary_ = summarize(seen, values_, unlisted_);
  if (std::isinf(summary_.min) || std::isinf(summary_.max)) report_infinity(*this);
}

void Block::check_labels(std::size_t mode, Index n_items) const {
  if (labels_[mode].empty() || std::ssize(labels_[mode]) == n_items) return;
  throw Error(
      ErrorCode::input, name_,
      fmt::format("{} labels for the {} items of mode {}", labels_[mode].size(), n_items, mode));
}

Block Block::with_labels(Index mode, Labels labels) && {
  if (mode < 0 || mode >= modes())
    throw Error(ErrorCode::input, name_, fmt::format("labels for mode {} of {}", mode, modes()));
  labels_[mode] = std::move(labels);
  check_labels(static_cast<std::size_t>(mode), shape()[mode]);
  return std::move(*this);
}

std::string Block::digest() const {
  if (row_source() != nullptr) return streamed_digest_;
  Digest digest;
  add_kind(digest, *this, shape());
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
  } else if (block.row_source() != nullptr) {
    for_each_row(block, [&](Index i, ConstVec row) {
      at[0] = i;
      for (at[1] = 0; at[1] < std::ssize(row); ++at[1]) visit(at, row[at[1]]);
    });
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
  if (const RowSource* source = block.row_source()) {
    const auto cols = static_cast<std::size_t>(source->cols());
    for_each_run(*source, [&](Index first, std::span<const double> values) {
      for (std::size_t k = 0; k < values.size(); k += cols) {
        visit(first + static_cast<Index>(k / cols), values.subspan(k, cols));
      }
    });
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
