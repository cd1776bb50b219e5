#include "gingham/methods/cotrained/cotrained.hpp"
#include "gingham/methods/cotrained/recompute.hpp"

namespace gingham::methods::cotrained {

MethodInfo info() {
  MethodInfo info = kernel_views::spectral_info({.recompute_objective = recompute_objective});
  info.name = "cotrained";
  info.title = "Co-trained spectral clustering: each view's kernel seen through the others' groups";
  info.formula =
      "sum_v tr Uv'(I - L(Sv))Uv, Sv = sym(sum_(w != v) Uw Uw' Kv), then k-means on [U1 ... Um]";
  info.reference =
      "Kumar, Daume: A co-training approach for multi-view spectral clustering. ICML 2011";
  info.python_class = "CotrainedClustering";
  info.example = "gingham fit cotrained pixels.npy fourier.npy -o out --clusters 10";
  info.make = [](const Options& options) { return std::make_unique<Cotrained>(options); };
  return info;
}

}  // namespace gingham::methods::cotrained
