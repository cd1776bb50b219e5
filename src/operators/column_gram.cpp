#include "gingham/operators/column_gram.hpp"

#include <algorithm>

#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

constexpr Index kGramRows = 512;  // rows of X formed at a time
constexpr Index kGramTile = 64;   // columns of X^T X computed at a time

}  // namespace

void add_column_squares(const PreparedMatrix& matrix, double unit, double* squares) {
  const auto square = [](double x) { return x * x; };
  if (const SparseMatrix* x = matrix.block().sparse_matrix()) {
    const std::vector<double>&c = matrix.preparation().column_scale,
          &r = matrix.preparation().row_scale;
    std::vector<double> zeros =
        matrix.preparation().means;  // what a cell of 0 becomes, but for sign
    for (Index j = 0; j < x->cols(); ++j) zeros[j] *= c[j] / unit;
    for (Index i = 0; i < x->rows(); ++i) {
      for (Index k = x->pointers()[i]; k < x->pointers()[i + 1]; ++k) {
        const Index j = x->columns()[k];
        const double cell = x->values()[k] * (c[j] / unit) - zeros[j];
        squares[j] += square(r[i]) * (square(cell) - square(zeros[j]));
      }
    }
    const double all_rows = sum_squares(r);
    for (Index j = 0; j < x->cols(); ++j)
      squares[j] = std::max(squares[j] + square(zeros[j]) * all_rows, 0.0);
    return;
  }
  const Partition blocks = Partition::even(matrix.rows(), matrix.cols(), matrix.cols());
  sum_blocks(matrix.executor(), blocks.count(),
             Vec(squares, static_cast<std::size_t>(matrix.cols())), [&](Index block, Vec partial) {
               std::vector<double> row(partial.size());
               for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
                 matrix.fill_row(i, row);
                 for (std::size_t j = 0; j < row.size(); ++j) partial[j] += square(row[j] / unit);
               }
             });
}

bool has_column_gram(const Dataset& data) {
  Index d = 0;
  for (const Block& block : data.blocks()) {
    if (block.is_sparse()) return false;
    d += block.shape()[1];
  }
  return 2 * d <= data.block(0).shape()[0];
}

Matrix column_gram(const std::vector<PreparedMatrix>& matrices, Index d, double unit) {
  Executor& executor = matrices[0].executor();
  const Index n = matrices[0].rows();
  Matrix gram(d, d), rows(std::min(n, kGramRows), d);
  double *out = gram.data(), *x = rows.data();
  const BlasSingleThread single;
  for (Index top = 0; top < n; top += kGramRows) {
    const Index height = std::min(kGramRows, n - top);
    executor.map(height, [&](Index i) {
      const Vec row(x + i * d, static_cast<std::size_t>(d));
      std::size_t at = 0;
      for (const PreparedMatrix& one : matrices) {
        const auto width = static_cast<std::size_t>(one.cols());
        one.fill_row(top + i, row.subspan(at, width));
        at += width;
      }
      scale(1.0 / unit, row);
    });
    executor.map((d + kGramTile - 1) / kGramTile, [&](Index tile) {
      const Index left = tile * kGramTile, width = std::min(kGramTile, d - left);
      gemm(Op::transpose, Op::none, d, width, height, 1.0, x, d, x + left, d, top == 0 ? 0.0 : 1.0,
           out + left, d);
    });
  }
  return gram;
}

}  // namespace gingham
