#include "gingham/metrics/accuracy.hpp"

#include "gingham/kernels/hungarian.hpp"
#include "gingham/metrics/contingency.hpp"

namespace gingham {

double accuracy(std::span<const Index> found, std::span<const Index> truth) {
  constexpr Index kMaxCells = Index{1} << 24;
  const Contingency table = contingency(found, truth);
  const auto rows = static_cast<Index>(table.a_sizes.size());
  const auto cols = static_cast<Index>(table.b_sizes.size());
  if (rows > kMaxCells / cols) {
    throw Error(ErrorCode::usage, "",
                std::to_string(rows) + " classes cannot be matched with " + std::to_string(cols) +
                    ": too many");
  }
  Matrix counts(rows, cols);
  for (const Contingency::Cell& cell : table.cells) {
    counts(cell.a, cell.b) = static_cast<double>(cell.count);
  }
  return assign_maximum(counts).total / static_cast<double>(table.n_items);
}

}  // namespace gingham
