// Online dictionary learning: exact sparse codes of a batch, then every atom in turn becomes the
// best for all samples seen so far, as far as the sums over their codes remember them.
#pragma once
#include "gingham/methods/online_dictionary/statistics.hpp"
#include "gingham/methods/sparse_coding/learner.hpp"

namespace gingham::methods::online_dictionary {

// What is left of the sums when batch t = 1, 2, ... of `batch` samples comes: (theta + 1 - batch) /
// (theta + 1), theta = t batch for t < batch and batch^2 + t - batch from there on.
double weight_of_past(Index t, Index batch);

class OnlineDictionary final : public sparse_coding::Learner<double> {
 public:
  explicit OnlineDictionary(const Options& options);

 private:
  using Batch = sparse_coding::Batch<double>;
  CodingSums learn(Batch& batch, Context& ctx) override;
  CodingSums code(Batch& batch, Context& ctx) override;
  Index at_once() const override { return batch_; }
  void own_state(Archive& ar) override;
  void begin_learning() override;

  Index batch_;
  double tolerance_;
  Statistics seen_;
  Index n_batches_ = 0;
};

}  // namespace gingham::methods::online_dictionary
