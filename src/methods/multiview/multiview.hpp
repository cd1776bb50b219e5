// One grouping of subjects, with its features in every view.
//
//   min sum_k w_k sum_i rho_i |x_i^k - sum_c omega_ic u_ic^k v_c^k|^2,
//   |omega_c|_0 <= s_c, |v_c^k|_0 <= s_k,   rho_i = sum_k w_k / sum of w_k over the views that saw
//   i
//
// Co-clusters are found one after the other, on the rows that are left (exclude) or on what the
// earlier ones leave (deflate); each begins with some starts, the best of which goes on. Where they
// are to cover all rows a last stage refines them together, then tries to swap one for a new one.
#pragma once
#include "gingham/engine/method.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/multiview/cocluster.hpp"

namespace gingham::methods::multiview {

class Multiview final : public Method {
 public:
  explicit Multiview(const Options& options) : options_(options) {}

  static Derived derive(const Dataset& data, const Options& options, Context& ctx);
  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status status, Context& ctx) override;
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  struct Shared;
  bool is_exact() const { return options_.text("solver") == "exact"; }
  bool excludes() const { return options_.text("next") == "exclude"; }
  bool refines() const;
  Index n_rows() const { return views_.front().rows(); }
  Limits next_limits(std::size_t c) const;  // after the first c co-clusters
  void try_start(Context& ctx);
  void begin_palm(const Fitter& fitter, const Limits& limits, CoCluster& c);
  void iterate();
  void refine_step();
  void swap_step(Context& ctx);
  double loss() const;  // from residuals
  std::vector<NamedValue> no_gaps() const;
  // Gaps become at least how far these steps were from changing nothing.
  void widen_by_rows(const Explained& gained, double exchanged,
                     std::vector<NamedValue>& gaps) const;
  void widen_by_columns(const Step& step, std::vector<NamedValue>& gaps) const;
  // Rows and columns as they are against the best ones with the rest fixed. With palm those that
  // are in stay unless others explain more than gamma^2 times as much: the fixed points of its
  // steps.
  void add_gaps(std::size_t c, std::vector<NamedValue>& gaps);
  void add_refined_gaps(std::vector<NamedValue>& gaps) const;
  // Products see what the first n co-clusters leave.
  void leave(std::size_t n, std::vector<View>& views) const;
  // Of each co-cluster's rows; 0 where it has none.
  std::vector<double> least_gains() const;
  // What co-cluster c explains of each of several views.
  std::vector<double> shares_of_views(const Explained& lost) const;
  Explained lost_without(std::size_t c) const;
  std::vector<std::string> notes() const;

  Options options_;
  std::vector<View> views_;
  std::vector<double> row_weights_;  // sqrt(rho)
  double total_ = 0.0;               // of the loss without co-clusters

  std::vector<Index> columns_;
  std::vector<CoCluster> found_;  // the last one is being worked on
  std::vector<Limits> limits_;
  std::vector<Explained> explained_;
  std::vector<NamedValue> gaps_;            // of the last iteration
  std::vector<std::vector<double>> begin_;  // v of a start that palm has not taken up yet
  Index n_tries_ = 0;   // starts of the last one that were tried; all of them: it iterates
  double score_ = 0.0;  // of the best of them
  bool is_refining_ = false;
  Index n_swaps_tried_ = 0;
  Index n_swaps_left_ = 0;  // without success in a row
  bool has_risen_ = false;  // the loss, beyond rounding: must not be
};

}  // namespace gingham::methods::multiview
