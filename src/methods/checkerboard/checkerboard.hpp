// Co-clustering by alternating reassignment: the rows to their best groups, the columns to theirs,
// on the problem given (operators/grouped_fit.hpp). Methods that minimise a divergence from block
// levels are this with their own problem. One step is one half of an iteration.
//
// Gaps: "rows" and "columns" are the shares of items that would move to a better group with
// everything else fixed; "blocks" is how far a stored block average is from that of its cells, in
// units of the largest |x|.
#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/methods/checkerboard/board.hpp"

namespace gingham::methods::checkerboard {

class Checkerboard final : public Method {
 public:
  Checkerboard(const Problem& problem, Index row_groups, Index column_groups)
      : problem_(problem), row_groups_(row_groups), column_groups_(column_groups) {}

  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status, Context&) override { return false; }
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  double loss(Context& ctx, Accuracy accuracy) const;

  Problem problem_;
  Index row_groups_;
  Index column_groups_;
  std::shared_ptr<const Prepared> prepared_;
  Board board_;
  Side next_ = Side::rows;
  Index moved_rows_ = 0, moved_columns_ = 0;  // by the last halves
};

// For MethodInfo::derive.
Derived prepare(const Dataset& data, const Problem& problem, Context& ctx);

// Components, memberships and the array "blocks" of a board. Component k is row group k and column
// group k; its weight is the row group's share of the weight of all cells, `explained` the share of
// the data's spread that the levels of its blocks explain.
Model board_model(const Prepared& prepared, const Board& board, Executor& executor);

// The "blocks" gap of block averages in the units of the data.
double block_gap(const Prepared& prepared, const Board& board, const Matrix& means,
                 Executor& executor);

// --clusters, --row-clusters, --column-clusters and --restarts.
std::vector<OptionRecord> group_options();
Index row_groups(const Options& options);
Index column_groups(const Options& options);

// Throws Error{input} where not one value is observed.
void require_values(const Block& block);

// For MethodInfo::peak_bytes.
double peak_bytes(const Dataset& data, const Options& options);

}  // namespace gingham::methods::checkerboard
