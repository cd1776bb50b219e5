// Consensus score of two sets of co-clusters (Hochreiter et al. 2010). A co-cluster is a set of
// items in each mode and covers their product; similarity is that of Jaccard on what is covered,
//
//   J(A, B) = |A n B| / (|A| + |B| - |A n B|),    |A n B| = product over modes of |A_m n B_m|,
//
// and the score is the sum of similarities in the best one-to-one matching over the larger number
// of co-clusters. 1 for equal sets; overlapping co-clusters are allowed.
#pragma once
#include <vector>

#include "gingham/metrics/cocluster.hpp"

namespace gingham {

// 0 for two co-clusters that cover nothing. Throws Error{usage} where the numbers of modes differ.
double jaccard(const CoCluster& a, const CoCluster& b);

// 1 where both sets are empty, 0 where only one is.
double consensus_score(const std::vector<CoCluster>& a, const std::vector<CoCluster>& b);

}  // namespace gingham
