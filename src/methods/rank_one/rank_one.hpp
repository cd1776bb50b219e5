// Sparse rank-one terms of one matrix or of a series of matrices over time, one term after the
// other: what the sparse SVD and the evolving co-clusters share.
//
//   F = sum_i 0.5 || R_i - s_i u_i v_i^T ||_F^2
//       + alpha_r sum_i |s_i w u_i|_1 + alpha_c sum_i |s_i w v_i|_1
//       + gamma_r sum_i |s_i+1 u_i+1 - s_i u_i|_1 + gamma_c sum_i |s_i+1 v_i+1 - s_i v_i|_1
//
// R_i is the data less the terms found before, at their least-squares levels; missing cells have
// weight 0. One iteration makes one side from the other and back by side.hpp: two passes over the
// data. The state is the unit vectors alone; a side's gap is the largest distance, over the times,
// of its unit vectors from those its step would give.
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
#include <vector>

#include "gingham/engine/method.hpp"
#include "gingham/engine/mode_penalties.hpp"
#include "gingham/methods/rank_one/targets.hpp"

namespace gingham::methods::rank_one {

struct Rules {
  Options options;  // for --penalty
  SideRule rows, columns;
  double exponent = 0.0;  // g of the adaptive weights
  Bic bic = Bic::shrunk;  // how alpha is chosen
  bool columns_first = false;
  double dual_gap = 0.0;  // above 0: fused steps by their dual, to this relative gap
  Index n_components = 1;
  bool is_series = false;  // arrays and members per time
};

struct Pair {
  Side rows, columns;

  template <class Archive>
  void state(Archive& ar) {
    ar("rows", rows)("columns", columns);
  }
};

// A component that is finished.
struct Layer {
  Pair pair;
  std::vector<double> levels;     // u_i^T R_i v_i / D_i: the least-squares weight
  std::vector<double> cross;      // u_i^T R_i v_i
  std::vector<double> curvature;  // D_i
  std::vector<double> s;
  double gap_rows = 0.0, gap_columns = 0.0, gap_weights = 0.0;
  // At s: alpha_r, alpha_c, gamma_r, gamma_c.
  double sparsity_rows = 0.0, sparsity_columns = 0.0, fusion_rows = 0.0, fusion_columns = 0.0;
  Index period = 0;  // of the cycle it ended in; 0: none

  double penalties() const {
    return sparsity_rows + sparsity_columns + fusion_rows + fusion_columns;
  }
  bool is_in_model() const;  // some weight is not zero
  double level_in_model(Index time) const { return is_in_model() ? levels[time] : 0.0; }

  template <class Archive>
  void state(Archive& ar) {
    ar("pair", pair)("levels", levels)("cross", cross)("curvature", curvature)("s", s);
    ar("gap_rows", gap_rows)("gap_columns", gap_columns)("gap_weights", gap_weights);
    ar("sparsity_rows", sparsity_rows)("sparsity_columns", sparsity_columns);
    ar("fusion_rows", fusion_rows)("fusion_columns", fusion_columns)("period", period);
  }
};

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
  Which last() const { return rules_.columns_first ? Which::rows : Which::columns; }
  static Side& side(Pair& pair, Which which);
  static const Side& side(const Pair& pair, Which which);
  const Layout& layout(Which which) const;
  const SideRule& rule(Which which) const;
  bool is_fused(Which which) const;

  void start_component(Context& ctx);
  bool uses_shares() const;
  void make_penalties();  // by name, once their numbers are known
  void resolve_penalties(Context& ctx);
  bool is_nonnegative(Which which) const;
  void orient(Pair& pair) const;
  double start_accuracy() const;
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
  void watch_for_cycle();
  double criterion(const Layer& layer) const;
  void add_factors(const std::vector<Layer>& layers, Model& model) const;
  Matrix lost_without(const std::vector<Layer>& layers, Model& model) const;
  void add_dual_gaps(const std::vector<Layer>& layers, Model& model) const;
  // Finished components, and the present one as far as it has come; without weights those that are
  // not worth their penalties.
  std::vector<Layer> all_layers(Context& ctx) const;
  void leave_out(std::vector<Layer>& layers, Context& ctx) const;
  double overlap(const Layer& a, const Layer& b, Index time, Context& ctx) const;

  Rules rules_;
  ModePenalties penalties_;       // rows, columns
  bool has_percentages_ = false;  // of penalties by name, whose numbers are not known yet
  const Dataset* data_ = nullptr;
  std::vector<PreparedMatrix> residuals_;
  Layout row_layout_, column_layout_;
  std::vector<double> block_squares_;  // ||X_i||^2
  double data_squares_ = 0.0;          // their sum
  double n_cells_ = 0.0;               // observed
  bool is_complete_ = true;
  double residual_squares_ = 0.0;  // sum_i ||R_i||^2
  std::vector<Pair> earlier_;      // starts taken from another run

  std::vector<Layer> layers_;
  Pair now_;
  Side next_first_;  // the first side's step from now_'s last side; the distance is the gap
  bool has_next_ = false;
  Stage stage_ = Stage::start;
  Index n_started_ = 0;  // times that have their leading pair in now_
  Pair complete_;        // as it was after the last whole iteration
  bool has_complete_ = false;
  Layer running_;  // of complete_, as the last step found it
  // Only where cycles are possible:
  Pair best_;
  double best_value_ = 0.0;
  Pair mark_;             // an iterate that later ones are compared with
  Index since_mark_ = 0;  // iterations
  Index window_ = 0;      // after which the mark moves on
  Index period_ = 0;      // of the cycle that was noticed; 0: none
};

}  // namespace gingham::methods::rank_one
