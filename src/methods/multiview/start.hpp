// Where a co-cluster begins, and how many rows and columns it may have.
#pragma once
#include <optional>

#include "gingham/engine/context.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/multiview/cocluster.hpp"

namespace gingham::methods::multiview {

// --columns: counts, shares of the columns, or auto: the fewest columns whose squared loadings on
// the view's first principal component add up to 90 %.
std::vector<Index> column_limits(const std::vector<View>& views, const Options& options,
                                 Context& ctx);

// --rows of co-cluster c: a count or a share of all rows; nothing for auto.
std::optional<Index> row_limit(const Options& options, std::size_t c, Index n_rows);

// A co-cluster with the v of --start: the loadings of all views' first principal component (pca),
// ones, or random numbers; with one sign v points where more is explained. Rows are not chosen yet.
CoCluster start_of(const std::vector<View>& views, const Limits& limits, const std::string& kind,
                   Rng rng, Context& ctx);
// The same with the v of a random row.
CoCluster start_of_row(const std::vector<View>& views, const Limits& limits, Rng rng);

// A start followed for some iterations.
struct Attempt {
  CoCluster cocluster;
  Limits limits;
  Explained explained;
  double score = 0.0;  // the higher the better
};

// With a number of rows the score is what is explained. Without, the rows are those in the upper
// group of all rows' root gains split into two by least squares, again as the gains change, and the
// score is the sum of squares between the members' root gains and the others'. `follows`: whether
// to iterate with a given number too, for a comparison of several attempts.
Attempt attempt(const std::vector<View>& views, const Limits& limits,
                std::optional<Index> n_members, bool follows, CoCluster start, Context& ctx);

}  // namespace gingham::methods::multiview
