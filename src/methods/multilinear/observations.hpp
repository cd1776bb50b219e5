// The data of a multilinear fit, split into what products can take and where cells are missing:
//
//   sum over observed cells of (X - M)^2 = |X0|^2 - 2 <X0, M> + |M|^2 over the observed cells
//
// X0 is X with 0 in place of what is missing. The cells that M is to be left out of (holes), or the
// only ones it is to be looked at (listed), are a pattern of coordinates.
#pragma once
#include <optional>

#include "gingham/base/parallel.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham::methods::multilinear {

class Observations {
 public:
  enum class Kind {
    complete,  // nothing is missing
    holes,     // the pattern lists what is missing
    listed,    // the pattern lists what is observed
  };

  Observations(const Block& block, Executor& executor);  // the block outlives this
  Observations(const Observations&) = delete;
  Observations& operator=(const Observations&) = delete;

  const Shape& shape() const { return block_->shape(); }
  Index n_modes() const { return block_->modes(); }
  bool is_matrix() const { return block_->is_matrix(); }
  Kind kind() const { return kind_; }
  double squares() const { return squares_; }  // |X0|^2
  double n_observed() const { return n_observed_; }
  double largest() const { return largest_; }  // of the observed cells, at least 0
  double largest_magnitude() const { return largest_magnitude_; }
  // 1 for items of a mode with observed cells, 0 for those without.
  std::vector<double> observed_items(Index mode) const;
  // Coordinates that are missing or observed, as kind() says; null where nothing is missing.
  const SparseTensor* pattern() const { return pattern_; }
  const Block& block() const { return *block_; }                                // as it was given
  const Block& values() const { return own_values_ ? *own_values_ : *block_; }  // X0

  // Y_ik = sum over the slice i of X0 times the product of the other factors' columns k.
  void products(Index mode, std::span<const Matrix> factors, Matrix& y, Executor& executor) const;

 private:
  void fill_holes();
  void keep_listed();
  void sort_entries(Executor& executor) const;

  const Block* block_;
  Kind kind_ = Kind::complete;
  std::optional<Block> own_values_;
  std::optional<SparseTensor> own_pattern_;
  const SparseTensor* pattern_ = nullptr;
  double squares_ = 0.0;
  double n_observed_ = 0.0;
  double largest_ = 0.0;
  double largest_magnitude_ = 0.0;
};

}  // namespace gingham::methods::multilinear
