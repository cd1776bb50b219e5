#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/rank_one/rank_one.hpp"
#include "gingham/operators/prepared.hpp"

namespace gingham::methods::rank_one {
namespace {

// No rows, no columns, or no weight at this time.
bool is_absent(const Layer& layer, std::size_t time) {
  return layer.s[time] == 0.0 || layer.levels[time] == 0.0;
}

// "time 2", "times 0 to 3, 5": where a component is absent; empty where it never is.
std::string absent_times(const Layer& layer) {
  std::string text;
  Index n_times = 0;
  for (std::size_t i = 0; i < layer.s.size();) {
    std::size_t end = i;
    while (end < layer.s.size() && is_absent(layer, end)) ++end;
    if (end > i) {
      n_times += static_cast<Index>(end - i);
      text += (text.empty() ? "" : ", ") + std::to_string(i) +
              (end > i + 1 ? " to " + std::to_string(end - 1) : "");
    }
    i = end + 1;
  }
  return text.empty() ? text : (n_times == 1 ? "time " : "times ") + text;
}

std::vector<std::string> notes_on(const Layer& layer, std::size_t component, bool is_series) {
  std::vector<std::string> notes;
  if (layer.period > 0) {
    notes.push_back(
        fmt::format("component {} cycles with period {}; the best state of the cycle is kept",
                    component, layer.period));
  }
  const auto is_zero = [](double value) { return value == 0.0; };
  if (std::all_of(layer.levels.begin(), layer.levels.end(), is_zero)) {
    notes.push_back(fmt::format("component {} is empty", component));
  } else if (!layer.is_in_model()) {
    notes.push_back(fmt::format(
        "component {} costs more than it explains: it has no weight and no members", component));
  } else if (const std::string absent = absent_times(layer); is_series && !absent.empty()) {
    notes.push_back(fmt::format("component {} is absent at {}", component, absent));
  }
  return notes;
}

}  // namespace

// u and v of every time, and who belongs to what.
void RankOne::add_factors(const std::vector<Layer>& layers, Model& model) const {
  const auto k = static_cast<Index>(layers.size());
  for (const Which which : kSides) {
    const bool rows = which == Which::rows;
    for (Index i = 0; i < times(); ++i) {
      Matrix unit(layouts_[which].size_at(i), k), strength(unit.rows(), k);
      for (Index c = 0; c < k; ++c) {
        const Layer& layer = layers[c];
        const ConstVec values = layouts_[which].at(layer.pair[which].unit, i);
        // A term without rows or without columns has level 0: there is no co-cluster.
        const bool is_by_level = !rules_.is_series && layer.is_in_model();
        const double weight = is_by_level || layer.levels[i] == 0.0 ? layer.levels[i] : layer.s[i];
        for (Index r = 0; r < unit.rows(); ++r) {
          unit(r, c) = values[r];
          strength(r, c) = weight * values[r];
        }
      }
      const std::optional<Index> block = rules_.is_series ? std::optional(i) : std::nullopt;
      model.memberships.push_back(membership_of(rows ? "rows" : "columns", block, strength));
      const std::string name = rows ? "u" : "v";
      model.arrays.push_back(
          {rules_.is_series ? name + "_" + std::to_string(i) : name, std::move(unit)});
    }
  }
}

// The last side's gaps per iteration, one column per component, the last repeated to the end.
void RankOne::add_dual_gaps(const std::vector<Layer>& layers, Model& model) const {
  std::size_t longest = 0;
  for (const Layer& layer : layers) {
    longest = std::max(longest, layer.pair[last()].dual_gaps.size());
  }
  if (longest == 0) return;
  Matrix gaps(static_cast<Index>(longest), static_cast<Index>(layers.size()));
  for (Index c = 0; c < gaps.cols(); ++c) {
    const std::vector<double>& curve = layers[c].pair[last()].dual_gaps;
    for (Index r = 0; r < gaps.rows() && !curve.empty(); ++r) {
      gaps(r, c) = curve[std::min<std::size_t>(r, curve.size() - 1)];
    }
  }
  model.arrays.push_back({"dual_gaps", std::move(gaps)});
}

// With R what the model with levels l leaves and d = l - s,
//
//   |R + sum_c d_c u_c v_c^T|^2 = |R|^2 + sum_c d_c (2 u_c^T R v_c + sum_e d_e <u_c v_c, u_e v_e>)
//   |R + l_c u_c v_c^T|^2 - |R|^2 = l_c (2 u_c^T R v_c + l_c |u_c v_c^T|^2)
RankOne::Evaluation RankOne::evaluation_of(const std::vector<Layer>& layers) const {
  Evaluation found{0.0, 0.0, Matrix(times(), static_cast<Index>(layers.size()))};
  for (Index i = 0; i < times(); ++i) {
    PreparedMatrix left(data_->block(i), residuals_[i].executor());
    std::vector<Index> present;
    std::vector<ConstVec> u, v;
    for (Index c = 0; c < std::ssize(layers); ++c) {
      const double level = layers[c].level_in_model(i);
      if (level == 0.0 && layers[c].s[i] == 0.0) continue;
      present.push_back(c);
      u.push_back(layouts_.rows.at(layers[c].pair.rows.unit, i));
      v.push_back(layouts_.columns.at(layers[c].pair.columns.unit, i));
      left.subtract(level, u.back(), v.back());
    }
    const PreparedMatrix::ResidualSums sums = left.residual_sums(u, v);
    double at_s = sums.squares, size = sums.squares;
    for (std::size_t a = 0; a < present.size(); ++a) {
      const Layer& layer = layers[present[a]];
      const double level = layer.levels[i], d = level - layer.s[i];
      found.lost(i, present[a]) = level * (2.0 * sums.products[a] + level * layer.curvature[i]);
      const auto add = [&](double term) {
        at_s += d * term;
        size += std::abs(d * term);
      };
      add(2.0 * sums.products[a]);
      add(d * layer.curvature[i]);
      for (std::size_t b = 0; b < a; ++b) {
        const Layer& before = layers[present[b]];
        add(2.0 * (before.levels[i] - before.s[i]) * layer.overlaps[present[b] * times() + i]);
      }
    }
    found.squares_at_levels += sums.squares;
    found.squares_at_s += has_cancelled(at_s, size) ? squares_at_s(layers, i) : at_s;
  }
  return found;
}

// Summed from the cells.
double RankOne::squares_at_s(const std::vector<Layer>& layers, Index time) const {
  PreparedMatrix left(data_->block(time), residuals_[time].executor());
  for (const Layer& layer : layers) {
    left.subtract(layer.s[time], layouts_.rows.at(layer.pair.rows.unit, time),
                  layouts_.columns.at(layer.pair.columns.unit, time));
  }
  return left.residual_squares();
}

// `layers`: all there are.
const RankOne::Evaluation& RankOne::evaluated(const std::vector<Layer>& layers) const {
  if (!evaluation_ || has_complete_) evaluation_ = evaluation_of(layers);
  return *evaluation_;
}

Model RankOne::model(Context& ctx) const {
  const std::vector<Layer> layers = all_layers(ctx);
  Model model;
  if (layers.empty()) return model;
  const auto k = static_cast<Index>(layers.size());
  add_factors(layers, model);
  const Evaluation& evaluation = evaluated(layers);
  const Matrix& lost = evaluation.lost;
  model.explained = share_explained(evaluation.squares_at_levels, data_squares_);
  if (n_cells_ == 0.0) {
    model.notes.push_back("no value is observed: there is nothing to find");
  } else if (data_squares_ == 0.0) {
    model.notes.push_back("all values are zero: there is nothing to find");
  }
  Matrix s(times(), k), levels(times(), k);
  for (Index c = 0; c < k; ++c) {
    const Layer& layer = layers[c];
    double all_lost = 0.0;
    std::vector<double> shares;
    for (Index i = 0; i < times(); ++i) {
      s(i, c) = layer.s[i];
      levels(i, c) = layer.levels[i];
      all_lost += lost(i, c);
      if (times() > 1) shares.push_back(share_lost(lost(i, c), block_squares_[i]));
    }
    model.components.push_back({times() == 1 ? layer.s[0] : norm2(layer.s),
                                share_lost(all_lost, data_squares_), std::move(shares)});
    for (std::string& note : notes_on(layer, static_cast<std::size_t>(c), rules_.is_series)) {
      model.notes.push_back(std::move(note));
    }
  }
  const auto add = [&](const std::string& name, Matrix& table) {
    if (rules_.is_series) {
      model.arrays.push_back({name, std::move(table)});
    } else {
      model.arrays.push_back({name, std::vector<double>(table.row(0).begin(), table.row(0).end())});
    }
  };
  add("s", s);
  add("levels", levels);
  std::vector<UsedValues> of_fusion;
  for (const Which which : kSides) {
    const std::string name = which == Which::rows ? "row" : "column";
    UsedValues sparsity{name + "-sparsity", {}, {}}, fusion{name + "-fusion", {}, {}};
    Matrix lengths(times(), k);
    double variation = 0.0;
    for (Index c = 0; c < k; ++c) {
      const Side& side = layers[c].pair[which];
      for (Index i = 0; i < times(); ++i) lengths(i, c) = side.lengths[i];
      sparsity.values.push_back(side.sparsity.alpha(rule(which).exponent));
      sparsity.maxima.push_back(side.largest_sparsity.alpha(rule(which).exponent));
      fusion.values.push_back(side.fusion);
      fusion.maxima.push_back(side.largest_fusion);
      variation += side.variation;
    }
    add(name + "_lengths", lengths);
    if (!rule(which).penalty) model.used.push_back(std::move(sparsity));
    of_fusion.push_back(std::move(fusion));
    if (rules_.is_series && times() > 1 && layouts_[which].is_even())
      model.measures.push_back({name + "_variation", variation});
  }
  if (penalties_.has_percentages(0) || penalties_.has_percentages(1)) {
    model.used.push_back(penalties_.used());
  }
  if (!rules_.is_series) return model;
  model.used.insert(model.used.end(), of_fusion.begin(), of_fusion.end());
  add_dual_gaps(layers, model);
  return model;
}

}  // namespace gingham::methods::rank_one
