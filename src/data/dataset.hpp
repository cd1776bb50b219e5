// What a method works on: one or several blocks (matrices, tensors) with names, labels and the
// knowledge of what is missing. Checked once when made, const and cheap to copy afterwards.
#pragma once
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "gingham/base/function_ref.hpp"
#include "gingham/data/matrix.hpp"
#include "gingham/data/row_source.hpp"
#include "gingham/data/sparse_matrix.hpp"
#include "gingham/data/sparse_tensor.hpp"
#include "gingham/data/tensor.hpp"

namespace gingham {

using Labels = std::vector<std::string>;  // one per item of a mode; empty when the mode has none

// What a sparse block means where it lists nothing.
enum class Unlisted { zero, missing };

// Everything one pass over a block tells. min, max and sum go over the observed cells (unlisted
// zeros count as observed zeros); min and max are NaN when nothing is observed.
struct Summary {
  Shape shape;
  Index nonzeros = 0;  // observed cells that are not zero
  Index missing = 0;   // cells not observed
  Index listed = 0;    // stored entries of a sparse block, all cells of a dense one
  double min = 0.0;
  double max = 0.0;
  double sum = 0.0;
  Index bytes = 0;  // memory the block takes; 0 where rows are read when needed
};

// A missing cell is a NaN, in dense blocks and among the listed entries of sparse ones; in a sparse
// block unlisted cells may be missing as a whole.
class GINGHAM_API Block {
 public:
  // The last is a dense matrix whose rows are read when needed; only methods that say so get one.
  using Values =
      std::variant<Matrix, SparseMatrix, Tensor, SparseTensor, std::shared_ptr<const RowSource>>;

  // Throws Error{input} for an infinity, for labels that do not match the sizes, and for a mode of
  // size 0. `name` is what messages call the block (a path, or an argument's name). A source of
  // rows is read once, from beginning to end.
  Block(std::string name, Values values, std::vector<Labels> labels = {},
        Unlisted unlisted = Unlisted::zero);
  // The same block with these labels in place of its own; throws as the constructor does.
  Block with_labels(Index mode, Labels labels) &&;

  const std::string& name() const { return name_; }
  const Values& values() const& { return values_; }
  Values values() && { return std::move(values_); }  // of a block that is not needed any more
  const Shape& shape() const { return summary_.shape; }
  Index modes() const { return static_cast<Index>(summary_.shape.size()); }
  const Labels& labels(Index mode) const { return labels_[mode]; }
  Unlisted unlisted() const { return unlisted_; }
  bool has_missing() const { return summary_.missing > 0; }
  bool is_sparse() const { return values_.index() == 1 || values_.index() == 3; }
  bool is_matrix() const { return values_.index() <= 1 || values_.index() == 4; }
  const Summary& summary() const { return summary_; }

  const Matrix* dense_matrix() const { return std::get_if<Matrix>(&values_); }
  const SparseMatrix* sparse_matrix() const { return std::get_if<SparseMatrix>(&values_); }
  const Tensor* dense_tensor() const { return std::get_if<Tensor>(&values_); }
  const SparseTensor* sparse_tensor() const { return std::get_if<SparseTensor>(&values_); }
  const RowSource* row_source() const {
    const auto* source = std::get_if<std::shared_ptr<const RowSource>>(&values_);
    return source != nullptr ? source->get() : nullptr;
  }

  // Depends on shape, storage, values and what unlisted means; not on names, labels or where it
  // came from, nor on whether the rows of a dense matrix lie in memory.
  std::string digest() const;

 private:
  void check_labels(std::size_t mode, Index n_items) const;

  std::string name_;
  Values values_;
  std::vector<Labels> labels_;
  Unlisted unlisted_;
  Summary summary_;
  std::string streamed_digest_;  // of a source of rows, from the pass that made the summary
};

class GINGHAM_API Dataset {
 public:
  Dataset() : Dataset(std::vector<Block>{}) {}
  explicit Dataset(std::vector<Block> blocks);
  explicit Dataset(Block block);
  // The shortest way from memory: one dense matrix called "X".
  explicit Dataset(Matrix matrix);

  Index size() const { return static_cast<Index>(blocks_->size()); }
  const Block& block(Index i) const { return (*blocks_)[i]; }
  const std::vector<Block>& blocks() const { return *blocks_; }
  Index bytes() const;

 private:
  std::shared_ptr<const std::vector<Block>> blocks_;
};

// Calls visit(indices, value) for every listed entry of a block (every cell of a dense one), in
// storage order: the plain loop that checks and recomputations are written with.
void for_each_entry(const Block& block, FunctionRef<void(std::span<const Index>, double)> visit);

// Calls visit(i, row) for every row of a matrix, unlisted cells as 0 or NaN as the block means
// them.
void for_each_row(const Block& block, FunctionRef<void(Index, ConstVec)> visit);

}  // namespace gingham
