// First groups for a board.
#pragma once
#include "gingham/engine/context.hpp"
#include "gingham/methods/checkerboard/board.hpp"

namespace gingham::methods::checkerboard {

// Columns are put into a few random groups, each its own where there are few; rows are grouped by
// k-means++ on their averages there, columns on their averages in the groups of rows. For
// information the averages enter by their roots, whose squared distances are close to the
// divergence. Calls ctx.check_stop().
Board start_board(const Prepared& prepared, Index row_groups, Index column_groups, Context& ctx);

// Bytes that takes at most, beyond the data.
double start_bytes(double rows, double columns, double row_groups, double column_groups);

}  // namespace gingham::methods::checkerboard
