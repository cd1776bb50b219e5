#include "gingham/methods/checkerboard/checkerboard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/checkerboard/start.hpp"

namespace gingham::methods::checkerboard {
namespace {

// What the levels leave of the spread is accurate enough to report where both are well above the
// rounding of logarithms: then the pass over all cells, a logarithm each, can be saved.
constexpr double kLeft = 1e-3;       // of the spread
constexpr double kSpreadOut = 1e-6;  // of the data's sum

}  // namespace

Derived prepare(const Dataset& data, const Problem& problem, Context& ctx) {
  return std::make_shared<Prepared>(data.block(0), problem, ctx.executor());
}

void Checkerboard::attach(const Dataset&, Context& ctx) { prepared_ = ctx.derived<Prepared>(); }

void Checkerboard::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  board_ = start_board(*prepared_, row_groups_, column_groups_, ctx);
}

Done Checkerboard::step(Context& ctx) {
  if (next_ == Side::rows) {
    ctx.phase("rows");
    moved_rows_ = reassign(*prepared_, Side::rows, board_, ctx.executor());
    next_ = Side::columns;
    return Done::nothing;
  }
  ctx.phase("columns");
  moved_columns_ = reassign(*prepared_, Side::columns, board_, ctx.executor());
  next_ = Side::rows;
  return Done::iteration;
}

double Checkerboard::loss(Context& ctx, Accuracy accuracy) const {
  const double left = running_loss(*prepared_, board_);
  const bool is_accurate = problem_.divergence == Divergence::information &&
                           left > kLeft * prepared_->total_spread &&
                           prepared_->total_spread > kSpreadOut * prepared_->total_size;
  if (accuracy == Accuracy::running || is_accurate) return left;
  return direct_loss(*prepared_, board_, ctx.executor());
}

Terms Checkerboard::terms(Context& ctx, Accuracy accuracy) {
  Terms terms;
  terms.loss = prepared_->in_units(loss(ctx, accuracy));
  const bool exact = accuracy == Accuracy::exact;
  const auto share = [&](Side side, Index moved) {
    if (exact) moved = misplaced(*prepared_, side, board_, ctx.executor());
    return static_cast<double>(moved) / static_cast<double>(prepared_->cells.items(side));
  };
  terms.gaps = {{"rows", share(Side::rows, moved_rows_)},
                {"columns", share(Side::columns, moved_columns_)},
                {"blocks", exact ? block_gap(*prepared_, board_, block_means(*prepared_, board_),
                                             ctx.executor())
                                 : 0.0}};
  return terms;
}

Model Checkerboard::model(Context& ctx) const {
  return board_model(*prepared_, board_, ctx.executor());
}

void Checkerboard::state(Archive& ar) {
  ar("board", board_)("next", next_)("moved_rows", moved_rows_)("moved_columns", moved_columns_);
  const auto fits = [](const Groups& groups, Index n_items, Index count) {
    return groups.count == count && static_cast<Index>(groups.labels.size()) == n_items &&
           std::all_of(groups.labels.begin(), groups.labels.end(),
                       [&](Index label) { return label >= 0 && label < count; });
  };
  const auto is_board = [&](const Matrix& one) {
    return one.rows() == row_groups_ && one.cols() == column_groups_;
  };
  if (ar.reading() &&
      !(fits(board_.rows, prepared_->cells.items(Side::rows), row_groups_) &&
        fits(board_.columns, prepared_->cells.items(Side::columns), column_groups_) &&
        is_board(board_.u) && is_board(board_.weights) &&
        (next_ == Side::rows || next_ == Side::columns))) {
    throw Error(ErrorCode::input, "", "saved state: groups do not fit the data");
  }
}

Model board_model(const Prepared& prepared, const Board& board, Executor& executor) {
  Model model;
  const std::vector<double> explained = explained_by_rows(prepared, board);
  for (Index k = 0; k < std::max(board.rows.count, board.columns.count); ++k) {
    Component component;
    if (k < board.rows.count && prepared.weight > 0.0)
      component.weight = sum(board.weights.row(k)) / prepared.weight;
    if (k < board.rows.count && prepared.has_spread())
      component.explained = explained[k] / prepared.total_spread;
    model.components.push_back(component);
  }
  if (prepared.has_spread())
    model.explained =
        share_explained(direct_loss(prepared, board, executor), prepared.total_spread);
  for (const Side side : {Side::rows, Side::columns}) {
    const std::vector<Index> sizes = board.of(side).sizes();
    const auto empty = std::count(sizes.begin(), sizes.end(), 0);
    if (empty > 0) {
      model.notes.push_back(
          fmt::format("{} of {} {} groups are empty: more would not lower the objective", empty,
                      sizes.size(), side == Side::rows ? "row" : "column"));
    }
  }
  model.memberships = {membership_of("rows", std::nullopt, board.rows.labels),
                       membership_of("columns", std::nullopt, board.columns.labels)};
  model.arrays.push_back({"blocks", block_means(prepared, board)});
  return model;
}

double block_gap(const Prepared& prepared, const Board& board, const Matrix& means,
                 Executor& executor) {
  Board fresh = board;
  set_levels(prepared, Side::rows,
             make_profiles(prepared.cells, prepared.problem.divergence, prepared.parts, Side::rows,
                           board.columns, executor),
             fresh);
  const Matrix expected = block_means(prepared, fresh);
  const Summary& summary = prepared.cells.block().summary();
  const double largest = std::max(std::abs(summary.min), std::abs(summary.max));
  double gap = 0.0;
  for (Index t = 0; t < means.size() && largest > 0.0; ++t) {
    gap = std::max(gap, std::abs(means.values()[t] / largest - expected.values()[t] / largest));
  }
  return gap;
}

std::vector<OptionRecord> group_options() {
  const auto own = [](const char* name, const char* help) {
    return OptionRecord{
        .name = name, .type = OptionType::integer, .min = 1, .max = 1e6, .help = help};
  };
  return {integer_option("clusters", "3", 1, 1e6,
                         "Groups of rows and groups of columns, where those below are not given."),
          own("row-clusters", "Groups of rows; as many as --clusters if not given."),
          own("column-clusters", "Groups of columns; as many as --clusters if not given."),
          integer_option(
              "restarts", "10", 1, 1e6,
              "Runs from different random starts; the one with the lowest objective is kept.")};
}

Index row_groups(const Options& options) {
  return options.integer(options.given("row-clusters") ? "row-clusters" : "clusters");
}

Index column_groups(const Options& options) {
  return options.integer(options.given("column-clusters") ? "column-clusters" : "clusters");
}

void require_values(const Block& block) {
  if (std::isnan(block.summary().max))
    throw Error(ErrorCode::input, block.name(),
                "all values are missing: there is nothing to group");
}

double peak_bytes(const Dataset& data, const Options& options) {
  const Block& block = data.block(0);
  const auto m = static_cast<double>(block.shape()[0]), n = static_cast<double>(block.shape()[1]);
  const auto kr = static_cast<double>(row_groups(options));
  const auto kc = static_cast<double>(column_groups(options));
  // Sums and counts of one side; labels, parts, spreads, sizes and members; blocks of two states.
  return std::max(start_bytes(m, n, kr, kc), 16.0 * std::max(m * kc, n * kr)) + 160.0 * (m + n) +
         80.0 * kr * kc + Cells::pass_bytes(block, row_groups(options));
}

}  // namespace gingham::methods::checkerboard
