// Correct classification of cells (Papalexakis, Sidiropoulos, Bro, Table I): a cell is right when
// the found co-clusters that cover it are exactly those it was planted in.
//
// Found co-clusters are matched to planted ones one-to-one so that the cells they share are as many
// as possible; a pair that shares none is no match. Cells are counted by groups of items that lie
// in the same co-clusters, never one by one.
#pragma once
#include "gingham/data/tensor.hpp"
#include "gingham/metrics/cocluster.hpp"

namespace gingham {

// Shares of right cells; NaN where there are no such cells.
struct CellScores {
  double all = 0.0;
  double planted = 0.0;     // of the cells in at least one planted co-cluster
  double background = 0.0;  // of the others
};

// What a found co-cluster is that no planted one was matched to.
enum class Unmatched {
  wrong,       // its cells are claimed wrongly
  background,  // where every item had to be put somewhere, it is where the noise went
};

// `sizes`: the items of each mode. Throws Error{usage} for co-clusters that do not fit them.
CellScores classify_cells(const std::vector<CoCluster>& found, const std::vector<CoCluster>& truth,
                          const Shape& sizes, Unmatched unmatched);

// Whether every item of every mode is in exactly one of them.
bool is_partition(const std::vector<CoCluster>& clusters, const Shape& sizes);

// The co-clusters of a checkerboard, where the groups of different modes are not paired: every
// choice of one group in each mode is a co-cluster. Only those that the best matching with `truth`
// may need are made: for K planted ones their K largest overlaps.
std::vector<CoCluster> checkerboard(const std::vector<CoCluster>& groups,
                                    const std::vector<CoCluster>& truth);

}  // namespace gingham
