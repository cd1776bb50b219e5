#include "gingham/metrics/cocluster.hpp"

#include <algorithm>
#include <iterator>

namespace gingham {

CoCluster as_sets(CoCluster cluster) {
  for (std::vector<Index>& items : cluster.modes) {
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
  }
  return cluster;
}

std::vector<CoCluster> as_sets(std::vector<CoCluster> clusters) {
  for (CoCluster& cluster : clusters) cluster = as_sets(std::move(cluster));
  return clusters;
}

double covered_cells(const CoCluster& cluster) {
  double product = 1.0;
  for (const auto& items : cluster.modes) product *= static_cast<double>(items.size());
  return product;
}

double shared_cells(const CoCluster& a, const CoCluster& b) {
  if (a.modes.size() != b.modes.size()) {
    throw Error(ErrorCode::usage, "",
                "co-clusters of " + std::to_string(a.modes.size()) + " and " +
                    std::to_string(b.modes.size()) + " modes cannot be compared");
  }
  CoCluster both;
  for (std::size_t m = 0; m < a.modes.size(); ++m) {
    auto& common = both.modes.emplace_back();
    std::set_intersection(a.modes[m].begin(), a.modes[m].end(), b.modes[m].begin(),
                          b.modes[m].end(), std::back_inserter(common));
  }
  return covered_cells(both);
}

}  // namespace gingham
