#include <algorithm>

#include "gingham/operators/observed.hpp"

namespace gingham {
namespace {

// Counts while they are made, classes, pointers of values and cells in two orders.
constexpr double kPerItem = 128.0;

double n_items(const Block& block) {
  double n = 0.0;
  for (const Index size : block.shape()) n += static_cast<double>(size);
  return n;
}

double n_cells(const Block& block) {
  double n = 1.0;
  for (const Index size : block.shape()) n *= static_cast<double>(size);
  return n;
}

double per_entry(const Block& block) {  // value and coordinates
  return 8.0 + 4.0 * static_cast<double>(block.modes() - (block.is_matrix() ? 1 : 0));
}

}  // namespace

// Entries in the order of each mode but the first; where cells are missing a copy of X without
// those, and the cells in the order of each mode. Listed cells that were all observed are those of
// the data. An array's cells have an order and its copy beside them while they are sorted.
double Observed::bytes(const Block& block, bool has_missing_blocks) {
  const Summary& summary = block.summary();
  const auto missing = static_cast<double>(summary.missing),
             listed = static_cast<double>(summary.listed),
             n_modes = static_cast<double>(block.modes());
  const bool is_sparse = block.is_sparse();
  const bool is_listed =
      is_sparse ? block.unlisted() == Unlisted::missing : missing > 0.5 * n_cells(block);
  const bool is_clean =
      is_sparse && is_listed ? missing <= n_cells(block) - listed : missing <= 0.0;
  const double entry = per_entry(block);
  double total = kPerItem * n_items(block);
  if (is_sparse) total += (n_modes - 1.0) * entry * listed;
  if (is_clean && !has_missing_blocks) return total;
  const double marked = !is_listed  ? std::min(missing, is_sparse ? listed : missing)
                        : is_sparse ? listed
                                    : n_cells(block) - missing;
  total += (n_modes * entry + (block.is_matrix() ? 0.0 : 2.0 * entry + 16.0)) * marked;
  if (is_sparse) return total + (block.is_matrix() ? 1.0 : 3.0) * n_modes * entry * listed;
  return is_listed ? total : total + 8.0 * n_cells(block);
}

double Observed::held_out_bytes(const Block& block, double n_held_out) {
  const Summary& summary = block.summary();
  const bool is_listed = block.is_sparse()
                             ? block.unlisted() == Unlisted::missing
                             : 2.0 * static_cast<double>(summary.missing) > n_cells(block);
  const double known = !is_listed          ? static_cast<double>(summary.missing)
                       : block.is_sparse() ? static_cast<double>(summary.listed)
                                           : n_cells(block) - static_cast<double>(summary.missing);
  constexpr double kHeldOut = 100.0;
  return 2.0 * per_entry(block) * known + kHeldOut * n_held_out + kPerItem * n_items(block);
}

double Observed::single_bytes(const Block& block) {
  return block.is_sparse() ? 0.0 : 4.0 * n_cells(block);
}

double Observed::product_bytes(const Block& block, Index n_columns) {
  if (block.is_sparse()) return 0.0;
  const Index smallest = *std::min_element(block.shape().begin(), block.shape().end());
  return 16.0 * (static_cast<double>(n_columns) + 4.0) * n_cells(block) /
             static_cast<double>(smallest) +
         3e7;
}

}  // namespace gingham
