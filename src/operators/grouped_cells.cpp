#include "gingham/operators/grouped_cells.hpp"

#include <algorithm>

#include "gingham/kernels/isa.hpp"

namespace gingham::grouped {
namespace {

constexpr Index kRowsAtOnce = 4;  // share one reading of the column numbers
constexpr Index kStrip = 4096;    // columns that stay in the cache while their groups are summed
// Partial sums of a block of rows take one row per group: worth it for this many rows per group.
constexpr Index kRowsPerGroup = 256;
constexpr Index kMinColumns = 512;  // of a block of columns: stretches long enough to stream
constexpr Index kMaxColumnBlocks = 16;

// Columns in order of strip, then group: those of strip s and group h are kStrip s + places[t] for
// begin[s k + h] <= t < begin[s k + h + 1].
struct Strips {
  std::vector<Index> begin;
  std::vector<std::uint16_t> places;
  Index count = 0;
};

Strips make_strips(const Groups& columns) {
  const auto n = static_cast<Index>(columns.labels.size());
  Strips strips;
  strips.count = (n + kStrip - 1) / kStrip;
  strips.begin.assign(static_cast<std::size_t>(strips.count * columns.count) + 1, 0);
  const auto key = [&](Index j) { return j / kStrip * columns.count + columns.labels[j]; };
  for (Index j = 0; j < n; ++j) ++strips.begin[key(j) + 1];
  for (std::size_t s = 1; s < strips.begin.size(); ++s) strips.begin[s] += strips.begin[s - 1];
  strips.places.resize(static_cast<std::size_t>(n));
  std::vector<Index> next(strips.begin.begin(), strips.begin.end() - 1);
  for (Index j = 0; j < n; ++j)
    strips.places[next[key(j)]++] = static_cast<std::uint16_t>(j % kStrip);
  return strips;
}

// out[r] += sum over t of rows[r][places[t]] * scale - shift.
GINGHAM_MULTIARCH
void add_places(const double* const rows[kRowsAtOnce], const std::uint16_t* places, Index n,
                double scale, double shift, double* out) {
  const double *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
  double sa = 0.0, sb = 0.0, sc = 0.0, sd = 0.0;
  double ta = 0.0, tb = 0.0, tc = 0.0, td = 0.0;
  Index t = 0;
  for (; t + 2 <= n; t += 2) {
    const Index p = places[t], q = places[t + 1];
    sa += a[p] * scale - shift;
    sb += b[p] * scale - shift;
    sc += c[p] * scale - shift;
    sd += d[p] * scale - shift;
    ta += a[q] * scale - shift;
    tb += b[q] * scale - shift;
    tc += c[q] * scale - shift;
    td += d[q] * scale - shift;
  }
  if (t < n) {
    const Index p = places[t];
    sa += a[p] * scale - shift;
    sb += b[p] * scale - shift;
    sc += c[p] * scale - shift;
    sd += d[p] * scale - shift;
  }
  out[0] += sa + ta;
  out[1] += sb + tb;
  out[2] += sc + tc;
  out[3] += sd + td;
}

// total[j] += x[j] * scale - shift.
GINGHAM_MULTIARCH
void add_row(const double* x, Index n, double scale, double shift, double* total) {
  for (Index j = 0; j < n; ++j) total[j] += x[j] * scale - shift;
}

// The same for what is observed, and count[j] += 1 there.
GINGHAM_MULTIARCH
void add_observed(const double* x, Index n, double scale, double shift, double* total,
                  double* count) {
  for (Index j = 0; j < n; ++j) {
    const bool is_observed = x[j] == x[j];
    total[j] += is_observed ? x[j] * scale - shift : 0.0;
    count[j] += is_observed ? 1.0 : 0.0;
  }
}

void sum_complete_rows(const Cells& cells, const Groups& columns, GroupSums& out,
                       Executor& executor) {
  const Matrix& x = *cells.dense();
  const Strips strips = make_strips(columns);
  const Partition blocks = Partition::even(x.rows(), x.cols());
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); i += kRowsAtOnce) {
      const Index n = std::min(kRowsAtOnce, blocks.end(block) - i);
      for (Index s = 0; s < strips.count; ++s) {
        const double* rows[kRowsAtOnce];
        for (Index r = 0; r < kRowsAtOnce; ++r)
          rows[r] = x.row(i + std::min(r, n - 1)).data() + s * kStrip;
        for (Index h = 0; h < columns.count; ++h) {
          const Index begin = strips.begin[s * columns.count + h];
          const Index end = strips.begin[s * columns.count + h + 1];
          double sums[kRowsAtOnce] = {};
          add_places(rows, strips.places.data() + begin, end - begin, cells.scale(), cells.shift(),
                     sums);
          for (Index r = 0; r < n; ++r) out.sums(i + r, h) += sums[r];
        }
      }
    }
  });
}

void sum_observed_rows(const Cells& cells, const Groups& columns, GroupSums& out,
                       Executor& executor) {
  const Matrix& x = *cells.dense();
  const Index* labels = columns.labels.data();
  const Partition blocks = Partition::even(x.rows(), x.cols());
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      const double* row = x.row(i).data();
      double* sums = out.sums.row(i).data();
      double* counts = out.counts.row(i).data();
      for (Index j = 0; j < x.cols(); ++j) {
        if (std::isnan(row[j])) continue;
        sums[labels[j]] += cells.value(row[j]);
        counts[labels[j]] += 1.0;
      }
    }
  });
}

// Sums of the columns begin ... end-1 over the rows first ... last-1: one line of `width` values
// per group of rows, then the counts in the same form where something is missing.
void add_rows(const Cells& cells, const Groups& rows, Index first, Index last, Index begin,
              Index end, double* total) {
  const Matrix& x = *cells.dense();
  const Index width = end - begin;
  for (Index i = first; i < last; ++i) {
    const double* values = x.row(i).data() + begin;
    double* sums = total + rows.labels[i] * width;
    if (cells.is_complete()) {
      add_row(values, width, cells.scale(), cells.shift(), sums);
    } else {
      add_observed(values, width, cells.scale(), cells.shift(), sums, sums + rows.count * width);
    }
  }
}

void store_columns(const double* total, Index begin, Index end, Index n_groups, GroupSums& out) {
  const Index width = end - begin;
  const bool has_counts = out.counts.size() > 0;
  for (Index h = 0; h < n_groups; ++h) {
    for (Index j = begin; j < end; ++j) {
      out.sums(j, h) = total[h * width + j - begin];
      if (has_counts) out.counts(j, h) = total[(n_groups + h) * width + j - begin];
    }
  }
}

// Tall matrices in blocks of rows, whose sums are added up; others in blocks of columns.
void sum_columns(const Cells& cells, const Groups& rows, GroupSums& out, Executor& executor) {
  const Index m = cells.items(Side::rows), n = cells.items(Side::columns);
  const Index lines = rows.count * (cells.is_complete() ? 1 : 2);
  if (m >= kRowsPerGroup * lines) {
    std::vector<double> total(static_cast<std::size_t>(lines * n), 0.0);
    const Partition blocks = Partition::even(m, n, lines * n);
    sum_blocks(executor, blocks.count(), Vec(total), [&](Index block, Vec partial) {
      add_rows(cells, rows, blocks.begin(block), blocks.end(block), 0, n, partial.data());
    });
    store_columns(total.data(), 0, n, rows.count, out);
    return;
  }
  const Index n_blocks = std::clamp<Index>(n / kMinColumns, 1, kMaxColumnBlocks);
  executor.map(n_blocks, [&](Index block) {
    const Index begin = n * block / n_blocks, end = n * (block + 1) / n_blocks;
    std::vector<double> total(static_cast<std::size_t>(lines * (end - begin)), 0.0);
    add_rows(cells, rows, 0, m, begin, end, total.data());
    store_columns(total.data(), begin, end, rows.count, out);
  });
}

void sum_sparse(const Cells& cells, Side side, const Groups& others, GroupSums& out,
                Executor& executor) {
  const SparseMatrix& x = cells.sparse(side);
  const Index* pointers = x.pointers().data();
  const std::int32_t* places = x.columns().data();
  const double* values = x.values().data();
  const Index* labels = others.labels.data();
  const std::vector<Index> sizes = others.sizes();
  const bool has_counts = out.counts.size() > 0, fills = cells.has_unlisted_zeros();
  const Partition blocks = Partition::weighted(x.pointers());
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      double* sums = out.sums.row(i).data();
      if (!has_counts) {
        for (Index k = pointers[i]; k < pointers[i + 1]; ++k)
          sums[labels[places[k]]] += cells.value(values[k]);
        continue;
      }
      // Unlisted cells are all observed zeros, of which the listed NaNs are taken away, or all
      // missing.
      double* counts = out.counts.row(i).data();
      for (Index h = 0; h < others.count; ++h)
        counts[h] = fills ? static_cast<double>(sizes[h]) : 0.0;
      for (Index k = pointers[i]; k < pointers[i + 1]; ++k) {
        const Index h = labels[places[k]];
        const bool is_observed = !std::isnan(values[k]);
        if (is_observed) sums[h] += cells.value(values[k]);
        counts[h] += is_observed ? (fills ? 0.0 : 1.0) : (fills ? -1.0 : 0.0);
      }
    }
  });
}

}  // namespace

std::vector<Index> Groups::sizes() const {
  std::vector<Index> sizes(static_cast<std::size_t>(count), 0);
  for (const Index label : labels) ++sizes[label];
  return sizes;
}

Cells::Cells(const Block& block) : block_(&block) {
  const double largest = std::max(std::abs(block.summary().min), std::abs(block.summary().max));
  if (largest > 0.0) scale_ = std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
}

// A sparse matrix's other orientation; of a dense one a row per thread, and the sums of columns by
// group, per thread where these are few.
double Cells::pass_bytes(const Block& block, Index n_row_groups) {
  const auto m = static_cast<double>(block.shape()[0]), n = static_cast<double>(block.shape()[1]);
  const auto k = static_cast<double>(n_row_groups);
  if (block.is_sparse()) return static_cast<double>(block.summary().bytes) + 8.0 * n;
  const double threads = std::min(64.0, m / 8.0 + 1.0);
  const bool has_partial_sums = m >= static_cast<double>(kRowsPerGroup) * k;
  return 16.0 * n * threads + 16.0 * k * n * (has_partial_sums ? threads + 1.0 : 1.0);
}

GroupSums sum_by_group(const Cells& cells, Side side, const Groups& others, Executor& executor) {
  GroupSums out{Matrix(cells.items(side), others.count), {}};
  if (!cells.is_complete()) out.counts = Matrix(cells.items(side), others.count);
  if (cells.block().is_sparse()) {
    sum_sparse(cells, side, others, out, executor);
  } else if (side == Side::columns) {
    sum_columns(cells, others, out, executor);
  } else if (cells.is_complete()) {
    sum_complete_rows(cells, others, out, executor);
  } else {
    sum_observed_rows(cells, others, out, executor);
  }
  return out;
}

}  // namespace gingham::grouped
