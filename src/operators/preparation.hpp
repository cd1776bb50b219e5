// What is done to a matrix before anything is computed from it, and what was learnt of it for that:
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
// Means and scales go over the observed cells. A centred column whose observed cells are all the
// same (or that has none) is zero, with the scale 0; a row of zeros stays one, as does with rows
// one whose deviations are the means' rounding alone.
#pragma once
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham {

enum class Scale { none, center, standardize, unit, rows };

struct Preparation {
  std::vector<double> row_scale, means, column_scale;  // D_r, m, D_c
  bool is_none = true;                                 // X_s is X: ones and zeros
  // Sums of squares of the observed cells of X_s: of each row, and of all. Empty where not known.
  std::vector<double> row_squares;
  double squares = 0.0;
  Index constant_columns = 0;
  bool is_of_new_rows = false;  // what is computed of one must not depend on the others

  double operator()(Index i, Index j, double x) const {
    return is_none ? x : (x - means[j]) * column_scale[j] * row_scale[i];
  }
  // D_r is multiplied by these. Error{internal} where there are not as many as rows.
  void scale_rows(ConstVec factors);
};

// X as it is, no squares known.
Preparation unprepared(const Block& x);

// Learnt from the matrix itself.
Preparation prepare(const Block& x, Scale scale, Executor& executor);

// For rows that were not in the fit: its means and column scales, and each row of length 1 where
// `has_unit_rows`.
Preparation prepare_new(const Block& x, std::vector<double> means, std::vector<double> column_scale,
                        bool has_unit_rows, Executor& executor);

}  // namespace gingham
