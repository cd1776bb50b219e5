// Co-clusters of an N-way array: PARAFAC with sparse latent factors.
//
//   min sum over observed cells of (X - sum_k rho_k a_k^(0) o ... o a_k^(N-1))^2
//       + sum_n lambda_n sum_k |a_k^(n)|_1
//   box:   0 <= a <= 1 (-1 with signs),  0 <= rho_k <= rho_max = max X (max |X| with signs)
//   plain: 0 <= a (any a with signs),    rho_k = 1
//
// A run is made of stages, within which the cost never rises (the engine's components): joint fits
// all co-clusters in one stage; deflation one after the other, each on what the earlier ones leave.
// Each fit is followed by a refit on the entries that pruning left, where it took any away.
#pragma once
#include <memory>

#include "gingham/engine/method.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/multilinear/line_search.hpp"
#include "gingham/methods/multilinear/start.hpp"

namespace gingham::methods::tensor {

class Tensor final : public Method {
 public:
  explicit Tensor(const Options& options);

  void settled(Archive& ar) override;
  void begin_from(const Model& earlier) override { earlier_ = earlier; }
  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status status, Context& ctx) override;
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  bool is_joint() const { return options_.text("strategy") == "joint"; }
  bool is_signed() const { return options_.flag("signed"); }
  void make_problem(Context& ctx);
  void leave_to_asked();
  void resolve_percentages(Index first, multilinear::Factors& start, Context& ctx);
  bool needs_plain_fit() const;
  // The penalties that are asked for, with percentages of what these factors say, which get the
  // scale that goes with them.
  void resolve_asked(Index first, multilinear::Factors& start, Context& ctx);
  // The co-cluster after those there are, fitted to what they leave.
  void begin_component(Context& ctx);
  void begin_stage(multilinear::Factors factors, Index first, Context& ctx);
  Index first_empty() const;
  void revive(Index k, Context& ctx);
  // Takes small entries away; whether there were any.
  bool prune(Context& ctx);
  std::vector<std::uint8_t> members_only() const;

  Options options_;
  std::shared_ptr<const Observed> data_;
  std::optional<Model> earlier_;
  multilinear::Factors plain_fit_;  // until the start is made
  multilinear::Given given_;        // co-clusters that are done, one after the other
  bool is_resolved_ = false;        // the problem's numbers are known
  multilinear::Problem problem_;
  UsedValues asked_{"penalty", {}};
  std::vector<double> sparsity_maxima_;  // per mode; empty where nothing was asked in per cent
  double prune_share_ = 0.0;

  multilinear::Solver solver_;
  multilinear::LineSearch line_search_;
  multilinear::Iterate previous_;
  Index next_mode_ = 0;  // of the sweep
  Index n_iterations_ = 0;
  bool is_refit_ = false;
  bool is_between_ = false;     // one co-cluster is done, the next not begun
  bool is_final_ = false;       // every stage is over
  std::vector<double> pruned_;  // per component the share used so far, 0 before
  Index n_revivals_ = 0;
  double last_cost_ = 0.0;  // of this stage; below 0 before its first sweep
  bool has_risen_ = false;
};

}  // namespace gingham::methods::tensor
