// Where a co-cluster begins, and how many rows and columns it may have.
#pragma once
#include "gingham/engine/context.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/multiview/cocluster.hpp"

namespace gingham::methods::multiview {

// --columns: counts, shares of the columns, or auto: the fewest columns whose squared loadings on
// the view's first principal component add up to 90 %.
std::vector<Index> column_limits(const std::vector<View>& views, const Options& options,
                                 Context& ctx);

// --rows of co-cluster c: a count, a share of all rows, or auto: the upper group of the rows' root
// gains split into two by least squares.
Index row_limit(const Options& options, std::size_t c, ConstVec gains, Index n_rows);

// A co-cluster with the v of --start (pca, ones, random); with one sign each v^k points where more
// is explained. Rows are not chosen yet.
CoCluster start_of(const std::vector<View>& views, const Limits& limits, const std::string& kind,
                   Rng rng, Context& ctx);
// The same with the v of a random row.
CoCluster start_of_row(const std::vector<View>& views, const Limits& limits, Rng rng);

}  // namespace gingham::methods::multiview
