#include "gingham/methods/multilinear/memory.hpp"

#include "gingham/operators/item_grams.hpp"
#include "gingham/operators/unfolded.hpp"

namespace gingham::methods::multilinear {

double peak_bytes(const Block& block, Index n_components, bool with_svd, bool with_columns) {
  const auto k = static_cast<double>(n_components);
  double items = 0.0;
  for (const Index size : block.shape()) items += static_cast<double>(size);
  double total = Observed::bytes(block) + Observed::product_bytes(block, n_components);
  if (with_svd) total += Unfolded::bytes(block, n_components);
  if (with_columns) total += ItemGrams::bytes(block, n_components);  // Q of every item
  // Factors of the run, of the best one, of line searches and starts; members of the model.
  return total + 8.0 * items * (40.0 * k + 16.0) + 8.0 * 64.0 * 4.0 * (k + 2.0) * (k + 2.0);
}

// Factors and their products, those of the iterate before, supports.
double restart_bytes(const Block& block, Index n_components) {
  const auto k = static_cast<double>(n_components);
  double items = 0.0;
  for (const Index size : block.shape()) items += static_cast<double>(size);
  return 8.0 * items * (6.0 * k + 8.0) + 8.0 * 16.0 * (k + 2.0) * (k + 2.0);
}

}  // namespace gingham::methods::multilinear
