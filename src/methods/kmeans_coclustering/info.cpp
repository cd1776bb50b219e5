#include "gingham/methods/checkerboard/checkerboard.hpp"
#include "gingham/methods/kmeans_coclustering/kmeans_coclustering.hpp"
#include "gingham/methods/kmeans_coclustering/recompute.hpp"

namespace gingham::methods::kmeans_coclustering {

MethodInfo info() {
  return {
      .name = "kmeans-coclustering",
      .title = "k-means on rows and on columns, each alone; their groups in pairs are the blocks",
      .formula = "sum_ij (x_ij - block average)^2, groups by k-means of rows and of columns",
      .reference =
          "Anagnostopoulos, Dasgupta, Kumar: Approximation algorithms for co-clustering. PODS 2008",
      .python_class = "KMeansCoclustering",
      .example =
          "gingham fit kmeans-coclustering table.csv -o out --row-clusters 4 --column-clusters 3",
      .input = InputKind::matrix,
      .traits = {.checkerboard = true},
      .options = checkerboard::group_options(),
      .arrays = {{"blocks", "row groups x column groups: block averages"},
                 {"row_centers", "row groups x columns: the mean of each group of rows"},
                 {"column_centers", "column groups x rows: the mean of each group of columns"}},
      .make =
          [](const Options& options) {
            return std::make_unique<KMeansCoclustering>(checkerboard::row_groups(options),
                                                        checkerboard::column_groups(options));
          },
      .derive = KMeansCoclustering::derive,
      .peak_bytes =
          [](const Dataset& data, const Options& options) {
            const auto m = static_cast<double>(data.block(0).shape()[0]);
            const auto n = static_cast<double>(data.block(0).shape()[1]);
            const auto kr = static_cast<double>(checkerboard::row_groups(options));
            const auto kc = static_cast<double>(checkerboard::column_groups(options));
            // The columns as points, both in single precision; bounds, labels and centres of two
            // states each, and what the blocks take.
            return 16.0 * m * n + 120.0 * (m + n) + 80.0 * (kr * n + kc * m) +
                   checkerboard::peak_bytes(data, options);
          },
      .recompute = recompute};
}

}  // namespace gingham::methods::kmeans_coclustering
