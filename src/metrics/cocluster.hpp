// Co-clusters as sets: items in each mode, covering the cells of their product.
#pragma once
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham {

struct CoCluster {
  std::vector<std::vector<Index>> modes;  // rows and columns; an item named twice counts once
};

// The same sets, items rising and each named once; what the functions below work on.
CoCluster as_sets(CoCluster cluster);
std::vector<CoCluster> as_sets(std::vector<CoCluster> clusters);

double covered_cells(const CoCluster& cluster);
// Throws Error{usage} where the numbers of modes differ.
double shared_cells(const CoCluster& a, const CoCluster& b);

}  // namespace gingham
