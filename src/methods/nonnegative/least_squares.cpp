#include "gingham/methods/nonnegative/least_squares.hpp"

#include <algorithm>

#include "gingham/kernels/nnls.hpp"

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

}  // namespace

void add_cells_of(const SideView& view, Index item, Matrix& q, Vec y) {
  const Cells& cells = view.data->cells(view.side);
  const double sign = view.data->kind() == Observations::Kind::holes ? -1.0 : 1.0;
  const Index rank = q.rows();
  std::vector<double> whole(static_cast<std::size_t>(rank));
  for (Index k = 0; k < rank; ++k) whole[k] = q(k, k);
  for (Index e = cells.pointers[item]; e < cells.pointers[item + 1]; ++e) {
    const double* row = view.other->data() + cells.others[e] * rank;
    for (Index k = 0; k < rank; ++k) {
      const double b = sign * row[k];
      y[k] += b * cells.values[e];
      for (Index l = 0; l < rank; ++l) q(k, l) += b * row[l];
    }
  }
  bool is_cancelled = false;
  for (Index k = 0; k < rank; ++k)
    is_cancelled |= sign < 0.0 && q(k, k) <= kCancelled<double> * whole[k];
  if (!is_cancelled) return;
  for (double& x : q.values()) x = 2.0 * view.cross;
  for (Index k = 0; k < rank; ++k) q(k, k) += (*view.diagonal)[k];
  view.runs->add_gram(item, q);
}

template <class T>
double solve_least_squares(const SideView& view, const Classes& rest, const EntryRule& rule,
                           const DenseMatrix<T>& y, DenseMatrix<T>& f, Executor& executor) {
  T* rows = f.data();
  const Index rank = f.cols();
  double squares = 0.0;
  for (Index c = 0; c < rest.count(); ++c) {
    const std::span<const Index> items = rest.members(c);
    const Matrix& common = (*view.q)[static_cast<std::size_t>(c)];
    if (items.empty()) continue;
    if (view.other == nullptr) {
      squares += solve_class(common, rule, items, y, rows, executor);
      continue;
    }
    squares += sum_blocks(executor, (std::ssize(items) + kTile - 1) / kTile, [&](Index tile) {
      NnlsRow solver(rank);
      Matrix q;
      std::vector<double> rhs(static_cast<std::size_t>(rank)), x(rhs.size());
      double sum = 0.0;
      for (Index i = tile * kTile; i < std::min((tile + 1) * kTile, std::ssize(items)); ++i) {
        const auto from = y.row(items[i]);
        std::copy(from.begin(), from.end(), rhs.begin());
        std::copy_n(rows + items[i] * rank, rank, x.begin());
        q = common;
        add_cells_of(view, items[i], q, rhs);
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

template double solve_least_squares(const SideView&, const Classes&, const EntryRule&,
                                    const Matrix&, Matrix&, Executor&);
template double solve_least_squares(const SideView&, const Classes&, const EntryRule&,
                                    const MatrixF&, MatrixF&, Executor&);

}  // namespace gingham::methods::nonnegative
