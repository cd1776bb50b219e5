#include "gingham/kernels/nnls_active_set.hpp"

#include <algorithm>
#include <cmath>

namespace gingham {
namespace {

constexpr Index kEntriesPerVariable = 10;  // far more than are ever needed
constexpr int kMaxSweeps = 1000;

}  // namespace

NnlsActiveSet::NnlsActiveSet(Index k)
    : k_(k),
      factor_(k),
      gradient_(static_cast<std::size_t>(k)),
      target_(static_cast<std::size_t>(k)),
      is_out_of_question_(static_cast<std::size_t>(k)) {
  again_.reserve(static_cast<std::size_t>(k));
}

void NnlsActiveSet::solve(const double* gram, const double* rhs, double* x) {
  gram_ = gram;
  rhs_ = rhs;
  x_ = x;
  std::fill_n(x_, k_, 0.0);
  factor_.truncate(0);
  std::fill(is_out_of_question_.begin(), is_out_of_question_.end(), 0);
  find_gradient();
  for (Index entry = 0; entry < kEntriesPerVariable * (k_ + 1); ++entry) {
    const Index j = most_wanted();
    if (j < 0) break;
    if (!enter(j)) {
      is_out_of_question_[j] = 1;
      continue;
    }
    std::fill(is_out_of_question_.begin(), is_out_of_question_.end(), 0);
    walk_to_solution();
    find_gradient();
  }
  for (int sweep = 0; sweep < kMaxSweeps && descend(); ++sweep) find_gradient();
}

void NnlsActiveSet::find_gradient() {
  size_ = 0.0;
  for (Index j = 0; j < k_; ++j) gradient_[j] = -rhs_[j];
  for (Index l = 0; l < k_; ++l) {
    if (x_[l] == 0.0) continue;
    const double* row = gram_ + l * k_;
    size_ += std::sqrt(row[l]) * x_[l];
    for (Index j = 0; j < k_; ++j) gradient_[j] += x_[l] * row[j];
  }
}

double NnlsActiveSet::tolerance(Index j) const {
  return nnls_unit(k_) * (std::abs(rhs_[j]) + std::sqrt(gram_[j * k_ + j]) * size_);
}

Index NnlsActiveSet::most_wanted() const {
  Index found = -1;
  double most = 0.0;
  for (Index j = 0; j < k_; ++j) {
    const double diagonal = gram_[j * k_ + j];
    if (x_[j] > 0.0 || is_out_of_question_[j] != 0 || !(diagonal > 0.0)) continue;
    if (!(gradient_[j] < -tolerance(j))) continue;
    const double gain = -gradient_[j] / std::sqrt(diagonal);
    if (gain > most) {
      most = gain;
      found = j;
    }
  }
  return found;
}

// True when j grows from 0 and is in the factor.
bool NnlsActiveSet::enter(Index j) {
  factor_.append_always(gram_, j);
  const std::vector<Index>& variables = factor_.variables();
  for (Index i = 0; i < factor_.size(); ++i) target_[i] = rhs_[variables[i]];
  factor_.solve(target_.data());
  if (target_[factor_.size() - 1] > 0.0) return true;
  factor_.truncate(factor_.size() - 1);
  return false;
}

// From x towards the solution of the variables in the factor; where one falls to 0 first, it leaves
// and the rest goes on from there. The first target has been found by enter().
void NnlsActiveSet::walk_to_solution() {
  for (;;) {
    const std::vector<Index>& variables = factor_.variables();
    Index blocking = -1;
    double step = 1.0;
    for (Index i = 0; i < factor_.size(); ++i) {
      const double x = x_[variables[i]];
      if (target_[i] > 0.0) continue;
      const double reach = x / (x - target_[i]);
      if (blocking < 0 || reach < step) {
        blocking = i;
        step = x > 0.0 ? reach : 0.0;
      }
    }
    if (blocking < 0) {
      for (Index i = 0; i < factor_.size(); ++i) x_[variables[i]] = target_[i];
      return;
    }
    for (Index i = 0; i < factor_.size(); ++i) {
      double& x = x_[variables[i]];
      x = std::max(x + step * (target_[i] - x), 0.0);
    }
    x_[variables[blocking]] = 0.0;
    leave(blocking);
    for (Index i = 0; i < factor_.size(); ++i) target_[i] = rhs_[factor_.variables()[i]];
    factor_.solve(target_.data());
  }
}

void NnlsActiveSet::leave(Index position) {
  const std::vector<Index>& variables = factor_.variables();
  again_.assign(variables.begin() + position + 1, variables.end());
  factor_.truncate(position);
  for (const Index j : again_) factor_.append_always(gram_, j);
}

bool NnlsActiveSet::descend() {
  bool has_moved = false;
  for (Index j = 0; j < k_; ++j) {
    const double* row = gram_ + j * k_;
    if (!(row[j] > 0.0)) continue;
    const double excess = x_[j] > 0.0 ? std::abs(gradient_[j]) : -gradient_[j];
    if (!(excess > tolerance(j))) continue;
    const double next = std::max(x_[j] - gradient_[j] / row[j], 0.0);
    const double move = next - x_[j];
    if (move == 0.0) continue;
    has_moved = true;
    x_[j] = next;
    for (Index l = 0; l < k_; ++l) gradient_[l] += move * row[l];
  }
  return has_moved;
}

}  // namespace gingham
