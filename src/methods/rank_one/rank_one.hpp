// Sparse rank-one terms of one matrix or of a series of matrices over time, one term after the
// other: what the sparse SVD and the evolving co-clusters share.
//
//   F = sum_i 0.5 || R_i - s_i u_i v_i^T ||_F^2
//       + alpha_r sum_i |s_i w u_i|_1 + alpha_c sum_i |s_i w v_i|_1
//       + gamma_r sum_i |s_i+1 u_i+1 - s_i u_i|_1 + gamma_c sum_i |s_i+1 v_i+1 - s_i v_i|_1
//
// R_i is the data less the terms found before, at their least-squares levels; missing cells have
// weight 0. One iteration makes one side from the other and back by side.hpp: two passes over the
// data. The state is the unit vectors alone. A side's gap is the largest distance, over the times,
// of its unit vectors from those its step would give: 0 at a fixed point. Where all is observed, g
// convex and times apart, that is penalty.gap(L u, b, h) / L, L the length of the step's minimiser.
//
// With the unit vectors fixed the weights s minimise F (weights.hpp). With fixed alphas, g = 0, no
// fusion and nothing missing, each half step maximises G_i over its unit vector and min_s F = 0.5
// ||R_i||^2 - 0.5 [G_i]_+^2: F never rises. Otherwise each step has a criterion of its own and the
// iterates may cycle; then the best state of the cycle is kept: by F where the penalties are
// numbers (and at the iteration limit too), by
//   N log(RSS / N) + (nonzeros of u and v) log N                    (N observed cells)
// where they are chosen anew in each step.
//
// All components together may have a higher objective than without some of them, which then get no
// weight (worth.hpp): they stay as what was taken away before the next was looked for.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "gingham/engine/method.hpp"
#include "gingham/engine/mode_penalties.hpp"
#include "gingham/kernels/block_lanczos.hpp"
#include "gingham/methods/rank_one/side.hpp"

namespace gingham::methods::rank_one {

struct Rules {
  Options options;  // for --penalty
  BySide<SideRule> sides;
  bool columns_first = false;
  Index n_components = 1;
  bool is_series = false;  // arrays and members per time
};

using Pair = BySide<Side>;

// A component that is finished.
struct Layer {
  Pair pair;
  std::vector<double> levels;     // u_i^T R_i v_i / D_i: the least-squares weight
  std::vector<double> cross;      // u_i^T R_i v_i
  std::vector<double> curvature;  // D_i
  std::vector<double> s;
  BySide<double> gap, sparsity, fusion;  // penalties at s
  double gap_weights = 0.0;
  Index period = 0;              // of the cycle it ended in; 0: none
  std::vector<double> overlaps;  // with the components before it, time after time for each

  double penalties() const {
    return sparsity.rows + sparsity.columns + fusion.rows + fusion.columns;
  }
  bool is_in_model() const;  // some weight is not zero
  double level_in_model(Index time) const { return is_in_model() ? levels[time] : 0.0; }

  template <class Archive>
  void state(Archive& ar) {
    ar("pair", pair)("levels", levels)("cross", cross)("curvature", curvature)("s", s)("gap", gap);
    ar("sparsity", sparsity)("fusion", fusion)("gap_weights", gap_weights)("period", period);
    ar("overlaps", overlaps);
  }
};

// Sums of squares of which less than this share of the data's is left are rounding.
inline constexpr double kRoundingOfSquares = 1e-12;

class RankOne final : public Method {
 public:
  explicit RankOne(Rules rules);

  void begin_from(const Model& earlier) override;
  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status status, Context& ctx) override;
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  enum class Solver { as_asked, exact };
  // What comes next: a start, the first side, the last side, or the first side once more, which
  // tells how far the iteration has come and is where the next one begins.
  enum class Stage { start, first, last, look };

  Which first() const { return rules_.columns_first ? Which::columns : Which::rows; }
  Which last() const { return opposite(first()); }
  Index times() const { return layouts_.rows.times(); }
  const SideRule& rule(Which which) const { return rules_.sides[which]; }
  bool is_fused(Which which) const { return rule(which).is_fused(layouts_[which]); }

  void start_component(Context& ctx);
  bool uses_shares() const;
  void make_penalties();  // by name, once their numbers are known
  void resolve_penalties(Context& ctx);
  bool is_nonnegative(Which which) const;
  void orient(Pair& pair) const;
  void turn(Pair& pair, Index time) const;  // both signs
  const LanczosRules& search_rules() const;
  const Pair* warm_start(Index restart) const;
  bool needs_leading_pairs(Index restart) const;
  void add_leading_pair(Index time, Context& ctx);
  Pair common_start(Context& ctx) const;
  void align_signs(Pair& pair) const;
  bool is_usable(const Pair& pair) const;
  bool is_negligible(double size, Index time) const;
  void subtract(const Layer& layer);

  Targets targets_of(Which which, const std::vector<double>& other) const;
  // The side made from the other side's unit vectors; `before` is its last value.
  Side made(Which which, const std::vector<double>& other, const Side& before, Context& ctx,
            Solver solver = Solver::as_asked) const;
  Noise noise_of(Which which, const Targets& targets, const std::vector<double>& other) const;
  // Weights and penalties of a pair, given the targets of its first side.
  Layer layer_of(const Pair& pair, const Targets& of_first) const;
  // The same with the gaps of both sides measured: two passes over the data.
  Layer measured(const Pair& pair, Context& ctx) const;
  double running_loss(const Layer& layer) const;
  double residual_of(const Layer& layer, const std::vector<double>& weights) const;

  bool may_cycle() const;
  bool has_one_objective() const;     // F of different iterates can be compared
  bool is_chosen(Which which) const;  // its penalty changes from step to step
  void watch_for_cycle(const Layer& found);
  double criterion(const Layer& layer) const;
  void add_factors(const std::vector<Layer>& layers, Model& model) const;
  // The model of finished components, from one pass over the data.
  struct Evaluation {
    double squares_at_s = 0.0, squares_at_levels = 0.0;  // of what the model leaves, both weights
    Matrix lost;  // times x components: by how much the latter rises without each component
  };
  double squares_at_s(const std::vector<Layer>& layers, Index time) const;
  Evaluation evaluation_of(const std::vector<Layer>& layers) const;
  const Evaluation& evaluated(const std::vector<Layer>& layers) const;
  void add_dual_gaps(const std::vector<Layer>& layers, Model& model) const;
  // Finished components, and the present one as far as it has come; without weights those that are
  // not worth their penalties.
  std::vector<Layer> all_layers(Context& ctx) const;
  void leave_out(std::vector<Layer>& layers) const;
  void add_overlaps(Layer& layer, Context& ctx) const;

  Rules rules_;
  ModePenalties penalties_;       // rows, columns
  bool has_percentages_ = false;  // of penalties by name, whose numbers are not known yet
  const Dataset* data_ = nullptr;
  std::vector<PreparedMatrix> residuals_;
  BySide<Layout> layouts_;
  std::vector<double> block_squares_;  // ||X_i||^2
  double data_squares_ = 0.0;          // their sum
  double n_cells_ = 0.0;               // observed
  bool is_all_observed_ = true;
  double residual_squares_ = 0.0;  // sum_i ||R_i||^2
  std::vector<Pair> earlier_;      // starts taken from another run
  // Per time the singular vectors of the last search that follow the first: where the next begins.
  std::vector<Matrix> search_;

  std::vector<Layer> layers_;
  Pair now_;
  Side next_first_;  // the first side's step from now_'s last side; the distance is the gap
  bool has_next_ = false;
  Stage stage_ = Stage::start;
  Index n_started_ = 0;                           // times that have their leading pair in now_
  mutable std::optional<Evaluation> evaluation_;  // until there is another component
  Layer running_;                                 // as it was after the last whole iteration
  bool has_complete_ = false;
  // Only where cycles are possible:
  Pair best_;
  double best_value_ = 0.0;
  Pair mark_;             // an iterate that later ones are compared with
  Index since_mark_ = 0;  // iterations
  Index window_ = 0;      // after which the mark moves on
  Index period_ = 0;      // of the cycle that was noticed; 0: none
};

}  // namespace gingham::methods::rank_one
