// Stochastic coordinate coding: codes by a few passes of coordinate descent, then a step of the
// atoms they use, batch after batch.
#pragma once
#include "gingham/kernels/dictionary_step.hpp"
#include "gingham/methods/sparse_coding/learner.hpp"
#include "gingham/methods/sparse_coding/lender.hpp"

namespace gingham::methods::dictionary {

// How far an atom moves along its gradient.
struct LearningRate {
  enum class Kind {
    adaptive,  // 1 / (sum of its squared codes), a sum that fades; never raises a batch's loss
    paper,     // the same sum, never fading, all atoms at once: to the letter
    natural,   // a / (t + b) after t samples
  };
  Kind kind = Kind::adaptive;
  std::optional<double> fading = std::nullopt;  // of adaptive: what is left of the sum each time
  double a = 1.0, b = 1.0;
};
// "adaptive", "adaptive:d", "paper" or "natural:a,b"; throws Error{usage}.
LearningRate parse_rate(const std::string& text);

// --batch, or what suits so many samples.
Index batch_of(const Options& options, Index n_samples);

template <class T>
class Dictionary final : public sparse_coding::Learner<T> {
 public:
  explicit Dictionary(const Options& options);

 private:
  using Batch = sparse_coding::Batch<T>;
  void attach(const Dataset& data, Context& ctx) override;
  CodingSums learn(Batch& batch, Context& ctx) override;
  CodingSums code(Batch& batch, Context& ctx) override;
  CodingSums learn_one_by_one(Batch& batch, Context& ctx);
  CodingSums learn_together(Batch& batch, Context& ctx);
  void fade(const Batch& batch);
  void begin_epoch(Index epoch, Context& ctx) override;
  void remember(const Batch& batch);
  bool renews_before(Index epoch) const;  // every one but the first and the last
  void move_for(const std::vector<std::int32_t>& support, const std::vector<T>& values,
                const T* residual, double n_before);
  CodingRules<T> rules() const;
  // Single samples come a few at a time, so that a step is worth its while.
  Index at_once() const override { return batch_ > 1 ? batch_ : 256; }
  void own_state(Archive& ar) override;
  void begin_learning() override;

  LearningRate rate_;
  sparse_coding::Lender<TileCoder<T>> coders_;
  StepScratch<T> scratch_;
  Index n_samples_ = 0, batch_ = 1;
  std::vector<double> curvature_;  // per atom: sum of squared codes, as far as it has not faded
  Index n_faded_ = 0;
  // For renewal: residuals from the end of the epoch, sums of squared codes over all of it.
  std::vector<T> residuals_;
  std::vector<double> energy_;
  Index n_coded_ = 0;
  Index renewed_at_ = 0;  // the epoch before which atoms were looked at last
};

}  // namespace gingham::methods::dictionary
