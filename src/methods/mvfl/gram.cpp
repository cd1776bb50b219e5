#include "gingham/methods/mvfl/gram.hpp"

#include <algorithm>

#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::mvfl {
namespace {

constexpr Index kGramRows = 512;  // rows of X formed at a time
constexpr Index kGramTile = 64;   // columns of X^T X computed at a time

}  // namespace

void add_column_squares(const views::ScaledView& view, double unit, double* squares,
                        Executor& executor) {
  const auto square = [](double x) { return x * x; };
  if (const SparseMatrix* x = view.block().sparse_matrix()) {
    const std::vector<double>&c = view.column_scale(), &r = view.row_scale();
    std::vector<double> zeros = view.means();  // what a cell of 0 becomes, but for sign
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
  const Partition blocks = Partition::even(view.rows(), view.cols());
  sum_blocks(executor, blocks.count(), Vec(squares, static_cast<std::size_t>(view.cols())),
             [&](Index block, Vec partial) {
               std::vector<double> row(partial.size());
               for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
                 view.fill_row(i, row);
                 for (std::size_t j = 0; j < row.size(); ++j) partial[j] += square(row[j] / unit);
               }
             });
}

bool has_gram(const Dataset& data) {
  Index d = 0;
  for (const Block& block : data.blocks()) {
    if (block.is_sparse()) return false;
    d += block.shape()[1];
  }
  return 2 * d <= data.block(0).shape()[0];
}

Matrix gram_of(const std::vector<views::ScaledView>& views, Index d, double unit,
               Executor& executor) {
  const Index n = views[0].rows();
  Matrix gram(d, d), rows(std::min(n, kGramRows), d);
  double *out = gram.data(), *x = rows.data();
  const BlasSingleThread single;
  for (Index top = 0; top < n; top += kGramRows) {
    const Index height = std::min(kGramRows, n - top);
    executor.map(height, [&](Index i) {
      const Vec row(x + i * d, static_cast<std::size_t>(d));
      std::size_t at = 0;
      for (const views::ScaledView& view : views) {
        view.fill_row(top + i, row.subspan(at, static_cast<std::size_t>(view.cols())));
        at += static_cast<std::size_t>(view.cols());
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

}  // namespace gingham::methods::mvfl
