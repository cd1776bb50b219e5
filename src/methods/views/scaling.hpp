// A view brought to a common scale, never formed:
//
//   X_s = D_r (X - 1 m^T) D_c        X: rows x cols, m: column means, D_r, D_c: row and column
//                                    scales
//
//   none         X as it is
//   center       m
//   standardize  m; columns of variance 1 (over n, not n - 1)
//   unit         m; ||X_s||_F = 1
//   rows         m; every row of length 1
//
// Means and scales go over the observed cells; cells that are missing in X are missing in X_s and
// add nothing to any sum. A centred column whose observed cells are all the same (or that has none)
// is zero, with the scale 0; a row of zeros stays one, as does with rows one whose deviations are
// the means' rounding alone. A product
// costs one pass over X: dense cells are centred as they are read, a sparse view gets a rank-one
// correction.
#pragma once
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/data/dataset.hpp"
#include "gingham/engine/options.hpp"

namespace gingham::methods::views {

// A difference below this share of its terms is summed directly.
inline constexpr double kCancels = 1e-3;

enum class Scale { none, center, standardize, unit, rows };

OptionRecord scale_option(std::string initial = "standardize");  // --scale
Scale scale_of(const Options& options);                          // its value
bool is_centered(Scale scale);                                   // all but none

class ScaledView {
 public:
  // Both outlive this. The block is a matrix, Error{internal} otherwise.
  ScaledView(const Block& view, Scale scale, Executor& executor);

  Index rows() const { return view_->shape()[0]; }
  Index cols() const { return view_->shape()[1]; }
  const Block& block() const { return *view_; }
  Executor& executor() const { return *executor_; }
  bool has_missing() const { return view_->has_missing(); }
  const std::vector<double>& row_scale() const { return row_scale_; }        // D_r
  const std::vector<double>& means() const { return means_; }                // m
  const std::vector<double>& column_scale() const { return column_scale_; }  // D_c
  Index constant_columns() const { return constant_columns_; }

  // y = X_s x and y = X_s^T x. Every y is overwritten and must not overlap x; sizes must be right
  // (Error{internal}).
  void multiply(ConstVec x, Vec y) const;
  void multiply_transposed(ConstVec x, Vec y) const;
  // The same, and per entry of y the sum of x_j^2 over the cells observed there. A column or row of
  // scale 0 counts as observed zeros. x must be finite.
  void multiply_observed(ConstVec x, Vec y, Vec weight) const;
  void multiply_transposed_observed(ConstVec x, Vec y, Vec weight) const;
  // Sums of a_j b_j over the observed cells of each row, and of a_i b_i over those of each column.
  void observed_row_products(ConstVec a, ConstVec b, Vec y) const;
  void observed_column_products(ConstVec a, ConstVec b, Vec y) const;

  // D_r is multiplied by these.
  void scale_rows(ConstVec factors);

  // Sums of squares of the observed cells of X_s: of each row, and of all.
  const std::vector<double>& row_squares() const { return row_squares_; }
  double squares() const { return squares_; }

  // Row i of X_s with `missing` for missing cells; `out` has cols entries.
  void fill_row(Index i, Vec out, double missing = 0.0) const;

 private:
  struct Columns;
  Columns scan() const;
  void scan_dense(const Matrix& x, Columns& found) const;
  void scan_sparse(const SparseMatrix& x, Columns& found) const;
  void deviations(Columns& found) const;
  void scale_columns(Scale scale);
  std::vector<double> row_lengths() const;

  const Block* view_;
  Executor* executor_;
  std::vector<double> row_scale_, means_, column_scale_;
  std::vector<double> row_squares_;
  double squares_ = 0.0;
  double largest_ = 0.0;  // |x| of columns that are not constant, where they are centred
  Index constant_columns_ = 0;
};

}  // namespace gingham::methods::views
