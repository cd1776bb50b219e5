#include "gingham/methods/multilinear/memory.hpp"

#include <algorithm>

namespace gingham::methods::multilinear {

double peak_bytes(const Block& block, Index n_components, bool with_svd, bool with_columns) {
  const Summary& summary = block.summary();
  const auto n_modes = static_cast<double>(block.modes());
  const auto k = static_cast<double>(n_components);
  const auto listed = static_cast<double>(summary.listed),
             missing = static_cast<double>(summary.missing);
  double items = 0.0, cells = 1.0, smallest = 1e300;
  for (const Index size : summary.shape) {
    items += static_cast<double>(size);
    cells *= static_cast<double>(size);
    smallest = std::min(smallest, static_cast<double>(size));
  }
  const double per_entry = 8.0 + 4.0 * n_modes;  // value and coordinates
  // Entries sorted by each mode but the first; where cells are missing, what is left and where it
  // is as well.
  const double sorted = (n_modes - 1.0) * (per_entry - 4.0) * listed + 16.0 * items;
  double total = block.is_sparse() ? sorted : 0.0;
  if (missing > 0.0) {
    const double marked = block.is_sparse() ? listed : std::min(missing, cells - missing);
    // While sorted, an order and its copy beside the entries.
    total += (2.0 + n_modes) * per_entry * marked + 16.0 * marked;
    total += block.is_sparse() ? 2.0 * per_entry * listed : 8.0 * cells;
  }
  if (!block.is_sparse()) total += 8.0 * (k + 4.0) * 2.0 * cells / smallest + 3e7;
  if (with_svd) {
    total += (block.is_sparse() ? 72.0 * listed : 0.0) +
             8.0 * (2.0 * k + 24.0) * 2.0 * (block.is_sparse() ? listed : cells / smallest);
  }
  if (with_columns && missing > 0.0) total += 8.0 * items * k * k;  // Q of every item
  // Factors of the run, of the best one, of line searches and starts; members of the model.
  return total + 8.0 * items * (40.0 * k + 16.0) + 8.0 * 64.0 * 4.0 * (k + 2.0) * (k + 2.0);
}

}  // namespace gingham::methods::multilinear
