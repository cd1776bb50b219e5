#include "gingham/methods/checkerboard/board.hpp"

#include <algorithm>
#include <numeric>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::checkerboard {
namespace {

// Stands for log 0: any positive value in a block of zeros costs more than anything else can.
constexpr double kLogOfZero = -1e200;

// What the items of one side would cost in each group, up to a number of their own:
//   squares:      sum over h of w (s / w - u)^2          information:  sum over h of w u - s log u
// with w, s the weight and sum of the item in group h of the other side. The base counts as one
// more group, the last: what an item deviates in all is its spread + cost(own) - cost(base).
class Costs {
 public:
  Costs(const Prepared& prepared, Side side, const Board& board, const Profiles& profiles)
      : prepared_(prepared),
        side_(side),
        labels_(board.of(side).labels),
        profiles_(profiles),
        n_groups_(board.of(side).count),
        levels_(profiles.groups(), n_groups_ + 1),
        has_weight_(static_cast<std::size_t>(n_groups_), false) {
    const bool by_rows = side == Side::rows;
    for (Index h = 0; h < profiles.groups(); ++h) {
      for (Index r = 0; r < n_groups_; ++r) {
        levels_(h, r) = by_rows ? board.u(r, h) : board.u(h, r);
        if ((by_rows ? board.weights(r, h) : board.weights(h, r)) > 0.0) has_weight_[r] = true;
      }
      levels_(h, n_groups_) = prepared.base;
    }
    if (prepared.problem.divergence == Divergence::squares) return;
    logs_ = Matrix(levels_.rows(), levels_.cols());
    for (Index t = 0; t < levels_.size(); ++t) {
      const double level = levels_.values()[t];
      logs_.values()[t] = level > 0.0 ? std::log(level) : kLogOfZero;
    }
  }

  Index n_groups() const { return n_groups_; }

  struct Scratch {
    explicit Scratch(const Costs& all)
        : weights(static_cast<std::size_t>(all.profiles_.groups())),
          costs(static_cast<std::size_t>(all.n_groups_ + 1)) {}
    std::vector<double> weights, costs;
  };

  // Fills the scratch for item i.
  void look(Index i, Scratch& scratch) const {
    profiles_.weights(i, scratch.weights);
    std::fill(scratch.costs.begin(), scratch.costs.end(), 0.0);
    const double* sums = profiles_.sums.row(i).data();
    const Index k = levels_.cols();
    for (Index h = 0; h < levels_.rows(); ++h) {
      const double weight = scratch.weights[h];
      if (!(weight > 0.0)) continue;
      if (logs_.size() == 0) {
        grouped::add_squares(weight, sums[h] / weight, levels_.row(h).data(), k,
                             scratch.costs.data());
      } else {
        grouped::add_information(weight, sums[h], levels_.row(h).data(), logs_.row(h).data(), k,
                                 scratch.costs.data());
      }
    }
  }

  // What a move of item i away from `group` must gain; after look(i).
  double margin(Index i, Index group, const Scratch& scratch) const {
    const double deviates =
        prepared_.spread[side_][i] + scratch.costs[group] - scratch.costs[n_groups_];
    return kGain * std::max(deviates, 0.0) +
           tie(prepared_.problem.divergence) * prepared_.size[side_][i];
  }

  // The group item i belongs to; after look(i).
  Index choose(Index i, const Scratch& scratch) const {
    const Index own = labels_[i];
    Index best = own;
    for (Index r = 0; r < n_groups_; ++r) {
      if (!has_weight_[r] || r == own) continue;
      if (best == own || scratch.costs[r] < scratch.costs[best]) best = r;
    }
    return scratch.costs[best] < scratch.costs[own] - margin(i, own, scratch) ? best : own;
  }

  // What item i would gain with levels of its own in place of those of `group`; after look(i).
  double own_levels_gain(Index i, Index group, const Scratch& scratch) const {
    double cost = 0.0;  // at its own levels
    for (Index h = 0; h < levels_.rows() && logs_.size() > 0; ++h) {
      const double total = profiles_.sums(i, h), weight = scratch.weights[h];
      if (weight > 0.0 && total > 0.0) cost += total - total * std::log(total / weight);
    }
    return scratch.costs[group] - cost;
  }

 private:
  const Prepared& prepared_;
  Side side_;
  const std::vector<Index>& labels_;
  const Profiles& profiles_;
  Index n_groups_;
  Matrix levels_;  // groups of the other side x (own groups + 1)
  Matrix logs_;    // of the levels; empty for squares
  std::vector<bool> has_weight_;
};

Partition items_of(const Costs& costs, const Profiles& profiles) {
  return Partition::even(profiles.items(), (costs.n_groups() + 1) * profiles.groups());
}

struct Candidate {
  Index item;
  double gain;
};

// Items that gain by levels of their own, the largest gain first, the first item on ties.
std::vector<Candidate> candidates(const Costs& costs, const Profiles& profiles,
                                  const std::vector<Index>& labels) {
  std::vector<Candidate> found;
  Costs::Scratch scratch(costs);
  for (Index i = 0; i < profiles.items(); ++i) {
    costs.look(i, scratch);
    const double gain = costs.own_levels_gain(i, labels[i], scratch);
    if (gain > costs.margin(i, labels[i], scratch)) found.push_back({i, gain});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
  return found;
}

// Groups without weight take over items; returns how many.
Index refill(const Costs& costs, const Profiles& profiles, std::vector<Index>& labels) {
  std::vector<Index> members(static_cast<std::size_t>(costs.n_groups()), 0);  // that have weight
  std::vector<double> weights(static_cast<std::size_t>(profiles.groups()));
  for (Index i = 0; i < profiles.items(); ++i) {
    profiles.weights(i, weights);
    if (sum(weights) > 0.0) ++members[labels[i]];
  }
  if (std::find(members.begin(), members.end(), 0) == members.end()) return 0;
  const std::vector<Candidate> wanted = candidates(costs, profiles, labels);
  std::size_t next = 0;
  Index moved = 0;
  for (Index group = 0; group < costs.n_groups(); ++group) {
    if (members[group] > 0) continue;
    while (next < wanted.size() && members[labels[wanted[next].item]] < 2) ++next;
    if (next == wanted.size()) break;
    Index& label = labels[wanted[next++].item];
    --members[label];
    ++members[group];
    label = group;
    ++moved;
  }
  return moved;
}

}  // namespace

void set_levels(const Prepared& prepared, Side side, const Profiles& profiles, Board& board) {
  board.u = Matrix(board.rows.count, board.columns.count);
  board.weights = Matrix(board.rows.count, board.columns.count);
  const std::vector<Index>& labels = board.of(side).labels;
  std::vector<double> weights(static_cast<std::size_t>(profiles.groups()));
  for (Index i = 0; i < profiles.items(); ++i) {
    profiles.weights(i, weights);
    const double* sums = profiles.sums.row(i).data();
    for (Index h = 0; h < profiles.groups(); ++h) {
      const Index g = side == Side::rows ? labels[i] : h;
      const Index c = side == Side::rows ? h : labels[i];
      board.u(g, c) += sums[h];
      board.weights(g, c) += weights[h];
    }
  }
  for (Index t = 0; t < board.u.size(); ++t) {
    const double weight = board.weights.values()[t];
    double& level = board.u.values()[t];
    level = weight > 0.0 ? level / weight : prepared.base;
  }
}

Index reassign(const Prepared& prepared, Side side, Board& board, Executor& executor) {
  const Profiles profiles = make_profiles(prepared.cells, prepared.problem.divergence,
                                          prepared.parts, side, board.of(other(side)), executor);
  const Costs costs(prepared, side, board, profiles);
  const std::vector<Index>& before = board.of(side).labels;
  std::vector<Index> labels = before;
  const Partition blocks = items_of(costs, profiles);
  executor.map(blocks.count(), [&](Index block) {
    Costs::Scratch scratch(costs);
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      costs.look(i, scratch);
      labels[i] = costs.choose(i, scratch);
    }
  });
  refill(costs, profiles, labels);
  Index moved = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) moved += labels[i] != before[i] ? 1 : 0;
  board.of(side).labels = std::move(labels);
  set_levels(prepared, side, profiles, board);
  return moved;
}

Index misplaced(const Prepared& prepared, Side side, const Board& board, Executor& executor) {
  const Profiles profiles = make_profiles(prepared.cells, prepared.problem.divergence,
                                          prepared.parts, side, board.of(other(side)), executor);
  const Costs costs(prepared, side, board, profiles);
  const Partition blocks = items_of(costs, profiles);
  const double total = sum_blocks(executor, blocks.count(), [&](Index block) {
    Costs::Scratch scratch(costs);
    double moves = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      costs.look(i, scratch);
      moves += costs.choose(i, scratch) != board.of(side).labels[i] ? 1.0 : 0.0;
    }
    return moves;
  });
  return static_cast<Index>(total);
}

std::vector<double> explained_by_rows(const Prepared& prepared, const Board& board) {
  std::vector<double> explained(static_cast<std::size_t>(board.rows.count), 0.0);
  for (Index g = 0; g < board.rows.count; ++g) {
    for (Index h = 0; h < board.columns.count; ++h) {
      const double weight = board.weights(g, h);
      if (weight > 0.0)
        explained[g] +=
            weight * deviation(prepared.problem.divergence, board.u(g, h), prepared.base);
    }
  }
  return explained;
}

double direct_loss(const Prepared& prepared, const Board& board, Executor& executor) {
  return sum(deviations(prepared.cells, prepared.problem.divergence, prepared.parts, board.rows,
                        board.columns, board.u, executor));
}

double running_loss(const Prepared& prepared, const Board& board) {
  constexpr double kRounding = 1e-12;  // of the size: what a difference of information may be off
  const double left = prepared.total_spread - sum(explained_by_rows(prepared, board));
  if (prepared.problem.divergence == Divergence::squares) return std::max(left, 0.0);
  return left > kRounding * prepared.total_size ? left : 0.0;
}

Matrix block_means(const Prepared& prepared, const Board& board) {
  const auto rows = moments(board.rows, prepared.parts[Side::rows]);
  const auto columns = moments(board.columns, prepared.parts[Side::columns]);
  const bool squares = prepared.problem.divergence == Divergence::squares;
  Matrix means(board.u.rows(), board.u.cols());
  for (Index g = 0; g < means.rows(); ++g) {
    for (Index h = 0; h < means.cols(); ++h) {
      const double n_rows = rows.count[g], n_columns = columns.count[h];
      double mean = board.u(g, h);
      if (n_rows == 0.0 || n_columns == 0.0) {
        mean = prepared.mean;
      } else if (squares) {
        mean += rows.part[g] / n_rows + columns.part[h] / n_columns;
      } else {
        mean *= rows.part[g] / n_rows * (columns.part[h] / n_columns);
      }
      means(g, h) = (mean + prepared.cells.shift()) / prepared.cells.scale();
    }
  }
  return means;
}

}  // namespace gingham::methods::checkerboard
