#include "gingham/kernels/lasso_working_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gingham::lasso {
namespace {

constexpr Index kFirstCapacity = 128;
constexpr Index kRoom = 96;         // beyond the largest support: atoms that are tried
constexpr Index kMostAtoms = 2048;  // two matrices of this size are 64 MB
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double sign(double value) { return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0; }

}  // namespace

Index support_limit(Index atoms, Index dimension) {
  return std::min({atoms, dimension + kRoom / 2, kMostAtoms - kRoom});
}
Index working_set_limit(Index atoms, Index dimension) {
  return std::min(atoms, support_limit(atoms, dimension) + kRoom);
}

WorkingSet::WorkingSet(const Atoms<double>& atoms)
    : all_(atoms),
      limit_(working_set_limit(atoms.count(), atoms.length())),
      support_limit_(support_limit(atoms.count(), atoms.length())),
      capacity_(std::min(limit_, kFirstCapacity)),
      is_in_(static_cast<std::size_t>(atoms.count())),
      gram_(static_cast<std::size_t>(capacity_ * capacity_)),
      residual_(static_cast<std::size_t>(atoms.stride())),
      factor_(capacity_),
      is_listed_(static_cast<std::size_t>(capacity_)) {}

void WorkingSet::begin(const double* sample, double lambda) {
  for (const Index atom : atoms_) is_in_[atom] = 0;
  atoms_.clear();
  values_.clear();
  pulls_.clear();
  correlations_.clear();
  forget();
  reach_ = std::min(limit_, kFirstCapacity);
  sample_ = sample;
  lambda_ = lambda;
  std::copy_n(sample, all_.stride(), residual_.data());
}

bool WorkingSet::add(Index atom, double value, double correlation) {
  if (size() == limit_) compress();
  if (size() == limit_) return false;
  if (size() == reach_) grow();
  const Index position = size();
  std::fill_n(gram_.data() + position * capacity_, position, kUnknown);
  is_in_[atom] = 1;
  atoms_.push_back(atom);
  values_.push_back(value);
  pulls_.push_back(kUnknown);
  correlations_.push_back(correlation);
  return true;
}

// What is known of the products goes: it would have to move.
void WorkingSet::compress() {
  Index kept = 0;
  for (Index i = 0; i < size(); ++i) {
    if (values_[i] == 0.0) {
      is_in_[atoms_[i]] = 0;
      continue;
    }
    atoms_[kept] = atoms_[i];
    values_[kept] = values_[i];
    pulls_[kept] = pulls_[i];
    correlations_[kept++] = correlations_[i];
  }
  atoms_.resize(static_cast<std::size_t>(kept));
  values_.resize(static_cast<std::size_t>(kept));
  pulls_.resize(static_cast<std::size_t>(kept));
  correlations_.resize(static_cast<std::size_t>(kept));
  forget();
}

void WorkingSet::forget() {
  for (Index i = 0; i < size(); ++i) std::fill_n(gram_.data() + i * capacity_, i, kUnknown);
  support_.clear();
  factor_.truncate(0);
}

// What is known goes even where an earlier problem has left enough memory: the bits of a result do
// not depend on it.
void WorkingSet::grow() {
  reach_ = std::min(limit_, 2 * reach_);
  if (reach_ > capacity_) {
    capacity_ = reach_;
    gram_.resize(static_cast<std::size_t>(capacity_ * capacity_));
    factor_ = NnlsFactor(capacity_);
    is_listed_.resize(static_cast<std::size_t>(capacity_));
  }
  forget();
}

// Those that are in the factor first, in its order.
void WorkingSet::collect_support() {
  drop_zeros();
  for (const Index i : support_) is_listed_[i] = 1;
  for (Index i = 0; i < size(); ++i) {
    if (values_[i] != 0.0 && is_listed_[i] == 0) support_.push_back(i);
  }
  for (const Index i : support_) is_listed_[i] = 0;
}

void WorkingSet::admit() {
  visited_.clear();
  for (Index i = 0; i < size(); ++i) {
    if (values_[i] == 0.0 && std::fabs(correlations_[i]) > lambda_) visited_.push_back(i);
  }
  const auto n_support = size() - std::count(values_.begin(), values_.end(), 0.0);
  list_all(visited_);
  const Index n = std::ssize(visited_);
  descend(all_, listed_.data(), n, lambda_, support_limit_ - n_support, scratch_.data(),
          residual_.data());
  for (Index i = 0; i < n; ++i) values_[visited_[i]] = scratch_[i];
}

void WorkingSet::descend_support(Index least, Index most) {
  collect_support();
  list_all(support_);
  const Index n = std::ssize(support_);
  for (Index pass = 0; pass < most; ++pass) {
    before_ = scratch_;
    descend(all_, listed_.data(), n, lambda_, n, scratch_.data(), residual_.data());
    bool is_settled = pass + 1 >= least;
    for (Index i = 0; i < n && is_settled; ++i)
      is_settled = sign(before_[i]) == sign(scratch_[i]) || before_[i] == scratch_[i];
    if (is_settled) break;
  }
  for (Index i = 0; i < n; ++i) values_[support_[i]] = scratch_[i];
}

void WorkingSet::list_all(const std::vector<Index>& positions) {
  listed_.clear();
  scratch_.clear();
  for (const Index i : positions) {
    listed_.push_back(atoms_[i]);
    scratch_.push_back(values_[i]);
  }
}

void WorkingSet::refresh() {
  collect_support();
  std::copy_n(sample_, all_.stride(), residual_.data());
  list_all(support_);
  subtract(all_, listed_.data(), scratch_.data(), std::ssize(listed_), residual_.data());
}

void WorkingSet::know_gram(Index position) {
  const double* atom = all_.row(atoms_[position]);
  double* row = gram_.data() + position * capacity_;
  unknown_.clear();
  listed_.clear();
  for (const Index other : factor_.variables()) {
    // What is known stands below the diagonal.
    const double known = other < position ? row[other] : gram_[other * capacity_ + position];
    row[other] = known;
    if (!std::isnan(known)) continue;
    unknown_.push_back(other);
    listed_.push_back(atoms_[other]);
  }
  scratch_.resize(listed_.size());
  listed_dots(all_, listed_.data(), std::ssize(listed_), atom, scratch_.data());
  for (std::size_t i = 0; i < unknown_.size(); ++i)
    row[unknown_[i]] = gram_[unknown_[i] * capacity_ + position] = scratch_[i];
  row[position] = all_.square(atoms_[position]);
  if (std::isnan(pulls_[position])) pulls_[position] = dot(atom, sample_, all_.stride());
}

// Adds what is not in the factor yet.
void WorkingSet::factor_support() {
  const double share = nnls_unit(all_.stride());
  while (factor_.size() < std::ssize(support_)) {
    const Index position = support_[factor_.size()];
    know_gram(position);
    if (!factor_.append(gram_.data(), position, share)) leave_dependent();
  }
}

// The first atom of the support that is not in the factor is a combination of those that are: the
// coefficients move along it, which leaves the residual, in the direction in which |z|_1 does not
// grow, until one of them is 0.
void WorkingSet::leave_dependent() {
  const Index n = factor_.size();
  const Index position = support_[n];
  direction_.assign(support_.size(), 0.0);
  for (Index i = 0; i < n; ++i) direction_[i] = -gram_[position * capacity_ + support_[i]];
  factor_.solve(direction_.data());
  direction_[n] = 1.0;
  double slope = 0.0;
  for (Index i = 0; i <= n; ++i) slope += sign(values_[support_[i]]) * direction_[i];
  if (slope > 0.0) {
    for (double& value : direction_) value = -value;
  }
  double length = std::numeric_limits<double>::infinity();
  for (Index i = 0; i <= n; ++i) {
    const double value = values_[support_[i]];
    if (value * direction_[i] < 0.0) length = std::min(length, -value / direction_[i]);
  }
  step(length);
}

// values += length * direction over the support; what arrives at 0 or passes it leaves.
void WorkingSet::step(double length) {
  for (Index i = 0; i < std::ssize(support_); ++i) {
    double& value = values_[support_[i]];
    const double d = direction_[i];
    if (d == 0.0) continue;
    const bool arrives = value * d < 0.0 && -value / d <= length;
    const double fresh = value + length * d;
    value = arrives || fresh * value <= 0.0 ? 0.0 : fresh;
  }
  drop_zeros();
}

void WorkingSet::drop_zeros() {
  Index kept = 0, intact = factor_.size();
  for (Index i = 0; i < std::ssize(support_); ++i) {
    if (values_[support_[i]] == 0.0) {
      intact = std::min(intact, i);
    } else {
      support_[kept++] = support_[i];
    }
  }
  support_.resize(static_cast<std::size_t>(kept));
  factor_.truncate(intact);
}

// Goes to the optimum for these signs, or to where the first sign would change; true in the first
// case.
bool WorkingSet::reach_target() {
  const std::size_t n = support_.size();
  direction_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    direction_[i] = pulls_[support_[i]] - lambda_ * sign(values_[support_[i]]);
  factor_.solve(direction_.data());
  double length = 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double value = values_[support_[i]], target = direction_[i];
    if (value * target <= 0.0) length = std::min(length, value / (value - target));
  }
  if (length == 1.0) {
    for (std::size_t i = 0; i < n; ++i) values_[support_[i]] = direction_[i];
    return true;
  }
  for (std::size_t i = 0; i < n; ++i) direction_[i] -= values_[support_[i]];
  step(length);
  return false;
}

void WorkingSet::solve_signs() {
  collect_support();
  do {
    factor_support();
  } while (!reach_target());
  refresh();
}

double WorkingSet::largest_correlation() {
  listed_dots(all_, atoms_.data(), size(), residual_.data(), correlations_.data());
  double largest = 0.0;
  for (const double value : correlations_) largest = std::max(largest, std::fabs(value));
  return largest;
}

double WorkingSet::l1() const {
  double sum = 0.0;
  for (const double value : values_) sum += std::fabs(value);
  return sum;
}

}  // namespace gingham::lasso
