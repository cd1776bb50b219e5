// Steps of a dictionary for fixed codes of a batch of samples: down the loss
// 1/2 sum_b |x_b - D z_b|^2, within |d_j| <= 1. Only atoms that the batch uses move.
#pragma once
#include <vector>

#include "gingham/kernels/coding.hpp"

namespace gingham {

// Which samples of a batch use an atom, and how much.
template <class T>
class BatchUse {
 public:
  // `codes`: lists of codes that together are the batch, in order.
  BatchUse(const CodeList<T>* codes, Index n_lists, Index n_atoms);

  Index begin(Index atom) const { return starts_[atom]; }
  Index end(Index atom) const { return starts_[atom + 1]; }
  const std::int32_t* samples() const { return samples_.data(); }
  const T* values() const { return values_.data(); }

 private:
  std::vector<Index> starts_;
  std::vector<std::int32_t> samples_;
  std::vector<T> values_;
};

// Memory of step_in_turn that is used again from batch to batch.
template <class T>
struct StepScratch {
  std::vector<std::vector<T>> residuals;  // of each group
  std::vector<T> atoms;                   // before the step
};

// Every atom the batch uses, in turn: curvature_j += sum_b z_jb^2, d_j moves by
// (1 / curvature_j) sum_b z_jb r_b and back into the ball, r follows. With curvatures of at least 0
// before, no move raises the loss. Atoms are dealt into `n_groups` groups that move side by side
// from the same residuals; should the loss rise by that, all go only 1 / n_groups of their way,
// where convexity keeps it from rising. `residuals`: one padded row per sample. Returns whether the
// whole way was gone. The atoms have to be refreshed afterwards.
template <class T>
bool step_in_turn(Atoms<T>& atoms, const BatchUse<T>& use, const T* residuals, Index n_samples,
                  Index n_groups, std::vector<double>& curvature, StepScratch<T>& scratch,
                  Executor& executor);

// All atoms at once: d_j moves by rate(j) sum_b z_jb r_b and back into the ball. May raise the
// loss.
template <class T>
void step_at_once(Atoms<T>& atoms, const BatchUse<T>& use, const T* residuals,
                  const std::vector<double>& rates, Executor& executor);

// One sample: d_j moves by rates[k] values[k] r for atom j = support[k], all from the same
// residual.
template <class T>
void step_for_one(Atoms<T>& atoms, const std::vector<std::int32_t>& support,
                  const std::vector<T>& values, const T* residual,
                  const std::vector<double>& rates);

}  // namespace gingham
