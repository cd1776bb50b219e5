#include <algorithm>

#include "gingham/kernels/products.hpp"
#include "gingham/methods/mvcca/mvcca.hpp"
#include "gingham/methods/mvcca/recompute.hpp"

namespace gingham::methods::mvcca {

MethodInfo info() {
  MethodInfo info{
      .name = "mvcca",
      .title = "Canonical correlation of the views, then k-means in their common subspace",
      .formula = "sum_i ||g_i - c||^2, G: leading eigenvectors of sum_v Xv (Xv'Xv + rI)^-1 Xv'",
      .reference =
          "Chaudhuri, Kakade, Livescu, Sridharan: Multi-view clustering via canonical correlation "
          "analysis. ICML 2009; more than two views: Kettenring: Canonical analysis of several "
          "sets of variables. Biometrika 58 (1971), MAXVAR",
      .python_class = "MultiviewCCA",
      .example = "gingham fit mvcca pixels.npy fourier.npy -o out --clusters 10",
      .input = InputKind::views,
      .traits = {.accepts_sparse = true},
      .options = views::grouping_options(),
      .arrays = {{"scores_<i>", "rows x components: leading left singular vectors of view i"},
                 {"singular_<i>", "their singular values, falling"},
                 {"embedding", "rows x dimensions: the common subspace, orthonormal columns"},
                 {"values", "its eigenvalues, falling; 1 + canonical correlation for two views"},
                 views::grouping_array()},
      .make = [](const Options& options) { return std::make_unique<Mvcca>(options); },
      .derive = Mvcca::derive,
      .derived_from = {"scale"},
      .peak_bytes =
          [](const Dataset& data, const Options& options) {
            const Index rows = data.block(0).shape()[0];
            const auto n = static_cast<double>(rows);
            double bytes = 0.0, total = 0.0;
            for (const Block& block : data.blocks()) {
              const auto d = static_cast<double>(block.shape()[1]);
              const auto p = static_cast<double>(
                  std::min({options.integer("components"), rows, block.shape()[1]}));
              total += p;
              // Bases of the decomposition and what is kept of it; scaling and its sums on the way.
              bytes += 8.0 * (n + d) * (6.0 * p + 80.0);
              bytes += transposed_bytes(block);
            }
            const auto q = static_cast<double>(n_directions(data, options));
            return bytes + 8.0 * (4.0 * n * total + 4.0 * total * total) +
                   views::grouping_bytes(rows, 2.0 * q, options);
          },
      .recompute = recompute};
  info.options.push_back(views::scale_option());
  info.options.push_back(integer_option(
      "dimensions", "0", 0, 1e6,
      "Directions of the common subspace that k-means works on; 0 for clusters - 1."));
  info.options.push_back(integer_option(
      "components", "50", 1, 1e6,
      "Leading principal components of each view that take part, all where it has fewer."));
  info.options.push_back(real_option("ridge", "0.1", 0, 1e6,
                                     "Added to the views' variances, as a share of their mean: "
                                     "steadies many correlated columns."));
  return info;
}

}  // namespace gingham::methods::mvcca
