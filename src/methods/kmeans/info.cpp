#include "gingham/methods/kmeans/kmeans.hpp"
#include "gingham/methods/kmeans/recompute.hpp"
#include "gingham/methods/kmeans/simulate.hpp"
#include "gingham/methods/kmeans/transform.hpp"

namespace gingham::methods::kmeans {

MethodInfo info() {
  return {
      .name = "kmeans",
      .title = "k-means: rows into groups around their means",
      .formula = "sum_i ||x_i - c_label(i)||^2",
      .reference =
          "Lloyd: Least squares quantization in PCM. IEEE Trans. Inf. Theory 28 (1982); starts: "
          "Arthur, Vassilvitskii: k-means++. SODA 2007",
      .python_class = "KMeans",
      .example = "gingham fit kmeans table.csv -o out --clusters 4",
      .input = InputKind::matrix,
      .traits = {.descent = true},
      .options =
          {integer_option("clusters", "3", 1, 1e9, "Groups of rows."),
           integer_option(
               "restarts", "10", 1, 1e6,
               "Runs from different random starts; the one with the lowest objective is kept.")},
      .arrays = {{"centers", "clusters x columns: the mean of each group"}},
      .make = [](const Options& options) { return std::make_unique<KMeans>(options); },
      .derive = KMeans::derive,
      .peak_bytes =
          [](const Dataset& data, const Options& options) {
            const auto n = static_cast<double>(data.block(0).shape()[0]);
            const auto d = static_cast<double>(data.block(0).shape()[1]);
            const auto k = static_cast<double>(options.integer("clusters"));
            // Points in single precision, bounds and labels of two states, centres and sums per
            // thread.
            return 4.0 * n * d + 120.0 * n + 80.0 * k * d + 8.0 * d;
          },
      .recompute = recompute,
      .transform = transform,
      .simulators = {simulator()}};
}

}  // namespace gingham::methods::kmeans
