#include "gingham/penalties/members/smooth.hpp"

namespace gingham {
namespace {

// diag(h) + 2 weight D'D over the entries that are not held at 0, in units of its largest entry.
class Chain {
 public:
  Chain(ConstVec b, Curvature h, double weight) : n_(b.size()), h_(n_), b_(b.begin(), b.end()) {
    const double unit = std::max(h.largest(n_), 2.0 * weight);
    unit_ = unit > 0.0 ? unit : 1.0;
    for (std::size_t j = 0; j < n_; ++j) h_[j] = h[j] / unit_;
    tie_ = 2.0 * weight / unit_;
    ratio_.resize(n_);
  }

  // z <- the solution over the entries with is_free, 0 elsewhere. Runs of entries that are tied to
  // no entry at 0 and of which none was observed are 0.
  void solve(const std::vector<std::uint8_t>& is_free, Vec z) {
    for (std::size_t begin = 0; begin < n_;) {
      if (is_free[begin] == 0) {
        z[begin++] = 0.0;
        continue;
      }
      std::size_t end = begin;
      while (end < n_ && is_free[end] != 0) ++end;
      solve_run(begin, end, z);
      begin = end;
    }
  }

  // What pulls entry j upwards: b_j less the matrix times z.
  double pull(std::size_t j, ConstVec z) const {
    double sum = b_[j] / unit_ - h_[j] * z[j];
    if (j > 0) sum += tie_ * (z[j - 1] - z[j]);
    if (j + 1 < n_) sum += tie_ * (z[j + 1] - z[j]);
    return sum;
  }

 private:
  // Elimination from the left. The pivots are kept as h + tie times a share of at most 1, so that
  // nothing cancels: with p_j = pivot_j - tie (towards the right), p_j = h_j + tie p_j-1 / (p_j-1 +
  // tie).
  void solve_run(std::size_t begin, std::size_t end, Vec z) {
    double beyond = begin > 0 ? tie_ : 0.0;  // the entry before is held at 0
    double carried = 0.0;
    for (std::size_t j = begin; j < end; ++j) {
      const double rest = h_[j] + beyond;
      const bool is_last = j + 1 == end;
      const double right = j + 1 < n_ ? tie_ : 0.0;
      const double pivot = rest + right;
      const double own = b_[j] / unit_ + carried;
      if (!(pivot > 0.0)) {  // nothing known of it
        ratio_[j] = 0.0;
        z[j] = 0.0;
        beyond = carried = 0.0;
        continue;
      }
      z[j] = own / pivot;
      ratio_[j] = is_last ? 0.0 : right / pivot;
      carried = is_last ? 0.0 : ratio_[j] * own;
      beyond = is_last ? 0.0 : ratio_[j] * rest;
    }
    for (std::size_t j = end - 1; j > begin; --j) z[j - 1] += ratio_[j - 1] * z[j];
  }

  std::size_t n_;
  std::vector<double> h_, b_, ratio_;
  double tie_ = 0.0, unit_ = 1.0;
};

constexpr double kRounding = 1e-14;
constexpr int kPatience = 10;  // changes of the sets without progress before entries are only added

// argmin over z >= 0.
void solve_nonneg(Chain& chain, Vec z) {
  const std::size_t n = z.size();
  std::vector<std::uint8_t> is_free(n, 1);
  std::size_t fewest = n + 1;
  int patience = kPatience;
  bool only_adds = false;
  for (;;) {
    chain.solve(is_free, z);
    double largest = 0.0;
    for (const double x : z) largest = std::max(largest, std::abs(x));
    std::size_t wrong = 0;
    std::vector<std::uint8_t> next = is_free;
    for (std::size_t j = 0; j < n; ++j) {
      if (is_free[j] != 0 && z[j] < 0.0) {
        // With entries only added the solution is at least 0 but for rounding.
        if (!only_adds) {
          next[j] = 0;
          ++wrong;
        }
      } else if (is_free[j] == 0 && chain.pull(j, z) > kRounding * largest) {
        next[j] = 1;
        ++wrong;
      }
    }
    if (wrong == 0) break;
    if (wrong < fewest) {
      fewest = wrong;
      patience = kPatience;
    } else if (!only_adds && --patience == 0) {
      only_adds = true;
      next.assign(n, 0);
    }
    is_free = std::move(next);
  }
  for (double& x : z) x = std::max(x, 0.0);
}

}  // namespace

double Smooth::value(ConstVec z, Curvature h) const {
  double squares = 0.0;
  for (std::size_t j = 0; j + 1 < z.size(); ++j) squares += (z[j + 1] - z[j]) * (z[j + 1] - z[j]);
  return weight_ * squares + entry_.value(z, h);
}

void Smooth::minimise(ConstVec b, Curvature h, Vec z) const {
  require_problem(b, h, z);
  std::vector<double> pulled(b.size());
  for (std::size_t j = 0; j < b.size(); ++j) pulled[j] = entry_.lowered(b[j], h[j]);
  Chain chain(pulled, h, weight_);
  if (entry_.is_nonnegative()) {
    solve_nonneg(chain, z);
  } else {
    chain.solve(std::vector<std::uint8_t>(z.size(), 1), z);
  }
  // b was divided by the unit inside, so that z is in its own units already.
}

}  // namespace gingham
