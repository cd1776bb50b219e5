#include <algorithm>

#include "gingham/alternation/factor_step.hpp"
#include "gingham/kernels/nnls.hpp"

namespace gingham::alternation {
namespace {

constexpr Index kTile = 64;  // items with a Q of their own that share a solver's memory

template <class T>
double take_over(ConstVec now, const Matrix& q, double largest, T* row) {
  const auto is_too_large = [&](double x) { return !(x <= largest); };
  if (std::any_of(now.begin(), now.end(), is_too_large)) return 0.0;
  double squares = 0.0;
  for (std::size_t k = 0; k < now.size(); ++k) {
    const double change = now[k] - static_cast<double>(row[k]);
    squares += q(static_cast<Index>(k), static_cast<Index>(k)) * change * change;
    row[k] = static_cast<T>(now[k]);
  }
  return squares;
}

void add_ridge(double ridge, Matrix& q) {
  for (Index k = 0; k < q.rows(); ++k) q(k, k) += ridge;
}

template <class T>
double solve_class(const FactorPart& part, Matrix q, const EntryRule& rule,
                   std::span<const Index> items, const DenseMatrix<T>& y, T* rows,
                   Executor& executor) {
  add_ridge(rule.ridge, q);
  const Index rank = q.rows(), n = std::ssize(items);
  Matrix rhs(n, rank), x(n, rank);
  for (Index i = 0; i < n; ++i) {
    const auto from = y.row(items[i]);
    for (Index k = 0; k < rank; ++k)
      rhs(i, k) = part.weight(k) * static_cast<double>(from[k]) - rule.l1;
    std::copy_n(rows + items[i] * rank, rank, x.row(i).begin());
  }
  nnls(q, rhs, x, executor);
  double squares = 0.0;
  for (Index i = 0; i < n; ++i)
    squares += take_over(std::as_const(x).row(i), q, part.largest, rows + items[i] * rank);
  return squares;
}

}  // namespace

template <class T>
double solve_least_squares(const FactorPart& part, const ItemClasses& rest, const EntryRule& rule,
                           const DenseMatrix<T>& y, DenseMatrix<T>& f, Executor& executor) {
  T* rows = f.data();
  const Index rank = f.cols();
  double squares = 0.0;
  for (Index c = 0; c < rest.count(); ++c) {
    const std::span<const Index> items = rest.members(c);
    if (items.empty()) continue;
    if (!part.has_cells()) {
      squares +=
          solve_class(part, (*part.q)[static_cast<std::size_t>(c)], rule, items, y, rows, executor);
      continue;
    }
    squares += sum_blocks(executor, (std::ssize(items) + kTile - 1) / kTile, [&](Index tile) {
      NnlsRow solver(rank);
      Matrix q;
      std::vector<double> rhs(static_cast<std::size_t>(rank)), x(rhs.size()), room;
      double sum = 0.0;
      for (Index i = tile * kTile; i < std::min((tile + 1) * kTile, std::ssize(items)); ++i) {
        const auto from = y.row(items[i]);
        for (Index k = 0; k < rank; ++k)
          rhs[k] = part.weight(k) * static_cast<double>(from[k]) - rule.l1;
        std::copy_n(rows + items[i] * rank, rank, x.begin());
        part.make(items[i], q, room);
        add_ridge(rule.ridge, q);
        solver.solve(q.data(), rhs, x);
        sum += take_over(ConstVec(x), q, part.largest, rows + items[i] * rank);
      }
      return sum;
    });
  }
  return squares;
}

template double solve_least_squares(const FactorPart&, const ItemClasses&, const EntryRule&,
                                    const Matrix&, Matrix&, Executor&);
template double solve_least_squares(const FactorPart&, const ItemClasses&, const EntryRule&,
                                    const MatrixF&, MatrixF&, Executor&);

}  // namespace gingham::alternation
