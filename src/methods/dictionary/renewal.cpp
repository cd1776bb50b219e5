#include "gingham/methods/dictionary/renewal.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/blas.hpp"
#include "gingham/penalties/norms.hpp"

namespace gingham::methods::dictionary {
namespace {

constexpr double kWorthIt = 2.0;   // gain relative to cost: both are estimates
constexpr Index kMostShare = 128;  // at most one atom in so many at a time, and one
constexpr Index kCandidates = 4;   // residuals to begin a direction from
constexpr Index kRounds = 4;       // of improving directions

// What taking each atom away costs per sample.
template <class T>
std::vector<double> removal_costs(const Atoms<T>& atoms, const std::vector<double>& energy,
                                  Executor& executor) {
  constexpr Index kTile = 32;
  const Index m = atoms.count(), width = atoms.width();
  std::vector<double> costs(static_cast<std::size_t>(m));
  std::vector<T> lengths(static_cast<std::size_t>(m));
  for (Index k = 0; k < m; ++k) lengths[k] = std::sqrt(atoms.square(k));
  executor.map((m + kTile - 1) / kTile, [&](Index tile) {
    const Index first = tile * kTile, n = std::min(kTile, m - first);
    std::vector<T> products(static_cast<std::size_t>(n * width));
    atoms.products(atoms.row(first), n, products.data());
    for (Index j = first; j < first + n; ++j) {
      T* const with = products.data() + (j - first) * width;
      with[j] = 0;
      T nearest = 0;
      for (Index k = 0; k < m; ++k) {
        if (lengths[k] > T{0}) nearest = std::max(nearest, std::abs(with[k]) / lengths[k]);
      }
      const double cosine = lengths[j] > T{0} ? std::min<double>(nearest / lengths[j], 1.0) : 1.0;
      costs[j] = 0.5 * (1.0 - cosine * cosine) * energy[j];
    }
  });
  return costs;
}

// Directions side by side, one per row, improved on all residuals at once.
template <class T>
class Directions {
 public:
  Directions(std::vector<T> residuals, Index stride, double lambda)
      : r_(std::move(residuals)),
        stride_(stride),
        n_(static_cast<Index>(r_.size()) / stride),
        lambda_(static_cast<T>(lambda)) {}

  // The best direction found, and its gain per sample.
  double find() {
    const Index count = start();
    std::vector<double> gains(static_cast<std::size_t>(count), 0.0);
    for (Index round = 0; round < kRounds; ++round) improve(count, gains);
    if (count == 0) return 0.0;
    best_ = std::max_element(gains.begin(), gains.end()) - gains.begin();
    return gains[best_] / static_cast<double>(n_);
  }
  const T* direction() const { return directions_.data() + best_ * stride_; }

  // The residuals once the direction found is in use.
  void take() {
    std::vector<T> z(static_cast<std::size_t>(n_));
    gemm(Op::none, Op::transpose, n_, 1, stride_, T{1}, r_.data(), stride_, direction(), stride_,
         T{0}, z.data(), 1);
    for (T& value : z) value = shrunk(value);
    gemm(Op::none, Op::none, n_, stride_, 1, T{-1}, z.data(), 1, direction(), stride_, T{1},
         r_.data(), stride_);
  }

 private:
  T shrunk(T value) const { return static_cast<T>(norms::soft(value, lambda_)); }
  void to_unit(T* row) const {
    double squares = 0.0;
    for (Index t = 0; t < stride_; ++t) squares += static_cast<double>(row[t]) * row[t];
    const auto factor = static_cast<T>(squares > 0.0 ? 1.0 / std::sqrt(squares) : 0.0);
    for (Index t = 0; t < stride_; ++t) row[t] *= factor;
  }

  // The longest residuals; returns how many.
  Index start() {
    std::vector<std::pair<double, Index>> longest;
    for (Index i = 0; i < n_; ++i) {
      double squares = 0.0;
      for (Index t = 0; t < stride_; ++t)
        squares += static_cast<double>(r_[i * stride_ + t]) * r_[i * stride_ + t];
      if (squares > 0.0) longest.push_back({-squares, i});
    }
    const Index count = std::min<Index>(kCandidates, std::ssize(longest));
    std::partial_sort(longest.begin(), longest.begin() + count, longest.end());
    directions_.assign(static_cast<std::size_t>(count * stride_), T{0});
    for (Index c = 0; c < count; ++c) {
      std::copy_n(r_.data() + longest[c].second * stride_, stride_,
                  directions_.data() + c * stride_);
      to_unit(directions_.data() + c * stride_);
    }
    return count;
  }

  void improve(Index count, std::vector<double>& gains) {
    std::vector<T> z(static_cast<std::size_t>(n_ * count)), next(directions_.size());
    gemm(Op::none, Op::transpose, n_, count, stride_, T{1}, r_.data(), stride_, directions_.data(),
         stride_, T{0}, z.data(), count);
    std::fill(gains.begin(), gains.end(), 0.0);
    for (Index i = 0; i < n_; ++i) {
      for (Index c = 0; c < count; ++c) {
        T& value = z[i * count + c];
        value = shrunk(value);
        gains[c] += 0.5 * static_cast<double>(value) * value;
      }
    }
    gemm(Op::transpose, Op::none, count, stride_, n_, T{1}, z.data(), count, r_.data(), stride_,
         T{0}, next.data(), stride_);
    for (Index c = 0; c < count; ++c) {
      if (!(gains[c] > 0.0)) continue;
      std::copy_n(next.data() + c * stride_, stride_, directions_.data() + c * stride_);
      to_unit(directions_.data() + c * stride_);
    }
  }

  std::vector<T> r_, directions_;
  Index stride_, n_, best_ = 0;
  T lambda_;
};

}  // namespace

template <class T>
std::vector<Index> renew(Atoms<T>& atoms, RenewalBasis<T> basis, Executor& executor) {
  std::vector<Index> replaced;
  const Index m = atoms.count();
  Directions<T> directions(std::move(basis.residuals), atoms.stride(), basis.lambda);
  // Costs as they were: what is new is not replaced again, and an atom whose nearest neighbour went
  // looks cheaper than it is, once at most.
  std::vector<double> costs = removal_costs(atoms, basis.energy, executor);
  for (Index k = 0; k < 1 + m / kMostShare; ++k) {
    const Index worst = std::min_element(costs.begin(), costs.end()) - costs.begin();
    const double gain = directions.find();
    if (!(gain > 0.0) || !(gain > kWorthIt * costs[worst])) break;
    std::copy_n(directions.direction(), atoms.stride(), atoms.row(worst));
    directions.take();
    costs[worst] = HUGE_VAL;
    replaced.push_back(worst);
  }
  atoms.refresh(executor);
  return replaced;
}

template std::vector<Index> renew(Atoms<float>&, RenewalBasis<float>, Executor&);
template std::vector<Index> renew(Atoms<double>&, RenewalBasis<double>, Executor&);

}  // namespace gingham::methods::dictionary
