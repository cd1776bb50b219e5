// Samples x_1 ... x_n of length p: the rows (or columns) of a matrix, made zero-mean and unit-norm
// unless told otherwise. Read in pieces, whatever the storage of the data.
#pragma once
#include "gingham/data/dataset.hpp"
#include "gingham/engine/options.hpp"

namespace gingham::methods::sparse_coding {

// --samples: whether a sample is a column of the data.
bool are_columns(const Options& options);

class Samples {
 public:
  // As --samples and --normalize say.
  Samples(const Block& block, const Options& options);

  Index count() const { return block_->shape()[are_columns_ ? 1 : 0]; }
  Index length() const { return block_->shape()[are_columns_ ? 0 : 1]; }
  bool are_units() const { return normalize_; }        // those that are kept have length 1
  Index axis() const { return are_columns_ ? 1 : 0; }  // mode of the data that samples are items of
  const char* mode() const { return are_columns_ ? "columns" : "rows"; }

  // Samples first ... first + n - 1, `stride` values apart with zeros behind each. is_kept[i] = 0
  // for a sample without anything but its mean, which is all zeros then; without normalisation
  // every sample is kept.
  template <class T>
  void read(Index first, Index n, Index stride, T* out, char* is_kept) const;

 private:
  const Block* block_;
  bool are_columns_, normalize_;
};

}  // namespace gingham::methods::sparse_coding
