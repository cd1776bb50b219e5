#include "gingham/metrics/consensus.hpp"

#include <algorithm>

#include "gingham/kernels/hungarian.hpp"

namespace gingham {
namespace {

double similarity(const CoCluster& a, const CoCluster& b) {
  const double shared = shared_cells(a, b);
  return shared > 0.0 ? shared / (covered_cells(a) + covered_cells(b) - shared) : 0.0;
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
