#include "gingham/methods/nonnegative/least_squares.hpp"

#include <algorithm>

#include "gingham/kernels/nnls.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::nonnegative {
namespace {

constexpr Index kTile = 64;  // items with cells of their own that share a solver's memory

template <class T>
double take_over(ConstVec now, const Matrix& q, T* row) {
  const auto is_too_large = [](double x) { return !(x <= kLargestEntry<T>); };
  if (std::any_of(now.begin(), now.end(), is_too_large)) return 0.0;
  double squares = 0.0;
  for (std::size_t k = 0; k < now.size(); ++k) {
    const double change = now[k] - static_cast<double>(row[k]);
    squares += q(static_cast<Index>(k), static_cast<Index>(k)) * change * change;
    row[k] = static_cast<T>(now[k]);
  }
  return squares;
}

template <class T>
double solve_class(Matrix q, const EntryRule& rule, std::span<const Index> items,
                   const DenseMatrix<T>& y, T* rows, Executor& executor) {
  for (Index k = 0; k < q.rows(); ++k) q(k, k) += rule.ridge;
  const Index rank = q.rows(), n = std::ssize(items);
  Matrix rhs(n, rank), x(n, rank);
  for (Index i = 0; i < n; ++i) {
    const auto from = y.row(items[i]);
    for (Index k = 0; k < rank; ++k) rhs(i, k) = static_cast<double>(from[k]) - rule.l1;
    std::copy_n(rows + items[i] * rank, rank, x.row(i).begin());
  }
  nnls(q, rhs, x, executor);
  double squares = 0.0;
  for (Index i = 0; i < n; ++i)
    squares += take_over(std::as_const(x).row(i), q, rows + items[i] * rank);
  return squares;
}

// q and y of one item over its observed cells; y: with X0 until now, or 0 where cells are listed.
class ItemProblem {
 public:
  explicit ItemProblem(const SideView& view) : view_(view), cells_(view.data->cells(view.side)) {}

  const Matrix& look_at(Index item, Vec y) {
    const double sign = view_.data->kind() == Observed::Kind::holes ? -1.0 : 1.0;
    for (Index e = cells_.begin(item); e < cells_.end(item); ++e)
      axpy(sign * cells_.values[e], view_.other->row(cells_.others[0][e]), y);
    view_.grams->make(item, q_, room_);
    for (double& x : q_.values()) x += 2.0 * view_.cross;
    for (Index k = 0; k < q_.rows(); ++k) q_(k, k) += (*view_.diagonal)[k];
    return q_;
  }

 private:
  const SideView& view_;
  const CellList& cells_;
  Matrix q_;
  std::vector<double> room_;
};

}  // namespace

template <class T>
double solve_least_squares(const SideView& view, const ItemClasses& rest, const EntryRule& rule,
                           const DenseMatrix<T>& y, DenseMatrix<T>& f, Executor& executor) {
  T* rows = f.data();
  const Index rank = f.cols();
  double squares = 0.0;
  for (Index c = 0; c < rest.count(); ++c) {
    const std::span<const Index> items = rest.members(c);
    if (items.empty()) continue;
    if (view.other == nullptr) {
      squares +=
          solve_class((*view.q)[static_cast<std::size_t>(c)], rule, items, y, rows, executor);
      continue;
    }
    squares += sum_blocks(executor, (std::ssize(items) + kTile - 1) / kTile, [&](Index tile) {
      NnlsRow solver(rank);
      ItemProblem problem(view);
      std::vector<double> rhs(static_cast<std::size_t>(rank)), x(rhs.size());
      double sum = 0.0;
      for (Index i = tile * kTile; i < std::min((tile + 1) * kTile, std::ssize(items)); ++i) {
        const auto from = y.row(items[i]);
        std::copy(from.begin(), from.end(), rhs.begin());
        std::copy_n(rows + items[i] * rank, rank, x.begin());
        Matrix q = problem.look_at(items[i], rhs);
        for (Index k = 0; k < rank; ++k) {
          q(k, k) += rule.ridge;
          rhs[k] -= rule.l1;
        }
        solver.solve(q.data(), rhs, x);
        sum += take_over(ConstVec(x), q, rows + items[i] * rank);
      }
      return sum;
    });
  }
  return squares;
}

template double solve_least_squares(const SideView&, const ItemClasses&, const EntryRule&,
                                    const Matrix&, Matrix&, Executor&);
template double solve_least_squares(const SideView&, const ItemClasses&, const EntryRule&,
                                    const MatrixF&, MatrixF&, Executor&);

}  // namespace gingham::methods::nonnegative
