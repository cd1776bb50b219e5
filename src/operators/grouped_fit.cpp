#include "gingham/operators/grouped_fit.hpp"

#include <algorithm>

#include "gingham/kernels/double_double.hpp"
#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::grouped {
namespace {

struct Fit {
  Divergence divergence;
  const PerItem& parts;
  const Groups& rows;
  const Groups& columns;
  const Matrix& u;

  double at(Index i, Index j) const {
    const double level = u.data()[rows.labels.data()[i] * u.cols() + columns.labels.data()[j]];
    const double r = parts[Side::rows].data()[i], c = parts[Side::columns].data()[j];
    return divergence == Divergence::squares ? r + c + level : r * c * level;
  }
};

// out[j] = (x[j] * scale - shift - own - parts[j] - levels[labels[j]])^2, 0 where x[j] is missing.
GINGHAM_MULTIARCH
void squares_of_row(const double* x, Index n, double scale, double shift, double own,
                    const double* parts, const Index* labels, const double* levels, double* out) {
  for (Index j = 0; j < n; ++j) {
    const double off = x[j] * scale - shift - own - parts[j] - levels[labels[j]];
    out[j] = x[j] == x[j] ? off * off : 0.0;
  }
}

// out[j] = d of cell (i, j).
void deviations_of_row(const Cells& cells, const Fit& fit, Index i, Vec out) {
  const double* x = cells.dense()->row(i).data();
  const auto n = static_cast<Index>(out.size());
  if (fit.divergence == Divergence::squares) {
    squares_of_row(x, n, cells.scale(), cells.shift(), fit.parts[Side::rows][i],
                   fit.parts[Side::columns].data(), fit.columns.labels.data(),
                   fit.u.row(fit.rows.labels[i]).data(), out.data());
    return;
  }
  for (Index j = 0; j < n; ++j)
    out[j] = std::isnan(x[j]) ? 0.0 : deviation(fit.divergence, cells.value(x[j]), fit.at(i, j));
}

std::vector<double> dense_rows(const Cells& cells, const Fit& fit, Executor& executor) {
  const Index m = cells.items(Side::rows), n = cells.items(Side::columns);
  std::vector<double> out(static_cast<std::size_t>(m), 0.0);
  const Partition blocks = Partition::even(m, 4 * n);
  executor.map(blocks.count(), [&](Index block) {
    std::vector<double> row(static_cast<std::size_t>(n));
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      deviations_of_row(cells, fit, i, row);
      out[i] = sum(row);
    }
  });
  return out;
}

PerItem dense_both(const Cells& cells, const Fit& fit, Executor& executor) {
  const Index m = cells.items(Side::rows), n = cells.items(Side::columns);
  PerItem out{{std::vector<double>(static_cast<std::size_t>(m), 0.0),
               std::vector<double>(static_cast<std::size_t>(n), 0.0)}};
  const Partition blocks = Partition::even(m, 4 * n, n);
  sum_blocks(executor, blocks.count(), Vec(out[Side::columns]), [&](Index block, Vec partial) {
    std::vector<double> row(static_cast<std::size_t>(n));
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      deviations_of_row(cells, fit, i, row);
      out[Side::rows][i] = sum(row);
      axpy(1.0, row, partial);
    }
  });
  return out;
}

// Sums over the cells of an item that are not listed, in one group of the other side: their number,
// their parts c and the squares of these. What is listed is taken away from the sums over all, and
// near a perfect fit the three cancel again: both in two doubles.
struct ZeroCells {
  double count = 0.0;
  DoubleDouble part, square;

  void take_away(double c) {
    count -= 1.0;
    if (c == 0.0) return;
    part += -c;
    square -= product_of(c, c);
  }

  // What these zeros add to an item with part `own` at `level`: the sum over them of
  // (own + level + c)^2 or of own level c.
  double deviations(Divergence divergence, double own, double level) const {
    if (!(count > 0.0)) return 0.0;  // then the other two are rounding
    if (divergence == Divergence::information)
      return own * level * std::max(static_cast<double>(part), 0.0);
    DoubleDouble base{own, 0.0}, total;
    base += level;
    // (count base + 2 part) base + square
    total = base;
    total *= count;
    total += part;
    total += part;
    total *= base;
    total += square;
    return std::max(static_cast<double>(total), 0.0);
  }
};

std::vector<ZeroCells> all_cells(const Groups& groups, const std::vector<double>& parts) {
  std::vector<ZeroCells> sums(static_cast<std::size_t>(groups.count));
  for (std::size_t j = 0; j < parts.size(); ++j) {
    ZeroCells& group = sums[groups.labels[j]];
    group.count += 1.0;
    group.part += parts[j];
    group.square += product_of(parts[j], parts[j]);
  }
  return sums;
}

std::vector<double> sparse_items(const Cells& cells, const Fit& fit, Side side,
                                 Executor& executor) {
  const SparseMatrix& x = cells.sparse(side);
  const bool by_rows = side == Side::rows;
  const Groups& own = by_rows ? fit.rows : fit.columns;
  const Groups& others = by_rows ? fit.columns : fit.rows;
  const std::vector<double>& parts = fit.parts[other(side)];
  const bool fills = cells.has_unlisted_zeros();
  const std::vector<ZeroCells> all = all_cells(others, parts);
  std::vector<double> out(static_cast<std::size_t>(x.rows()), 0.0);
  const Partition blocks = Partition::weighted(x.pointers());
  executor.map(blocks.count(), [&](Index block) {
    std::vector<ZeroCells> zeros;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      double total = 0.0;
      if (fills) zeros = all;
      for (Index t = x.pointers()[i]; t < x.pointers()[i + 1]; ++t) {
        const Index j = x.columns()[t], h = others.labels[j];
        const double value = x.values()[t];
        if (fills) zeros[h].take_away(parts[j]);
        if (std::isnan(value)) continue;
        total +=
            deviation(fit.divergence, cells.value(value), by_rows ? fit.at(i, j) : fit.at(j, i));
      }
      for (Index h = 0; h < others.count && fills; ++h) {
        const double level = by_rows ? fit.u(own.labels[i], h) : fit.u(h, own.labels[i]);
        total += zeros[h].deviations(fit.divergence, fit.parts[side][i], level);
      }
      out[i] = total;
    }
  });
  return out;
}

}  // namespace

GINGHAM_MULTIARCH
void add_squares(double weight, double mean, const double* levels, Index k, double* costs) {
  for (Index r = 0; r < k; ++r) {
    const double off = mean - levels[r];
    costs[r] += weight * off * off;
  }
}

GINGHAM_MULTIARCH
void add_information(double weight, double total, const double* levels, const double* logs, Index k,
                     double* costs) {
  for (Index r = 0; r < k; ++r) costs[r] += weight * levels[r] - total * logs[r];
}

GroupMoments moments(const Groups& groups, const std::vector<double>& parts) {
  const auto k = static_cast<std::size_t>(groups.count);
  GroupMoments sums{std::vector<double>(k), std::vector<double>(k)};
  for (std::size_t j = 0; j < parts.size(); ++j) {
    const Index h = groups.labels[j];
    sums.count[h] += 1.0;
    sums.part[h] += parts[j];
  }
  return sums;
}

void Profiles::weights(Index i, Vec out) const {
  const bool is_complete = counts.size() == 0;
  for (std::size_t h = 0; h < out.size(); ++h) {
    if (!is_complete) {
      out[h] = counts(i, static_cast<Index>(h));
    } else if (divergence == Divergence::squares) {
      out[h] = others.count[h];
    } else {
      out[h] = (*own_part)[i] * others.part[h];
    }
  }
}

Profiles make_profiles(const Cells& cells, Divergence divergence, const PerItem& parts, Side side,
                       const Groups& others, Executor& executor) {
  GroupSums by_group = sum_by_group(cells, side, others, executor);
  Profiles profiles{std::move(by_group.sums), std::move(by_group.counts),
                    moments(others, parts[other(side)]), divergence, &parts[side]};
  if (divergence == Divergence::information || !cells.is_complete()) return profiles;
  for (Index i = 0; i < profiles.items(); ++i) {
    const Vec sums = profiles.sums.row(i);
    const double own = parts[side][i];
    for (std::size_t h = 0; h < sums.size(); ++h)
      sums[h] -= profiles.others.count[h] * own + profiles.others.part[h];
  }
  return profiles;
}

std::vector<double> deviations(const Cells& cells, Divergence divergence, const PerItem& parts,
                               const Groups& rows, const Groups& columns, const Matrix& u,
                               Executor& executor) {
  const Fit fit{divergence, parts, rows, columns, u};
  return cells.block().is_sparse() ? sparse_items(cells, fit, Side::rows, executor)
                                   : dense_rows(cells, fit, executor);
}

PerItem deviations_of_both(const Cells& cells, Divergence divergence, const PerItem& parts,
                           const Groups& rows, const Groups& columns, const Matrix& u,
                           Executor& executor) {
  const Fit fit{divergence, parts, rows, columns, u};
  if (!cells.block().is_sparse()) return dense_both(cells, fit, executor);
  return {{sparse_items(cells, fit, Side::rows, executor),
           sparse_items(cells, fit, Side::columns, executor)}};
}

}  // namespace gingham::grouped
