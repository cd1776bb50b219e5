#include <cmath>

#include "gingham/kernels/products.hpp"
#include "gingham/methods/spectral/recompute.hpp"
#include "gingham/methods/spectral/simulate.hpp"
#include "gingham/methods/spectral/spectral.hpp"

namespace gingham::methods::spectral {

MethodInfo info() {
  return {
      .name = "spectral",
      .title = "Spectral co-clustering: rows and columns cut into parts together",
      .formula =
          "sum ||z - c||^2 over rows and columns, z from the singular vectors of D1^-1/2 A D2^-1/2",
      .reference =
          "Dhillon: Co-clustering documents and words using bipartite spectral graph partitioning. "
          "KDD 2001",
      .python_class = "SpectralCoclustering",
      .example = "gingham fit spectral counts.mtx -o out --clusters 5",
      .input = InputKind::matrix,
      .traits = {.accepts_sparse = true, .needs_nonnegative = true},
      .options = {integer_option("clusters", "3", 1, 1e6, "Parts to cut rows and columns into."),
                  integer_option("starts", "10", 1, 1e6,
                                 "k-means starts in the embedding; the best is kept.")},
      .arrays = {{"left", "rows x vectors: left singular vectors of the normalised matrix"},
                 {"right", "columns x vectors: right singular vectors"},
                 {"singular", "singular values, falling"},
                 {"centers",
                  "clusters x (vectors - 1), at least one column: centres in the embedding"}},
      .make = [](const Options& options) { return std::make_unique<Spectral>(options); },
      .check =
          [](const Dataset& data, const Options&) {
            if (data.block(0).summary().nonzeros == 0) {
              throw Error(ErrorCode::input, data.block(0).name(),
                          "all values are zero: there is nothing to cut");
            }
          },
      .peak_bytes =
          [](const Dataset& data, const Options& options) {
            const Block& block = data.block(0);
            const auto items = static_cast<double>(block.shape()[0] + block.shape()[1]);
            const auto k = static_cast<double>(options.integer("clusters"));
            const double vectors = 2.0 + std::log2(k + 1.0);
            // Lanczos basis, embedding, two k-means states; a sparse matrix's other orientation.
            return 8.0 * items * (80.0 + 12.0 * vectors) + 100.0 * items + 64.0 * k * vectors +
                   transposed_bytes(block);
          },
      .recompute = recompute,
      .simulators = {simulator()}};
}

}  // namespace gingham::methods::spectral
