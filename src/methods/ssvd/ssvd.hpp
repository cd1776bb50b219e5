// Sparse singular value decomposition (Lee, Shen, Huang, Marron 2010): one sparse rank-one term at
// a time.
//
//   F = 0.5 || R - s u v^T ||_F^2 + alpha_r sum_i w_i |s u_i| + alpha_c sum_j w_j |s v_j|,  ||u|| =
//   ||v|| = 1
//
// R (m x n) is the data less the terms found before, at their levels u^T R v. One iteration: v from
// z = R^T u, then u from z = R v, each by sparse_step.hpp; two passes over the data. With u and v
// given, F is least at s = [G]_+, G = u^T R v - alpha_r sum w_i |u_i| - alpha_c sum w_j |v_j|, and
// then F = 0.5 ||R||^2 - 0.5 s^2. With fixed alphas and g = 0 both half steps raise G, so F never
// rises. With BIC or g > 0 each step has a criterion of its own and the iterates may cycle; then
// the state of the cycle with the least
//   mn log(RSS / mn) + (nnz u + nnz v) log(mn)
// is kept.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "gingham/engine/method.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/kernels/deflated.hpp"
#include "gingham/methods/ssvd/sparse_step.hpp"

namespace gingham::methods::ssvd {

// A factor of the present component: its unit vector, and what shortened it.
struct Side {
  std::vector<double> unit;      // u or v; all zero when the component is empty
  std::vector<double> estimate;  // z, from which it was made: the adaptive weights
  Threshold threshold;

  template <class Archive>
  void state(Archive& ar) {
    ar("unit", unit)("estimate", estimate)("threshold", threshold);
  }
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
  double level = 0.0;  // u^T R v
  double s = 0.0;      // [G]_+
  double gap_rows = 0.0, gap_columns = 0.0;
  double penalty_rows = 0.0, penalty_columns = 0.0;  // at s
  Index period = 0;                                  // of the cycle it ended in; 0: none

  template <class Archive>
  void state(Archive& ar) {
    ar("pair", pair)("level", level)("s", s)("gap_rows", gap_rows)("gap_columns", gap_columns);
    ar("penalty_rows", penalty_rows)("penalty_columns", penalty_columns)("period", period);
  }
};

class Ssvd final : public Method {
 public:
  explicit Ssvd(const Options& options);

  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status status, Context& ctx) override;
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  void start_component(Context& ctx);
  // The factor made from its estimate z. `before` is the same factor's last value: a share of the
  // maximum keeps the threshold of the component's first step.
  Side side_step(std::vector<double> z, const PenaltyValue& rule, const Side& before,
                 ConstVec other, bool z_is_rows, Context& ctx) const;
  Side columns_from(const Side& rows, const Side& before, Context& ctx) const;
  Side rows_from(const Side& columns, const Side& before, Context& ctx) const;
  // Level, s, penalties of a pair, given z = R^T u.
  Layer layer_of(const Pair& pair, ConstVec z_columns) const;
  // The same with the gaps of both sides measured: two passes over the data.
  Layer measured(const Pair& pair, Context& ctx) const;
  Index find_cycle() const;
  Pair best_of_cycle(Context& ctx) const;
  bool may_cycle() const;
  // Finished components, and the present one as far as it has come.
  std::vector<Layer> all_layers(Context& ctx) const;

  PenaltyValue row_rule_, column_rule_;
  double exponent_;
  Index n_components_;

  const Block* block_ = nullptr;
  std::unique_ptr<Deflated> residual_;
  double data_squares_ = 0.0;      // ||X||^2
  double residual_squares_ = 0.0;  // ||R||^2

  std::vector<Layer> layers_;
  Pair now_;
  Side next_columns_;  // the column step from now_.rows; the distance to now_.columns is the gap
  bool has_next_ = false;
  bool needs_start_ = true;  // the component has no start yet
  bool at_columns_ = true;   // which half step comes next
  Pair complete_;            // as it was after the last whole iteration
  bool has_complete_ = false;
  std::vector<Pair> history_;  // the last iterates, oldest first; only where cycles are possible
  Index period_ = 0;           // of the cycle that was noticed; 0: none
};

}  // namespace gingham::methods::ssvd
