// Co-clusters that share out all rows, improved together: each row to the one that explains it
// best, then the columns of each as by themselves. What is explained never falls.
#pragma once
#include "gingham/methods/multiview/cocluster.hpp"

namespace gingham::methods::multiview {

// Every row with the co-cluster that explains it best. A row leaves its own only for more than
// rounding.
struct Sharing {
  std::vector<Index> owner;              // -1: none explains anything of it
  std::vector<double> best;              // what is explained of each row then
  Explained gained;                      // by better u in each view
  double exchanged = 0.0;                // by rows that move
  std::vector<std::vector<Products>> z;  // per co-cluster, its row products
};
Sharing share_out(const Fitter& fitter, const std::vector<CoCluster>& found,
                  const std::vector<Limits>& limits);

// A co-cluster without rows whose columns are those of one row.
CoCluster at_row(const std::vector<View>& views, const Limits& limits, Index row);

// One pass. A co-cluster that lost all its rows begins again at the row of which most is left.
// Returns how the rows were shared out; `columns` gets the steps of each co-cluster's columns.
Sharing refine(const std::vector<View>& views, const std::vector<Limits>& limits,
               std::vector<CoCluster>& found, std::vector<Step>& columns);

}  // namespace gingham::methods::multiview
