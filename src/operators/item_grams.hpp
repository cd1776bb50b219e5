// The curvature of an item's row where cells are missing, one after the other:
//
//   Z_i = sum over the observed cells of item i of z z^T          z: the product of the other
//                                                                 modes' factor rows at the cell
//
// All cells less the missing ones, or the listed ones; where little is left of the difference what
// is left is summed itself (RunGrams).
#pragma once
#include "gingham/kernels/sparse_contraction.hpp"
#include "gingham/kernels/thin_products.hpp"
#include "gingham/operators/run_grams.hpp"

namespace gingham {

class ItemGrams {
 public:
  // whole: per class of items of the mode the sum over all cells that it sees; not looked at where
  // cells are listed. Everything outlives this and stays as it is.
  ItemGrams(const Observed& data, Index mode, std::span<const Matrix> factors,
            std::span<const Matrix> whole);

  // z <- Z_i (K x K); `room` is memory from call to call. From several threads at a time.
  void make(Index item, Matrix& z, std::vector<double>& room) const;
  // The same, one column of it and without a difference.
  void column(Index item, Index k, Vec out) const { runs_.column(item, k, out); }
  const RunGrams& runs() const { return runs_; }

  // Of one matrix per item of every mode, or of one for all where nothing is missing.
  static double bytes(const Block& block, Index n_columns);

 private:
  const Observed& data_;
  const CellList& cells_;
  Index mode_, n_columns_, stride_ = 0;
  std::span<const Matrix> whole_;
  std::vector<thin::Padded<double>> padded_;
  std::vector<sparse::OtherMode> others_;
  RunGrams runs_;
};

// The product of A^T A over the modes but one: the sum over all cells.
Matrix whole_gram(Index mode, std::span<const Matrix> factors, Executor& executor);
// The sums over all cells that each class of items of a mode sees.
std::vector<Matrix> whole_grams(const Observed& data, Index mode, std::span<const Matrix> factors,
                                Executor& executor);

}  // namespace gingham
