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
    double total = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      double residuals = 0.0, out = 0.0;
      at_entry.take(i);
      for (Index e = entries.begin(i); e < entries.end(i); ++e) {
        if (is_held_out(data, entries, i, e)) continue;
        const double m = at_entry.at(e), left = entries.values[e] * value_scale - m;
        residuals += left * left;
        out += m * m;
      }
      total += residuals;
      if (is_listed) continue;
      at_hole.take(i);
      for (Index e = holes.begin(i); e < holes.end(i); ++e) {
        const double m = at_hole.at(e);
        out += m * m;
      }
      const UnlistedSquares::Whole whole = unlisted->whole(i, at_entry.row());
      const double rest = whole.squares - out;
      const bool is_lost = UnlistedSquares::is_lost(rest + residuals, whole);
      total += is_lost ? unlisted->closely(i, at_entry.row(), whole.size) : rest;
    }
    return total;
  });
}

std::vector<Index> largest_residual(const Observed& data, const FactorView& model, bool is_signed,
                                    Executor& executor) {
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
      ItemModel model_at(entries, model);
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        model_at.take(i);
        for (Index e = entries.begin(i); e < entries.end(i); ++e) {
          if (is_held_out(data, entries, i, e)) continue;
          const double size = size_of(entries.values[e] - model_at.at(e));
          if (!(size > own.size)) continue;
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
    ItemModel model_at(entries, model);
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      model_at.take(i);
      for (Index e = entries.begin(i); e < entries.end(i); ++e) {
        // The modes in which the cell is elsewhere: one at most for a cell of a fibre.
        std::size_t n_elsewhere = i == through[0] ? 0 : 1, mode = 0;
        for (std::size_t m = 0; m < entries.others.size(); ++m) {
          if (entries.others[m][e] == through[m + 1]) continue;
          ++n_elsewhere;
          mode = m + 1;
        }
        if (n_elsewhere > 1 || is_held_out(data, entries, i, e)) continue;
        const double left = entries.values[e] - model_at.at(e);
        for (std::size_t m = 0; m < fibres.size(); ++m) {
          if (n_elsewhere == 0 || m == mode)
            fibres[m][m == 0 ? i : entries.others[m - 1][e]] = left;
        }
      }
    }
  });
  return fibres;
}

}  // namespace gingham
