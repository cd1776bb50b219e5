#include "gingham/operators/residual.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/item_grams.hpp"
#include "gingham/operators/residual_lines.hpp"
#include "gingham/operators/unlisted_squares.hpp"

namespace gingham {
namespace {

constexpr double kBeyondTwoDoubles = 1e-22;

Partition by_item(const CellList& cells, Index n_items) {
  return cells.empty() ? Partition::even(n_items, 1) : Partition::weighted(cells.pointers);
}

// Whether a cell that X0 lists is held out.
bool is_held_out(const Observed& data, const CellList& entries, Index item, Index cell) {
  if (data.held_out().empty() || data.kind() == Observed::Kind::listed) return false;
  const CellList& holes = data.cells(0);
  const Index at = holes.first_from(item, entries.place(cell));
  return at < holes.end(item) && holes.place(at) == entries.place(cell);
}

// Of a sparse X0 whose unlisted cells are zeros.
class UnlistedCells {
 public:
  UnlistedCells(const Observed& data, const FactorView& model, const CellList& entries,
                Executor& executor)
      : data_(data),
        entries_(entries),
        squares_(model, whole_grams(data, 0, model.modes, executor)),
        runs_(data, 0, model.modes) {}

  UnlistedSquares::Whole whole(Index item, ConstVec f) const {
    return squares_.whole(data_.classes(0).of_item[item], f);
  }
  // Without a difference that cancels. `size`: of the terms.
  double closely(Index item, ConstVec f, double size) {
    if (data_.classes(0).count() == 1 && data_.classes(1).count() == 1) {
      DoubleDouble left = squares_.exact_whole(item);
      for (Index e = entries_.begin(item); e < entries_.end(item); ++e) {
        if (!is_held_out(data_, entries_, item, e))
          left -= squares_.exact_square(item, entries_, e);
      }
      const CellList& holes = data_.cells(0);
      for (Index e = holes.begin(item); e < holes.end(item); ++e)
        left -= squares_.exact_square(item, holes, e);
      const auto found = static_cast<double>(left);
      if (found >= kBeyondTwoDoubles * size) return found;
    }
    return runs_.unlisted_squares(item, f);
  }

 private:
  const Observed& data_;
  const CellList& entries_;
  UnlistedSquares squares_;
  RunGrams runs_;
};

double dense_squares(const Observed& data, const FactorView& model, double value_scale,
                     Executor& executor) {
  const ResidualLines lines(data, model, value_scale);
  return sum_blocks(executor, lines.n_blocks(), [&](Index block) {
    double total = 0.0;
    lines.for_each(block, [&](ConstVec residual, Index) { total += sum_squares(residual); });
    return total;
  });
}

}  // namespace

double residual_squares(const Observed& data, const FactorView& model, Executor& executor,
                        double value_scale) {
  const bool is_listed = data.kind() == Observed::Kind::listed;
  if (!is_listed && !data.values().is_sparse())
    return dense_squares(data, model, value_scale, executor);
  const CellList entries = is_listed ? data.cells(0) : data.entries(0);
  const CellList& holes = data.cells(0);
  std::optional<UnlistedCells> unlisted;
  if (!is_listed) unlisted.emplace(data, model, entries, executor);
  const Partition blocks = by_item(entries, data.size(0));
  return sum_blocks(executor, blocks.count(), [&](Index block) {
    ItemModel at_entry(entries, model), at_hole(holes, model);
    const bool has_held_out = !data.held_out().empty();
    double m[ItemModel::kCells];
    double total = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      double residuals = 0.0, out = 0.0;
      at_entry.take(i);
      for (Index from = entries.begin(i); from < entries.end(i); from += ItemModel::kCells) {
        const Index to = std::min(from + ItemModel::kCells, entries.end(i));
        at_entry.values(from, to, m);
        for (Index e = from; e < to; ++e) {
          if (has_held_out && is_held_out(data, entries, i, e)) continue;
          const double own = m[e - from], left = entries.values[e] * value_scale - own;
          residuals += left * left;
          out += own * own;
        }
      }
      total += residuals;
      if (is_listed) continue;
      at_hole.take(i);
      for (Index from = holes.begin(i); from < holes.end(i); from += ItemModel::kCells) {
        const Index to = std::min(from + ItemModel::kCells, holes.end(i));
        at_hole.values(from, to, m);
        out += sum_squares(ConstVec(m, static_cast<std::size_t>(to - from)));
      }
      const UnlistedSquares::Whole whole = unlisted->whole(i, at_entry.row());
      const double rest = whole.squares - out;
      const bool is_lost = UnlistedSquares::is_lost(rest + residuals, whole);
      total += is_lost ? unlisted->closely(i, at_entry.row(), whole.size) : rest;
    }
    return total;
  });
}

std::vector<double> listed_residuals(const Observed& data, const FactorView& model,
                                     Executor& executor) {
  const ConstVec values = data.entries(0).values;
  std::vector<double> left(values.begin(), values.end());
  take_away_listed(data, model, 0, left, executor);
  return left;
}

void take_away_listed(const Observed& data, const FactorView& model, Index first, Vec left,
                      Executor& executor) {
  const CellList entries = data.entries(0);
  if (entries.empty()) return;
  const Partition blocks = by_item(entries, data.size(0));
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      for (Index k = first; k < model.n_components(); ++k) {
        const double own = model.weight(k) * model.modes[0](i, k);
        if (own == 0.0) continue;
        for (Index e = entries.begin(i); e < entries.end(i); ++e) {
          double z = own;
          for (std::size_t m = 0; m < entries.others.size(); ++m)
            z *= model.modes[m + 1](entries.others[m][e], k);
          left[e] -= z;
        }
      }
    }
  });
}

std::vector<Index> largest_residual(const Observed& data, const FactorView& model, bool is_signed,
                                    Executor& executor) {
  return largest_residual(data, model, listed_residuals(data, model, executor), is_signed,
                          executor);
}

std::vector<Index> largest_residual(const Observed& data, const FactorView& model, ConstVec listed,
                                    bool is_signed, Executor& executor) {
  struct Found {
    double size = 0.0;
    std::vector<Index> at;
  };
  const auto size_of = [&](double left) { return is_signed ? std::abs(left) : left; };
  std::vector<Found> found;
  if (data.values().is_sparse()) {
    const CellList entries = data.entries(0);
    const Partition blocks = by_item(entries, data.size(0));
    found.resize(static_cast<std::size_t>(blocks.count()));
    executor.map(blocks.count(), [&](Index block) {
      Found& own = found[static_cast<std::size_t>(block)];
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        for (Index e = entries.begin(i); e < entries.end(i); ++e) {
          const double size = size_of(listed[e]);
          if (!(size > own.size) || is_held_out(data, entries, i, e)) continue;
          own.size = size;
          own.at = {i};
          for (const auto& other : entries.others) own.at.push_back(other[e]);
        }
      }
    });
  } else {
    const ResidualLines lines(data, model, 1.0);
    found.resize(static_cast<std::size_t>(lines.n_blocks()));
    executor.map(lines.n_blocks(), [&](Index block) {
      Found& own = found[static_cast<std::size_t>(block)];
      Index cell = -1;
      lines.for_each(block, [&](ConstVec residual, Index first) {
        for (std::size_t r = 0; r < residual.size(); ++r) {
          if (!(size_of(residual[r]) > own.size)) continue;
          own.size = size_of(residual[r]);
          cell = first + static_cast<Index>(r);
        }
      });
      if (cell < 0) return;
      own.at.resize(data.shape().size());
      for (std::size_t n = own.at.size(); n-- > 0; cell /= data.shape()[n])
        own.at[n] = cell % data.shape()[n];
    });
  }
  Found best;
  for (Found& one : found) {
    if (one.size > best.size) best = std::move(one);
  }
  return best.at;
}

std::vector<std::vector<double>> residual_fibres(const Observed& data, const FactorView& model,
                                                 const std::vector<Index>& through,
                                                 Executor& executor) {
  return residual_fibres(data, model, listed_residuals(data, model, executor), through, executor);
}

std::vector<std::vector<double>> residual_fibres(const Observed& data, const FactorView& model,
                                                 ConstVec listed, const std::vector<Index>& through,
                                                 Executor& executor) {
  std::vector<std::vector<double>> fibres;
  for (const Index size : data.shape()) fibres.emplace_back(static_cast<std::size_t>(size), 0.0);
  if (!data.values().is_sparse()) {
    const ResidualLines lines(data, model, 1.0);
    std::vector<Index> at = through;
    for (std::size_t n = 0; n < at.size(); ++n) {
      for (at[n] = 0; at[n] < data.shape()[n]; ++at[n]) fibres[n][at[n]] = lines.at(at);
      at[n] = through[n];
    }
    return fibres;
  }
  const CellList entries = data.entries(0);
  const Partition blocks = by_item(entries, data.size(0));
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      for (Index e = entries.begin(i); e < entries.end(i); ++e) {
        // The modes in which the cell is elsewhere: one at most for a cell of a fibre.
        std::size_t n_elsewhere = i == through[0] ? 0 : 1, mode = 0;
        for (std::size_t m = 0; m < entries.others.size(); ++m) {
          if (entries.others[m][e] == through[m + 1]) continue;
          ++n_elsewhere;
          mode = m + 1;
        }
        if (n_elsewhere > 1 || is_held_out(data, entries, i, e)) continue;
        for (std::size_t m = 0; m < fibres.size(); ++m) {
          if (n_elsewhere == 0 || m == mode)
            fibres[m][m == 0 ? i : entries.others[m - 1][e]] = listed[e];
        }
      }
    }
  });
  return fibres;
}

}  // namespace gingham
