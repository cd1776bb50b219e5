// What an alternation does at its point: updates, gaps, removal.
#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/alternation/alternation.hpp"
#include "gingham/alternation/in_double.hpp"
#include "gingham/kernels/columns.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::alternation {
namespace {

constexpr double kRounding = 1e-14;  // of |X|^2: objectives that differ by less are the same

}  // namespace

template <class T>
struct Alternation<T>::Surroundings {
  std::vector<Matrix> q;
  InDouble factors;
  std::optional<ItemGrams> grams;
};

template <class T>
template <class Body>
auto Alternation<T>::with_step(Index mode, Index first, const Factor& y, const Added& added,
                               const Whole& whole, const Body& body) const {
  const bool has_cells = !data_->cells(mode).empty();
  static const std::vector<Factor> not_needed;
  Surroundings all{{}, InDouble(has_cells ? factors_ : not_needed), {}};
  FactorPart part{.data = data_,
                  .mode = mode,
                  .weights = weights_,
                  .diagonal = added.diagonal,
                  .cross = added.cross,
                  .first = first};
  part.largest = largest_entry(mode, whole.all);
  if (rules_[static_cast<std::size_t>(mode)].may_wait) {
    for (Index k = 0; k < rank(); ++k)
      part.waits.push_back(weights_[k] * whole.all[0](k, k) * weights_[k] > 0.0 ? 0 : 1);
  }
  for (Matrix q : whole.seen) {
    part.complete(q);
    all.q.push_back(std::move(q));
  }
  part.q = &all.q;
  if (has_cells) {
    part.factors = all.factors.all();
    all.grams.emplace(*data_, mode, part.factors, whole.seen);
    part.grams = &*all.grams;
  }
  static const Support none;
  const Support& support = supports_.empty() ? none : supports_[mode];
  return body(FactorStep<T>{part, sets_[mode], y, support});
}

// An entry that explains as much as there is has the size |X| / sqrt(h). Far beyond that, h the
// largest curvature: the same multiple of the data whatever their unit, as long as the squares of a
// column can be summed.
template <class T>
double Alternation<T>::largest_entry(Index mode, const std::vector<Matrix>& all_cells) const {
  constexpr double kFar = std::is_same_v<T, double> ? 1e60 : 1e12;
  double h = 0.0;
  for (const Matrix& z : all_cells) {
    for (Index k = 0; k < rank(); ++k) h = std::max(h, weights_[k] * z(k, k) * weights_[k]);
  }
  const double n = std::max(static_cast<double>(data_->size(mode)), 1.0);
  const double range = 0.5 * std::sqrt(static_cast<double>(std::numeric_limits<T>::max()) / n);
  const double far = kFar * std::sqrt(data_->squares() / h);
  return far > 0.0 && far < range ? far : range;
}

// At least the largest eigenvalue of every item's Q: for a matrix without negative entries it is at
// most max_i (Q x)_i / x_i, for any x > 0.
template <class T>
double Alternation<T>::lipschitz(const Whole& whole, const FactorPart& part) const {
  constexpr int kSteps = 40;
  constexpr double kLeast = 1e-6;  // of the largest entry of x
  double largest = 0.0;
  for (Matrix q : whole.all) {
    part.complete(q);
    std::vector<double> x(static_cast<std::size_t>(rank()), 1.0), y(x.size());
    double bound = kInfinity;
    for (int step = 0; step < kSteps; ++step) {
      double most = 0.0, length = 0.0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        y[k] = dot(std::as_const(q).row(static_cast<Index>(k)), x);
        most = std::max(most, y[k] / x[k]);
        length = std::max(length, y[k]);
      }
      bound = std::min(bound, most);
      if (!(length > 0.0)) break;
      for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::max(y[k] / length, kLeast);
    }
    largest = std::max(largest, bound);
  }
  return largest;
}

template <class T>
void Alternation<T>::update(Index mode, int passes, const Added& added, Executor& executor) {
  const Factor& y = product(mode, executor);
  const Whole whole = this->whole(mode);
  moved_.back() = 0.0;
  Matrix h;
  with_step(mode, first_, y, added, whole, [&](const FactorStep<T>& step) {
    const bool has_bound = !sets_[mode].sets.empty();
    const double squares =
        whole_factors_
            ? step.solve(has_bound ? lipschitz(whole, step.part) : 0.0, factors_[mode], executor)
            : step.sweep(passes, factors_[mode], h, executor);
    moved_[mode] = std::sqrt(squares);
  });
  for (std::size_t n = 0; n < has_product_.size(); ++n)
    has_product_[n] = static_cast<Index>(n) == mode ? 1 : 0;
  grams_[mode] = grams_of(factors_[mode], mode, executor);
  const std::vector<double> unknown = column_products(y, factors_[mode], first_, executor);
  std::copy(unknown.begin(), unknown.end(), linear_.begin() + first_);
  quadratic_ = h.size() > 0 ? std::move(h) : model_gram(factors_, mode, whole.seen, executor);
}

template <class T>
void Alternation<T>::update_weights(double cap, int passes) {
  double squares = 0.0;
  for (int pass = 0; pass < passes; ++pass) {
    for (Index k = first_; k < rank(); ++k) {
      const double curvature = quadratic_(k, k);
      if (!(curvature > 0.0)) continue;
      const double now = std::clamp(weight_pull(k, rank()) / curvature, 0.0, cap);
      squares += curvature * (now - weights_[k]) * (now - weights_[k]);
      weights_[k] = now;
    }
  }
  moved_.back() = std::sqrt(squares);
}

// c_k less what the other components before n_explaining explain.
template <class T>
double Alternation<T>::weight_pull(Index k, Index n_explaining) const {
  double pull = linear_[k];
  for (Index l = 0; l < n_explaining; ++l) {
    if (l != k) pull -= quadratic_(k, l) * weights_[l];
  }
  return pull;
}

template <class T>
bool Alternation<T>::remove_costly(FunctionRef<Savings()> savings) {
  const double rounding = kRounding * data_->squares();
  double squares = moved_.back() * moved_.back();
  bool is_changed = false;
  const auto take_away = [&](Index k) {
    squares += weights_[k] * weights_[k] * quadratic_(k, k);
    remove(k);
    is_changed = true;
  };
  for (bool goes_on = true; goes_on;) {
    const Savings saved = savings();
    Index costliest = -1;
    double most = rounding;
    for (Index k = first_; k < rank(); ++k) {
      const double gain = weights_[k] == 0.0 ? 0.0 : saved.of_component[k] - 0.5 * lost_without(k);
      if (!(gain > most)) continue;
      most = gain;
      costliest = k;
    }
    goes_on = costliest >= 0;
    if (goes_on) {
      take_away(costliest);
    } else if (first_ == 0 &&
               0.5 * squares_left() + saved.all > 0.5 * data_->squares() + rounding) {
      for (Index k = 0; k < rank(); ++k) take_away(k);
    }
  }
  if (is_changed) moved_.back() = std::sqrt(squares);
  return is_changed;
}

template <class T>
std::vector<double> Alternation<T>::gaps(Index mode, Index from, Beside beside,
                                         const std::vector<std::uint8_t>& members_only,
                                         const Added& added, Executor& executor) {
  Factor own;
  if (from < first_) multiply(factors_, mode, from, own, executor);
  const Factor& y = from < first_ ? own : product(mode, executor);
  return with_step(mode, std::min(from, first_), y, added, whole(mode),
                   [&](const FactorStep<T>& step) {
                     return step.gaps(beside, members_only, factors_[mode], executor);
                   });
}

template <class T>
double Alternation<T>::weights_gap(Index from, Beside beside, double cap) const {
  double largest = 0.0;
  for (Index k = from; k < rank(); ++k) {
    const double curvature = quadratic_(k, k);
    if (!(curvature > 0.0)) continue;
    const double pull = weight_pull(k, beside == Beside::before ? k : rank());
    const double off = weights_[k] - std::clamp(pull / curvature, 0.0, cap);
    largest = std::max(largest, curvature * off * off);
  }
  return largest;
}

template <class T>
void Alternation<T>::for_each_column(Index mode, Beside beside,
                                     FunctionRef<void(Index, ConstVec, Curvature)> visit,
                                     Executor& executor) {
  const Factor& y = product(mode, executor);
  with_step(mode, first_, y, {}, whole(mode), [&](const FactorStep<T>& step) {
    step.for_each_column(beside, factors_[mode], visit, executor);
  });
}

template void Alternation<double>::update(Index, int, const Added&, Executor&);
template void Alternation<double>::update_weights(double, int);
template bool Alternation<double>::remove_costly(FunctionRef<Savings()>);
template std::vector<double> Alternation<double>::gaps(Index, Index, Beside,
                                                       const std::vector<std::uint8_t>&,
                                                       const Added&, Executor&);
template double Alternation<double>::weights_gap(Index, Beside, double) const;
template void Alternation<double>::for_each_column(Index, Beside,
                                                   FunctionRef<void(Index, ConstVec, Curvature)>,
                                                   Executor&);
template void Alternation<float>::update(Index, int, const Added&, Executor&);
template void Alternation<float>::update_weights(double, int);
template bool Alternation<float>::remove_costly(FunctionRef<Savings()>);
template std::vector<double> Alternation<float>::gaps(Index, Index, Beside,
                                                      const std::vector<std::uint8_t>&,
                                                      const Added&, Executor&);
template double Alternation<float>::weights_gap(Index, Beside, double) const;
template void Alternation<float>::for_each_column(Index, Beside,
                                                  FunctionRef<void(Index, ConstVec, Curvature)>,
                                                  Executor&);

}  // namespace gingham::alternation
