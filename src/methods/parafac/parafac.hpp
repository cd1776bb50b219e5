// Non-negative PARAFAC: least squares with factors of at least 0 and nothing else.
//
//   min sum over observed cells of (X - sum_k w_k a_k^(0) o ... o a_k^(N-1))^2,  a >= 0, |a_k| = 1
//
// Alternating non-negative least squares by coordinate descent (HALS) on multilinear/solver.hpp;
// one step is one mode. Columns get unit length, and the weights w their product, in the model.
#pragma once
#include <memory>

#include "gingham/engine/method.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/multilinear/line_search.hpp"

namespace gingham::methods::parafac {

class Parafac final : public Method {
 public:
  explicit Parafac(const Options& options) : options_(options) {}

  void settled(Archive& ar) override { ar("asked", asked_); }
  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status status, Context& ctx) override;
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  // The penalties that are asked for, with these numbers.
  void take_asked();

  Options options_;
  std::shared_ptr<const Observed> data_;
  multilinear::Problem problem_;
  UsedValues asked_{"penalty", {}};
  multilinear::Solver solver_;
  Index next_mode_ = 0;
  Index n_iterations_ = 0;
};

}  // namespace gingham::methods::parafac
