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
    enter(j);
    if (x_[j] > 0.0) std::fill(is_out_of_question_.begin(), is_out_of_question_.end(), 0);
    is_out_of_question_[j] = x_[j] > 0.0 ? 0 : 1;
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

// From x towards the solution with j among the variables; where one falls to 0 first, it leaves and
// the rest goes on from there. If j depends on the others, there is no such solution but a
// direction in which nothing changes but which of them are used: it is followed until one of them
// is not.
void NnlsActiveSet::enter(Index j) {
  append(j);
  for (;;) {
    const std::vector<Index>& variables = factor_.variables();
    const Index n = factor_.size();
    for (Index i = 0; i < n; ++i) target_[i] = rhs_[variables[i]];
    factor_.solve(target_.data());
    if (variables.empty() || variables.back() != j) is_dependent_ = false;
    double step = 1.0;
    Index leaver = first_to_leave(1.0, step);
    if (leaver < 0 && is_dependent_) leaver = first_to_leave(-1.0, step);
    if (leaver < 0) {
      for (Index i = 0; i < n; ++i) x_[variables[i]] = std::max(target_[i], 0.0);
      return;
    }
    for (Index i = 0; i < n; ++i) {
      double& x = x_[variables[i]];
      x = std::max(x + step * (target_[i] - x), 0.0);
    }
    leave(leaver);
  }
}

// The position of the variable that is the first to become 0 on the way from x to the target, or,
// with sign -1, away from it, and the step to there; -1 if there is none.
Index NnlsActiveSet::first_to_leave(double sign, double& step) const {
  Index leaver = -1;
  for (Index i = 0; i < factor_.size(); ++i) {
    const double x = x_[factor_.variables()[i]];
    const double fall = sign * (x - target_[i]);
    if (sign > 0.0 ? target_[i] > 0.0 : !(fall > 0.0)) continue;
    const double reach = x > 0.0 ? x / fall : 0.0;
    if (leaver >= 0 && !(reach < std::abs(step))) continue;
    leaver = i;
    step = sign * reach;
  }
  return leaver;
}

void NnlsActiveSet::append(Index j) {
  is_dependent_ = !factor_.append(gram_, j);
  if (is_dependent_) factor_.append_always(gram_, j);
}

void NnlsActiveSet::leave(Index position) {
  const std::vector<Index>& variables = factor_.variables();
  x_[variables[position]] = 0.0;
  again_.assign(variables.begin() + position + 1, variables.end());
  factor_.truncate(position);
  for (const Index j : again_) append(j);
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
