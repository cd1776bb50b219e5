#include "gingham/metrics/consensus.hpp"

#include <algorithm>
#include <iterator>

#include "gingham/kernels/hungarian.hpp"

namespace gingham {
namespace {

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

double covered(const CoCluster& cluster) {
  double product = 1.0;
  for (const auto& items : cluster.modes) product *= static_cast<double>(items.size());
  return product;
}

double similarity(const CoCluster& a, const CoCluster& b) {
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
  const double shared = covered(both);
  return shared > 0.0 ? shared / (covered(a) + covered(b) - shared) : 0.0;
}

}  // namespace

double jaccard(const CoCluster& a, const CoCluster& b) {
  return similarity(as_sets(a), as_sets(b));
}

double consensus_score(const std::vector<CoCluster>& a, const std::vector<CoCluster>& b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty() ? 1.0 : 0.0;
  const std::vector<CoCluster> a_sets = as_sets(a), b_sets = as_sets(b);
  Matrix similarities(static_cast<Index>(a.size()), static_cast<Index>(b.size()));
  for (Index i = 0; i < similarities.rows(); ++i) {
    for (Index j = 0; j < similarities.cols(); ++j) {
      similarities(i, j) = similarity(a_sets[i], b_sets[j]);
    }
  }
  return assign_maximum(similarities).total / static_cast<double>(std::max(a.size(), b.size()));
}

}  // namespace gingham
