// Every number of a co-clustering from the data, the labels and the block averages b, by plain
// loops over the listed entries, in the data's own units:
//
//   blocks kept alone:          f_ij = b_gh
//   with margins, squares:      f_ij = row mean + column mean + b_gh - row group mean - column
//                               group mean
//   with margins, information:  f_ij = R_i C_j B_gh / (R_g C_h),   R, C, B: sums
//
// Zeros that are not listed are all cells less the listed ones.
#include "gingham/methods/checkerboard/recompute.hpp"

#include <algorithm>
#include <cmath>

namespace gingham::methods::checkerboard {
namespace {

using Real = long double;
using Reals = std::vector<Real>;

Reals reals(Index size) { return Reals(static_cast<std::size_t>(size), 0); }

// One side: its labels, and sums over each item's observed cells.
struct Line {
  std::vector<Index> labels;
  Index n_groups = 0;
  Reals sum, count, size, deviates;  // size: of squares, or of values
  Reals part;                        // r_i or c_j
  Reals group_items, group_part, group_square;

  Line(std::vector<Index> given, Index groups)
      : labels(std::move(given)),
        n_groups(groups),
        sum(labels.size(), 0),
        count(labels.size(), 0),
        size(labels.size(), 0),
        deviates(labels.size(), 0),
        part(labels.size(), 0),
        group_items(reals(groups)),
        group_part(reals(groups)),
        group_square(reals(groups)) {
    for (const Index label : labels) {
      if (label < 0 || label >= groups)
        throw Error(ErrorCode::input, "labels", "a row or column has no group");
      group_items[label] += 1;
    }
  }
  Index items() const { return static_cast<Index>(labels.size()); }
};

class Recomputation {
 public:
  Recomputation(const Problem& problem, const Block& block, Line rows, Line columns,
                const Matrix& blocks)
      : problem_(problem),
        block_(block),
        squares_(problem.divergence == Divergence::squares),
        fills_(block.is_sparse() && block.unlisted() == Unlisted::zero &&
               block.summary().listed < cells(block.shape())),
        rows_(std::move(rows)),
        columns_(std::move(columns)),
        blocks_(blocks) {
    add_up();
    set_parts();
    set_levels();
    total_ = deviate();
  }

  Recomputed result() const;

 private:
  Index cell(Index g, Index h) const { return g * columns_.n_groups + h; }
  void add_up();
  void set_parts();
  void set_levels();
  Real fitted(Index i, Index j, Real level) const {
    return squares_ ? rows_.part[i] + columns_.part[j] + level
                    : rows_.part[i] * columns_.part[j] * level;
  }
  Real deviation(Real x, Real f) const {
    if (squares_) return (x - f) * (x - f);
    return x > 0 ? x * std::log1p((x - f) / f) - (x - f) : f;
  }
  Real deviate();
  Real spread() const;
  void add_zeros(Line& line, const Line& others, bool by_rows);
  double share_misplaced(const Line& line, const Line& others, bool by_rows) const;
  double block_gap() const;

  const Problem problem_;
  const Block& block_;
  const bool squares_, fills_;
  Line rows_, columns_;
  const Matrix& blocks_;
  Reals sums_, counts_;   // of the blocks' cells
  Reals level_, weight_;  // u_gh and its weight
  Real mean_ = 0, sum_ = 0, n_cells_ = 0, size_ = 0, base_ = 0, all_weight_ = 0, total_ = 0;
};

void Recomputation::add_up() {
  sums_ = reals(blocks_.size());
  counts_ = reals(blocks_.size());
  for (Index i = 0; i < rows_.items() && fills_; ++i)
    rows_.count[i] = static_cast<Real>(columns_.items());
  for (Index j = 0; j < columns_.items() && fills_; ++j)
    columns_.count[j] = static_cast<Real>(rows_.items());
  for (Index g = 0; g < rows_.n_groups && fills_; ++g) {
    for (Index h = 0; h < columns_.n_groups; ++h)
      counts_[cell(g, h)] = rows_.group_items[g] * columns_.group_items[h];
  }
  for_each_entry(block_, [&](std::span<const Index> at, double x) {
    const Index b = cell(rows_.labels[at[0]], columns_.labels[at[1]]);
    const bool is_missing = std::isnan(x);
    const Real counts = fills_ ? (is_missing ? -1 : 0) : (is_missing ? 0 : 1);
    const Real value = is_missing ? 0 : static_cast<Real>(x);
    const Real size = squares_ ? value * value : value;
    rows_.count[at[0]] += counts;
    columns_.count[at[1]] += counts;
    counts_[b] += counts;
    rows_.sum[at[0]] += value;
    columns_.sum[at[1]] += value;
    sums_[b] += value;
    rows_.size[at[0]] += size;
    columns_.size[at[1]] += size;
    sum_ += value;
    size_ += size;
  });
  for (const Real count : rows_.count) n_cells_ += count;
  mean_ = sum_ / n_cells_;
}

void Recomputation::set_parts() {
  for (Index i = 0; i < rows_.items(); ++i) {
    rows_.part[i] = squares_ ? 0 : 1;
    if (problem_.keeps_margins)
      rows_.part[i] = squares_ ? rows_.sum[i] / rows_.count[i] : rows_.sum[i];
  }
  for (Index j = 0; j < columns_.items(); ++j) {
    columns_.part[j] = squares_ ? 0 : 1;
    if (problem_.keeps_margins)
      columns_.part[j] =
          squares_ ? columns_.sum[j] / columns_.count[j] - mean_ : columns_.sum[j] / sum_;
  }
  for (Line* line : {&rows_, &columns_}) {
    for (Index i = 0; i < line->items(); ++i) {
      line->group_part[line->labels[i]] += line->part[i];
      line->group_square[line->labels[i]] += line->part[i] * line->part[i];
    }
  }
}

// u_gh from the stored averages, and the weights of the blocks.
void Recomputation::set_levels() {
  base_ = squares_ ? (problem_.keeps_margins ? 0 : mean_) : (problem_.keeps_margins ? 1 : mean_);
  level_ = weight_ = reals(blocks_.size());
  for (Index g = 0; g < rows_.n_groups; ++g) {
    for (Index h = 0; h < columns_.n_groups; ++h) {
      const Index b = cell(g, h);
      const Real n_rows = rows_.group_items[g], n_columns = columns_.group_items[h];
      const Real product = rows_.group_part[g] * columns_.group_part[h];
      weight_[b] = problem_.keeps_margins && !squares_ ? product : counts_[b];
      all_weight_ += weight_[b];
      level_[b] = blocks_(g, h);
      if (problem_.keeps_margins && !(weight_[b] > 0)) {
        level_[b] = base_;
      } else if (problem_.keeps_margins && squares_) {
        level_[b] -= rows_.group_part[g] / n_rows + columns_.group_part[h] / n_columns;
      } else if (problem_.keeps_margins) {
        level_[b] *= n_rows * n_columns / product;
      }
    }
  }
}

// The zeros that are not listed of every item: all cells of each group less the listed ones.
void Recomputation::add_zeros(Line& line, const Line& others, bool by_rows) {
  const Index k = others.n_groups;
  Reals count = reals(line.items() * k), part = count, square = count;
  for (Index i = 0; i < line.items(); ++i) {
    for (Index h = 0; h < k; ++h) {
      count[i * k + h] = others.group_items[h];
      part[i * k + h] = others.group_part[h];
      square[i * k + h] = others.group_square[h];
    }
  }
  for_each_entry(block_, [&](std::span<const Index> at, double) {
    const Index i = at[by_rows ? 0 : 1], j = at[by_rows ? 1 : 0];
    const Index t = i * k + others.labels[j];
    count[t] -= 1;
    part[t] -= others.part[j];
    square[t] -= others.part[j] * others.part[j];
  });
  for (Index i = 0; i < line.items(); ++i) {
    for (Index h = 0; h < k; ++h) {
      const Index t = i * k + h;
      const Real level = level_[by_rows ? cell(line.labels[i], h) : cell(h, line.labels[i])];
      const Real own = line.part[i];
      if (count[t] < 0.5L) continue;
      line.deviates[i] += squares_ ? count[t] * (own + level) * (own + level) +
                                         2 * (own + level) * part[t] + square[t]
                                   : own * level * part[t];
    }
  }
}

// Fills what every row and column deviates from the fit; returns the total.
Real Recomputation::deviate() {
  for_each_entry(block_, [&](std::span<const Index> at, double x) {
    if (std::isnan(x)) return;
    const Real level = level_[cell(rows_.labels[at[0]], columns_.labels[at[1]])];
    const Real d = deviation(x, fitted(at[0], at[1], level));
    rows_.deviates[at[0]] += d;
    columns_.deviates[at[1]] += d;
  });
  if (fills_) {
    add_zeros(rows_, columns_, true);
    add_zeros(columns_, rows_, false);
  }
  Real total = 0;
  for (const Real d : rows_.deviates) total += d;
  return total;
}

// What all cells deviate from the fit without groups.
Real Recomputation::spread() const {
  Real total = 0, listed = 0, zeros = 0;
  for_each_entry(block_, [&](std::span<const Index> at, double x) {
    const Real f = fitted(at[0], at[1], base_);
    listed += deviation(0, f);
    if (!std::isnan(x)) total += deviation(x, f);
  });
  if (!fills_) return total;
  Reals r = reals(3), c = reals(3);
  for (const Real part : rows_.part) r[0] += 1, r[1] += part, r[2] += part * part;
  for (const Real part : columns_.part) c[0] += 1, c[1] += part, c[2] += part * part;
  zeros = squares_ ? r[2] * c[0] + 2 * r[1] * c[1] + r[0] * c[2] +
                         2 * base_ * (r[1] * c[0] + r[0] * c[1]) + base_ * base_ * r[0] * c[0]
                   : base_ * r[1] * c[1];
  return total + std::max<Real>(zeros - listed, 0);
}

double Recomputation::share_misplaced(const Line& line, const Line& others, bool by_rows) const {
  const Index k = others.n_groups;
  const auto block_of = [&](Index r, Index h) { return by_rows ? cell(r, h) : cell(h, r); };
  Reals sums = reals(line.items() * k), counts = sums;
  for (Index i = 0; i < line.items() && fills_; ++i) {
    for (Index h = 0; h < k; ++h) counts[i * k + h] = others.group_items[h];
  }
  for_each_entry(block_, [&](std::span<const Index> at, double x) {
    const Index t = at[by_rows ? 0 : 1] * k + others.labels[at[by_rows ? 1 : 0]];
    const bool is_missing = std::isnan(x);
    counts[t] += fills_ ? (is_missing ? -1 : 0) : (is_missing ? 0 : 1);
    sums[t] += is_missing ? 0 : static_cast<Real>(x);
  });
  Reals group_weight = reals(line.n_groups);
  for (Index r = 0; r < line.n_groups; ++r) {
    for (Index h = 0; h < k; ++h) group_weight[r] += weight_[block_of(r, h)];
  }
  // Of item i in group r; parts other than 0 and 1 come with complete data only.
  const auto cost = [&](Index i, Index r) {
    Real total = 0;
    for (Index h = 0; h < k; ++h) {
      const Index t = i * k + h;
      const Real level = level_[block_of(r, h)], own = line.part[i];
      const Real weight =
          squares_ || !problem_.keeps_margins ? counts[t] : own * others.group_part[h];
      if (!(weight > 0)) continue;
      if (squares_) {
        const Real sum = sums[t] - counts[t] * own - others.group_part[h];
        total += weight * std::pow(sum / weight - level, 2);
      } else {
        total += weight * level - (sums[t] > 0 ? sums[t] * std::log(level) : 0);
      }
    }
    return total;
  };
  // With additive parts an item is compared with all others, whatever its own values are.
  const Real common =
      squares_ && problem_.keeps_margins ? size_ / static_cast<Real>(line.items()) : 0;
  Index moves = 0;
  for (Index i = 0; i < line.items(); ++i) {
    const Real margin = kGain * std::max<Real>(line.deviates[i], 0) +
                        tie(problem_.divergence) * (line.size[i] + common);
    const Real enough = cost(i, line.labels[i]) - margin;
    bool is_best = true;
    for (Index r = 0; r < line.n_groups && is_best; ++r)
      is_best = !(group_weight[r] > 0) || !(cost(i, r) < enough);
    moves += is_best ? 0 : 1;
  }
  return static_cast<double>(static_cast<Real>(moves) / static_cast<Real>(line.items()));
}

double Recomputation::block_gap() const {
  const Real largest = std::max(std::abs(block_.summary().min), std::abs(block_.summary().max));
  Real gap = 0;
  for (Index b = 0; b < blocks_.size() && largest > 0; ++b) {
    const Real mean = counts_[b] > 0 ? sums_[b] / counts_[b] : mean_;
    gap = std::max(gap, std::abs(blocks_.values()[b] - mean) / largest);
  }
  return static_cast<double>(gap);
}

Recomputed Recomputation::result() const {
  Recomputed result;
  Real loss = total_;
  if (!squares_ && loss <= kNothing * sum_) loss = 0;
  if (problem_.is_distribution) loss /= sum_;
  result.terms.loss = static_cast<double>(loss);
  result.terms.gaps = {{"rows", share_misplaced(rows_, columns_, true)},
                       {"columns", share_misplaced(columns_, rows_, false)},
                       {"blocks", block_gap()}};
  const Real all = spread();
  const bool has_spread = all > nothing_to_explain(problem_.keeps_margins) * size_;
  if (has_spread) result.explained = static_cast<double>(1 - total_ / all);
  for (Index k = 0; k < std::max(rows_.n_groups, columns_.n_groups); ++k) {
    Real weight = 0, explained = 0;
    for (Index h = 0; h < columns_.n_groups && k < rows_.n_groups; ++h) {
      const Index b = cell(k, h);
      if (!(weight_[b] > 0)) continue;
      weight += weight_[b];
      explained += weight_[b] * deviation(level_[b], base_);
    }
    result.components.push_back({all_weight_ > 0 ? static_cast<double>(weight / all_weight_) : 0.0,
                                 has_spread ? static_cast<double>(explained / all) : 0.0});
  }
  result.memberships = {membership_of("rows", std::nullopt, rows_.labels),
                        membership_of("columns", std::nullopt, columns_.labels)};
  return result;
}

}  // namespace

Recomputed recompute(const Problem& problem, const Dataset& data, Index row_groups,
                     Index column_groups, const Model& model) {
  const Block& block = data.block(0);
  const Matrix* blocks = nullptr;
  for (const NamedArray& array : model.arrays) {
    if (array.name == "blocks") blocks = std::get_if<Matrix>(&array.values);
  }
  if (blocks == nullptr || blocks->rows() != row_groups || blocks->cols() != column_groups ||
      model.memberships.size() != 2 || model.memberships[0].n_items != block.shape()[0] ||
      model.memberships[1].n_items != block.shape()[1]) {
    throw Error(ErrorCode::input, "blocks", "is missing, or does not fit the labels or the data");
  }
  return Recomputation(problem, block, Line(strongest(model.memberships[0]), row_groups),
                       Line(strongest(model.memberships[1]), column_groups), *blocks)
      .result();
}

}  // namespace gingham::methods::checkerboard
