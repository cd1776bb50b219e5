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

void KMeansCoclustering::inherit(const Method& earlier) {
  const auto& other = dynamic_cast<const KMeansCoclustering&>(earlier);
  prepared_ = other.prepared_;
  points_ = other.points_;
  transposed_ = other.transposed_;
  rows_.prepared = other.rows_.prepared;
  columns_.prepared = other.columns_.prepared;
}

void KMeansCoclustering::attach(const Dataset& data, Context& ctx) {
  if (points_ != nullptr) return;
  points_ = data.block(0).dense_matrix();
  prepared_ = std::make_shared<const checkerboard::Prepared>(data.block(0), checkerboard::Problem{},
                                                             ctx.executor());
  transposed_ = std::make_shared<const Matrix>(transpose(*points_, ctx.executor()));
}

void KMeansCoclustering::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  Rng rng = ctx.rng("rows");
  kmeans_start(*points_, row_groups_, rng, rows_, ctx.executor(), [&] { ctx.check_stop(); });
  rng = ctx.rng("columns");
  kmeans_start(*transposed_, column_groups_, rng, columns_, ctx.executor(),
               [&] { ctx.check_stop(); });
}

Done KMeansCoclustering::step(Context& ctx) {
  const bool rows_go_on = rows_.iterations == 0 || changed_rows_ > 0;
  const bool columns_go_on = columns_.iterations == 0 || changed_columns_ > 0;
  if (rows_are_next_) {
    ctx.phase("rows");
    if (rows_go_on) changed_rows_ = kmeans_iterate(*points_, rows_, ctx.executor());
    rows_are_next_ = false;
    return Done::nothing;
  }
  ctx.phase("columns");
  if (columns_go_on) changed_columns_ = kmeans_iterate(*transposed_, columns_, ctx.executor());
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
    for (Index j = 0; j < points_->cols(); ++j)
      board.u(g, columns_.labels[j]) += prepared_->cells.value(rows_.centers(g, j));
    for (Index h = 0; h < column_groups_; ++h) {
      const auto width = static_cast<double>(columns_.counts[h]);
      board.weights(g, h) = static_cast<double>(rows_.counts[g]) * width;
      board.u(g, h) = board.weights(g, h) > 0.0 ? board.u(g, h) / width : prepared_->base;
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
    terms.loss = prepared_->in_units(running_loss(*prepared_, now));
    terms.gaps = {{"rows", share(changed_rows_, *points_)},
                  {"columns", share(changed_columns_, *transposed_)},
                  {"row_centers", 0.0},
                  {"column_centers", 0.0},
                  {"blocks", 0.0}};
    return terms;
  }
  const KMeansGaps rows = kmeans_gaps(*points_, rows_, ctx.executor());
  const KMeansGaps columns = kmeans_gaps(*transposed_, columns_, ctx.executor());
  terms.loss = prepared_->in_units(direct_loss(*prepared_, now, ctx.executor()));
  terms.gaps = {
      {"rows", rows.points},
      {"columns", columns.points},
      {"row_centers", rows.centers},
      {"column_centers", columns.centers},
      {"blocks", block_gap(*prepared_, now, block_means(*prepared_, now), ctx.executor())}};
  return terms;
}

Model KMeansCoclustering::model(Context& ctx) const {
  if (rows_.iterations == 0 || columns_.iterations == 0) return {};
  Model model = board_model(*prepared_, board(), ctx.executor());
  model.arrays.push_back({"row_centers", rows_.centers});
  model.arrays.push_back({"column_centers", columns_.centers});
  return model;
}

void KMeansCoclustering::state(Archive& ar) {
  ar("rows", rows_)("columns", columns_)("rows_are_next", rows_are_next_);
  ar("changed_rows", changed_rows_)("changed_columns", changed_columns_);
}

}  // namespace gingham::methods::kmeans_coclustering
