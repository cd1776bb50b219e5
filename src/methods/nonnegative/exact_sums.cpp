#include "gingham/methods/nonnegative/exact_sums.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/dense_kernels.hpp"
#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/nonnegative/matrices.hpp"
#include "gingham/methods/nonnegative/run_grams.hpp"

namespace gingham::methods::nonnegative {
namespace {

constexpr Index kPanel = 512;  // columns of B^T that stay near while rows go by

// Rows in blocks of about equal work.
Partition rows_of(const Observations& data, Index rank) {
  if (const SparseMatrix* sparse = data.values().sparse_matrix())
    return Partition::weighted(sparse->pointers());
  return Partition::even(data.size(0), data.size(1) * rank);
}

// Per class of rows: sum of b_j b_j^T over the columns that it sees.
std::vector<Matrix> seen_grams(const Observations& data, const Matrix& b, Executor& executor) {
  const Classes &rows = data.classes(0), &columns = data.classes(1);
  std::vector<Matrix> seen(static_cast<std::size_t>(rows.count()), Matrix(b.cols(), b.cols()));
  for (Index c = 0; c < columns.count(); ++c) {
    const std::span<const Index> members = columns.members(c);
    Matrix part(std::ssize(members), b.cols()), g;
    for (Index r = 0; r < part.rows(); ++r)
      std::copy(b.row(members[r]).begin(), b.row(members[r]).end(), part.row(r).begin());
    gram(part, g, executor);
    for (Index r = 0; r < rows.count(); ++r) {
      if (data.sees(r, c)) axpy(1.0, std::as_const(g).values(), seen[r].values());
    }
  }
  return seen;
}

double listed_loss(const Observations& data, const Matrix& a, const Matrix& b, Executor& executor) {
  const Cells& cells = data.cells(0);
  const Partition blocks = Partition::weighted(cells.pointers);
  return sum_blocks(executor, blocks.count(), [&](Index block) {
    double total = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      for (Index e = cells.pointers[i]; e < cells.pointers[i + 1]; ++e) {
        const double residual = cells.values[e] - dot(a.row(i), b.row(cells.others[e]));
        total += 0.5 * residual * residual;
      }
    }
    return total;
  });
}

double dense_loss(const Observations& data, const Matrix& a, const Matrix& b, Executor& executor) {
  const Matrix& x = *data.values().dense_matrix();
  const Matrix h = transposed(b);
  const Cells& holes = data.cells(0);
  const Classes& columns = data.classes(1);
  const Partition blocks = rows_of(data, a.cols());
  return sum_blocks(executor, blocks.count(), [&](Index block) {
    std::vector<double> residual(static_cast<std::size_t>(kPanel)),
        minus(static_cast<std::size_t>(a.cols()));
    double total = 0.0;
    for (Index from = 0; from < x.cols(); from += kPanel) {
      const Index to = std::min(from + kPanel, x.cols());
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        std::copy_n(x.row(i).begin() + from, to - from, residual.begin());
        std::transform(a.row(i).begin(), a.row(i).end(), minus.begin(), std::negate<>());
        dense::add_rows(h.data() + from, h.cols(), h.rows(), to - from, minus.data(),
                        residual.data());
        if (columns.count() > 1 || data.classes(0).count() > 1) {
          for (Index j = from; j < to; ++j) {
            if (!data.sees(data.classes(0).of_item[i], columns.of_item[j]))
              residual[j - from] = 0.0;
          }
        }
        if (!holes.empty()) {
          const std::span<const std::int32_t> own = holes.others_of(i);
          for (auto j = std::lower_bound(own.begin(), own.end(), from); j != own.end() && *j < to;
               ++j)
            residual[*j - from] = 0.0;
        }
        total += 0.5 * sum_squares(ConstVec(residual).first(static_cast<std::size_t>(to - from)));
      }
    }
    return total;
  });
}

double sparse_loss(const Observations& data, const Matrix& a, const Matrix& b, Executor& executor) {
  const SparseMatrix& x = *data.values().sparse_matrix();
  const std::vector<Matrix> grams = seen_grams(data, b, executor);
  const RunGrams runs(data, 0, b);
  const Cells& holes = data.cells(0);
  const Partition blocks = rows_of(data, a.cols());
  return sum_blocks(executor, blocks.count(), [&](Index block) {
    double total = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      const ConstVec f = a.row(i);
      const Matrix& gram = grams[data.classes(0).of_item[i]];
      double whole = 0.0, out = 0.0, residuals = 0.0;
      for (Index k = 0; k < a.cols(); ++k) whole += f[k] * dot(gram.row(k), f);
      for (Index e = x.pointers()[i]; e < x.pointers()[i + 1]; ++e) {
        const double m = dot(f, b.row(x.columns()[e])), residual = x.values()[e] - m;
        residuals += residual * residual;
        out += m * m;
      }
      if (!holes.empty()) {
        for (const std::int32_t j : holes.others_of(i)) {
          const double m = dot(f, b.row(j));
          out += m * m;
        }
      }
      double rest = whole - out;
      if (!(rest + residuals >= kCancelled<double> * whole)) {
        const auto begin = static_cast<std::size_t>(x.pointers()[i]);
        rest = runs.squares(
            i, f,
            x.columns().subspan(begin, static_cast<std::size_t>(x.pointers()[i + 1]) - begin));
      }
      total += 0.5 * (residuals + rest);
    }
    return total;
  });
}

}  // namespace

double observed_loss(const Observations& data, const Matrix& a, const Matrix& b,
                     Executor& executor) {
  if (data.kind() == Observations::Kind::listed) return listed_loss(data, a, b, executor);
  return data.values().is_sparse() ? sparse_loss(data, a, b, executor)
                                   : dense_loss(data, a, b, executor);
}

std::vector<double> lost_without(const Observations& data, const Matrix& a, const Matrix& b,
                                 Executor& executor) {
  const Index rank = a.cols();
  const bool is_listed = data.kind() == Observations::Kind::listed;
  Matrix y(a.rows(), rank);
  std::vector<Matrix> grams;
  if (!is_listed) {
    data.multiply(0, b, y, executor);
    grams = seen_grams(data, b, executor);
  }
  const RunGrams runs(data, 0, b);
  const Cells& cells = data.cells(0);
  const double sign = is_listed ? 1.0 : -1.0;
  const Partition blocks =
      cells.empty() ? Partition::even(a.rows(), rank * rank) : Partition::weighted(cells.pointers);
  // Per row: y = X b, p = A B^T b and c = b^2, all over its observed cells.
  std::vector<double> sums(static_cast<std::size_t>(rank), 0.0);
  sum_blocks(executor, blocks.count(), std::span<double>(sums), [&](Index block, Vec partial) {
    std::vector<double> own_y(static_cast<std::size_t>(rank)), p(own_y), c(own_y), q(own_y);
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      const ConstVec f = a.row(i);
      const Matrix* gram = is_listed ? nullptr : &grams[data.classes(0).of_item[i]];
      std::copy(std::as_const(y).row(i).begin(), std::as_const(y).row(i).end(), own_y.begin());
      for (Index k = 0; k < rank; ++k) {
        p[k] = is_listed ? 0.0 : dot(gram->row(k), f);
        c[k] = is_listed ? 0.0 : (*gram)(k, k);
      }
      for (Index e = cells.empty() ? 0 : cells.pointers[i];
           !cells.empty() && e < cells.pointers[i + 1]; ++e) {
        const ConstVec other = b.row(cells.others[e]);
        const double m = sign * dot(f, other);
        for (Index k = 0; k < rank; ++k) {
          own_y[k] += sign * cells.values[e] * other[k];
          p[k] += m * other[k];
          c[k] += sign * other[k] * other[k];
        }
      }
      for (Index k = 0; k < rank; ++k) {
        if (f[k] == 0.0) continue;
        if (gram != nullptr && !cells.empty() &&
            !(c[k] >= kCancelled<double> * (*gram)(k, k) &&
              p[k] >= kCancelled<double> * dot(gram->row(k), f))) {
          runs.column(i, k, q);
          c[k] = q[k];
          p[k] = dot(q, f);
        }
        partial[k] += f[k] * (2.0 * (own_y[k] - p[k]) + f[k] * c[k]);
      }
    }
  });
  return sums;
}

}  // namespace gingham::methods::nonnegative
