#include "gingham/kernels/hungarian.hpp"

#include <cmath>
#include <limits>

namespace gingham {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// cost(i, j) * factor, with rows and columns exchanged where there are more rows than columns. The
// factor holds the sign, and a power of two that keeps sums of prices from overflowing.
class View {
 public:
  View(const Matrix& cost, double factor)
      : cost_(cost), factor_(factor), flipped_(cost.rows() > cost.cols()) {}
  bool flipped() const { return flipped_; }
  Index rows() const { return flipped_ ? cost_.cols() : cost_.rows(); }
  Index cols() const { return flipped_ ? cost_.rows() : cost_.cols(); }
  double operator()(Index i, Index j) const {
    return factor_ * (flipped_ ? cost_(j, i) : cost_(i, j));
  }

 private:
  const Matrix& cost_;
  double factor_;
  bool flipped_;
};

// For each column of the view the row it is assigned to, or -1. Rows enter one by one: each time
// Dijkstra's search over the reduced costs c(i,j) - price_row[i] - price_col[j] >= 0 finds the
// cheapest path to a free column, prices are shifted so that the reduced costs stay non-negative,
// and the path is flipped.
std::vector<Index> match(const View& cost) {
  const Index m = cost.rows(), n = cost.cols();
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> price_row(static_cast<std::size_t>(m), 0.0), price_col(size, 0.0);
  std::vector<Index> row_of(size, -1);
  for (Index start = 0; start < m; ++start) {
    std::vector<double> distance(size, kInfinity);
    std::vector<Index> before(size, -1);  // the column before this one on the path; -1: the start
    std::vector<char> done(size, 0);
    Index row = start, last = -1;
    double reached = 0.0;
    for (;;) {
      Index next = -1;
      for (Index j = 0; j < n; ++j) {
        if (done[j]) continue;
        const double through = reached + (cost(row, j) - price_row[row] - price_col[j]);
        if (through < distance[j]) {
          distance[j] = through;
          before[j] = last;
        }
        // Among equals a free column: the path ends there.
        if (next < 0 || distance[j] < distance[next] ||
            (distance[j] == distance[next] && row_of[j] < 0 && row_of[next] >= 0)) {
          next = j;
        }
      }
      done[next] = 1;
      reached = distance[next];
      last = next;
      if (row_of[next] < 0) break;
      row = row_of[next];
    }
    price_row[start] += reached;
    for (Index j = 0; j < n; ++j) {
      if (!done[j] || j == last) continue;
      price_row[row_of[j]] += reached - distance[j];
      price_col[j] -= reached - distance[j];
    }
    for (Index j = last; j >= 0; j = before[j])
      row_of[j] = before[j] < 0 ? start : row_of[before[j]];
  }
  return row_of;
}

}  // namespace

Assignment assign_maximum(const Matrix& weight) {
  double largest = 0.0;
  for (const double value : weight.values()) {
    if (!std::isfinite(value))
      throw Error(ErrorCode::input, "", "an assignment cost is not finite");
    largest = std::max(largest, std::abs(value));
  }
  const int exponent = largest > 0.0 ? std::clamp(std::ilogb(largest), -1000, 1000) : 0;
  const View view(weight, -std::ldexp(1.0, -exponent));
  const std::vector<Index> row_of = match(view);
  Assignment result;
  result.column_of.assign(static_cast<std::size_t>(weight.rows()), -1);
  for (Index j = 0; j < view.cols(); ++j) {
    if (row_of[j] < 0) continue;
    if (view.flipped()) {
      result.column_of[j] = row_of[j];
    } else {
      result.column_of[row_of[j]] = j;
    }
  }
  for (Index i = 0; i < weight.rows(); ++i) {
    if (result.column_of[i] >= 0) result.total += weight(i, result.column_of[i]);
  }
  return result;
}

}  // namespace gingham
