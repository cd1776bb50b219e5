#include "gingham/methods/kmeans_coclustering/kmeans_coclustering.hpp"

#include <algorithm>

#include "gingham/kernels/kmeans_gaps.hpp"
#include "gingham/methods/checkerboard/checkerboard.hpp"

namespace gingham::methods::kmeans_coclustering {
namespace {

constexpr Index kTile = 32;  // rows and columns of a piece that is turned in the cache

Matrix transpose(const Matrix& x, Executor& executor) {
  Matrix turned(x.cols(), x.rows());
  const Partition blocks = Partition::even(x.cols(), x.rows());
  executor.map(blocks.count(), [&](Index block) {
    for (Index first = blocks.begin(block); first < blocks.end(block); first += kTile) {
      const Index last = std::min(first + kTile, blocks.end(block));
      for (Index top = 0; top < x.rows(); top += kTile) {
        for (Index j = first; j < last; ++j) {
          for (Index i = top; i < std::min(top + kTile, x.rows()); ++i) turned(j, i) = x(i, j);
        }
      }
    }
  });
  return turned;
}

}  // namespace

struct KMeansCoclustering::Shared {
  Shared(const Block& block, Executor& executor)
      : rows(*block.dense_matrix()),
        columns(transpose(rows, executor)),
        cells(block, checkerboard::Problem{}, executor),
        row_points(kmeans_prepare(rows, executor)),
        column_points(kmeans_prepare(columns, executor)) {}

  const Matrix& rows;
  Matrix columns;  // as points
  checkerboard::Prepared cells;
  std::shared_ptr<const KMeansPoints> row_points, column_points;
};

Derived KMeansCoclustering::derive(const Dataset& data, const Options&, Context& ctx) {
  return std::make_shared<Shared>(data.block(0), ctx.executor());
}

void KMeansCoclustering::attach(const Dataset&, Context& ctx) {
  shared_ = ctx.derived<Shared>();
  rows_.prepared = shared_->row_points;
  columns_.prepared = shared_->column_points;
}

void KMeansCoclustering::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  Rng rng = ctx.rng("rows");
  kmeans_start(shared_->rows, row_groups_, rng, rows_, ctx.executor(), [&] { ctx.check_stop(); });
  rng = ctx.rng("columns");
  kmeans_start(shared_->columns, column_groups_, rng, columns_, ctx.executor(),
               [&] { ctx.check_stop(); });
}

Done KMeansCoclustering::step(Context& ctx) {
  const bool rows_go_on = rows_.iterations == 0 || changed_rows_ > 0;
  const bool columns_go_on = columns_.iterations == 0 || changed_columns_ > 0;
  if (rows_are_next_) {
    ctx.phase("rows");
    if (rows_go_on) changed_rows_ = kmeans_iterate(shared_->rows, rows_, ctx.executor());
    rows_are_next_ = false;
    return Done::nothing;
  }
  ctx.phase("columns");
  if (columns_go_on) changed_columns_ = kmeans_iterate(shared_->columns, columns_, ctx.executor());
  rows_are_next_ = true;
  return Done::iteration;
}

checkerboard::Board KMeansCoclustering::board() const {
  checkerboard::Board board;
  board.rows = {rows_.labels, row_groups_};
  board.columns = {columns_.labels, column_groups_};
  board.u = Matrix(row_groups_, column_groups_);
  board.weights = Matrix(row_groups_, column_groups_);
  for (Index g = 0; g < row_groups_; ++g) {
    for (Index j = 0; j < shared_->rows.cols(); ++j)
      board.u(g, columns_.labels[j]) += shared_->cells.cells.value(rows_.centers(g, j));
    for (Index h = 0; h < column_groups_; ++h) {
      const auto width = static_cast<double>(columns_.counts[h]);
      board.weights(g, h) = static_cast<double>(rows_.counts[g]) * width;
      board.u(g, h) = board.weights(g, h) > 0.0 ? board.u(g, h) / width : shared_->cells.base;
    }
  }
  return board;
}

Terms KMeansCoclustering::terms(Context& ctx, Accuracy accuracy) {
  const checkerboard::Board now = board();
  const auto share = [](Index changed, const Matrix& points) {
    return static_cast<double>(changed) / static_cast<double>(points.rows());
  };
  Terms terms;
  if (accuracy == Accuracy::running) {
    terms.loss = shared_->cells.in_units(running_loss(shared_->cells, now));
    terms.gaps = {{"rows", share(changed_rows_, shared_->rows)},
                  {"columns", share(changed_columns_, shared_->columns)},
                  {"row_centers", 0.0},
                  {"column_centers", 0.0},
                  {"blocks", 0.0}};
    return terms;
  }
  const KMeansGaps rows = kmeans_gaps(shared_->rows, rows_, ctx.executor());
  const KMeansGaps columns = kmeans_gaps(shared_->columns, columns_, ctx.executor());
  terms.loss = shared_->cells.in_units(direct_loss(shared_->cells, now, ctx.executor()));
  terms.gaps = {
      {"rows", rows.points},
      {"columns", columns.points},
      {"row_centers", rows.centers},
      {"column_centers", columns.centers},
      {"blocks", block_gap(shared_->cells, now, block_means(shared_->cells, now), ctx.executor())}};
  return terms;
}

Model KMeansCoclustering::model(Context& ctx) const {
  if (rows_.iterations == 0 || columns_.iterations == 0) return {};
  Model model = board_model(shared_->cells, board(), ctx.executor());
  model.arrays.push_back({"row_centers", rows_.centers});
  model.arrays.push_back({"column_centers", columns_.centers});
  return model;
}

void KMeansCoclustering::state(Archive& ar) {
  ar("rows", rows_)("columns", columns_)("rows_are_next", rows_are_next_);
  ar("changed_rows", changed_rows_)("changed_columns", changed_columns_);
}

}  // namespace gingham::methods::kmeans_coclustering
