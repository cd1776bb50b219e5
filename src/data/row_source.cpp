#include "gingham/data/row_source.hpp"

#include <algorithm>
#include <vector>

namespace gingham {

RowSource::~RowSource() = default;

void for_each_run(const RowSource& source,
                  FunctionRef<void(Index first, std::span<const double> values)> visit) {
  constexpr Index kValues = Index{1} << 17;
  const Index rows = source.rows(), cols = source.cols();
  if (rows == 0) return;
  const Index step = std::clamp<Index>(kValues / std::max<Index>(1, cols), 1, rows);
  std::vector<double> values(static_cast<std::size_t>(checked_mul(step, cols, "rows")));
  for (Index first = 0; first < rows; first += step) {
    const Index count = std::min(step, rows - first);
    const std::span<double> run = std::span(values).first(static_cast<std::size_t>(count * cols));
    source.read_rows(first, count, run);
    visit(first, run);
  }
}

}  // namespace gingham
