#include "gingham/methods/nonnegative/panel.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/lanes.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::nonnegative {
namespace {

using V = lanes::Wide<double>;
using lanes::wide;
constexpr Index kW = lanes::kWide<double>;
constexpr Index kTogether = 4;  // components whose pulls are taken side by side
// A curvature below this share of what it is a difference of is rounding.
constexpr double kRounding = 1e-13;

// pull[b][i] = y[first + b][i] - sum over l outside [first, first + N) of q_l,first+b f[l][i]
template <int N>
GINGHAM_INLINE void pull_lines(const double* q, Index rank, Index first, const double* f,
                               const double* y, Index stride, Index begin, Index end,
                               double* pull) {
  Index i = begin;
  for (; i + kW <= end; i += kW) {
    V sums[N];
    GINGHAM_UNROLL
    for (int b = 0; b < N; ++b) sums[b] = wide(y + (first + b) * stride + i);
    for (Index l = 0; l < rank; ++l) {
      if (l == first) {
        l += N - 1;
        continue;
      }
      const V value = wide(f + l * stride + i);
      GINGHAM_UNROLL
      for (int b = 0; b < N; ++b) sums[b] -= value * q[l * rank + first + b];
    }
    GINGHAM_UNROLL
    for (int b = 0; b < N; ++b) wide(pull + b * stride + i) = sums[b];
  }
  for (; i < end; ++i) {
    for (int b = 0; b < N; ++b) {
      double sum = y[(first + b) * stride + i];
      for (Index l = 0; l < rank; ++l) {
        if (l < first || l >= first + N) sum -= f[l * stride + i] * q[l * rank + first + b];
      }
      pull[b * stride + i] = sum;
    }
  }
}

GINGHAM_MULTIARCH void pull_some(const double* q, Index rank, Index first, Index n, const double* f,
                                 const double* y, Index stride, Index begin, Index end,
                                 double* pull) {
  switch (n) {
    case 1:
      return pull_lines<1>(q, rank, first, f, y, stride, begin, end, pull);
    case 2:
      return pull_lines<2>(q, rank, first, f, y, stride, begin, end, pull);
    case 3:
      return pull_lines<3>(q, rank, first, f, y, stride, begin, end, pull);
    default:
      return pull_lines<4>(q, rank, first, f, y, stride, begin, end, pull);
  }
}

// out[k] = y[k] - sum_l q_lk f[l], for the components [first, first + N)
template <int N>
GINGHAM_INLINE void residual_lines(const double* q, Index rank, Index first, const double* f,
                                   const double* y, Index stride, Index begin, Index end,
                                   double* out) {
  for (Index i = begin; i < end; ++i) {
    double sums[N];
    GINGHAM_UNROLL
    for (int b = 0; b < N; ++b) sums[b] = y[(first + b) * stride + i];
    for (Index l = 0; l < rank; ++l) {
      GINGHAM_UNROLL
      for (int b = 0; b < N; ++b) sums[b] -= f[l * stride + i] * q[l * rank + first + b];
    }
    GINGHAM_UNROLL
    for (int b = 0; b < N; ++b) out[(first + b) * stride + i] = sums[b];
  }
}

}  // namespace

Panel::Panel(const SideView& view, std::span<const Index> items, Coupling& coupling)
    : view_(view),
      items_(items),
      coupling_(coupling),
      rank_((*view.q)[0].rows()),
      n_(std::ssize(items)),
      stride_((n_ + kW - 1) / kW * kW),
      chunks_(Partition::even(n_, 2 * rank_)) {
  const auto size = static_cast<std::size_t>(rank_ * stride_);
  f_.assign(size, 0.0);
  y_.assign(size, 0.0);
  pull_.assign(static_cast<std::size_t>(std::min(kTogether, rank_) * stride_), 0.0);
  now_.assign(static_cast<std::size_t>(n_), 0.0);
  const std::vector<Index>& of_item = view.data->classes(view.side).of_item;
  for (Index i = 0; i < n_;) {
    Index end = i + 1;
    while (end < n_ && of_item[items[end]] == of_item[items[i]]) ++end;
    segments_.push_back({i, end, (*view.q)[of_item[items[i]]].data()});
    i = end;
  }
  const Cells& cells = view.data->cells(view.side);
  if (segments_.size() > 1 || !cells.empty()) curvature_.assign(static_cast<std::size_t>(n_), 0.0);
  if (cells.empty()) return;
  cell_at_.assign(static_cast<std::size_t>(n_ + 1), 0);
  for (Index i = 0; i < n_; ++i)
    cell_at_[i + 1] = cell_at_[i] + cells.pointers[items[i] + 1] - cells.pointers[items[i]];
  model_.assign(static_cast<std::size_t>(cell_at_.back()), 0.0);
}

template <class T>
void Panel::take(const DenseMatrix<T>& f, const DenseMatrix<T>& y) {
  for (Index i = 0; i < n_; ++i) {
    const T *f_row = f.data() + items_[i] * rank_, *y_row = y.data() + items_[i] * rank_;
    for (Index k = 0; k < rank_; ++k) {
      f_[k * stride_ + i] = static_cast<double>(f_row[k]);
      y_[k * stride_ + i] = static_cast<double>(y_row[k]);
    }
  }
  fill_models(f_.data());
}

template <class T>
void Panel::put(T* rows) const {
  for (Index i = 0; i < n_; ++i) {
    for (Index k = 0; k < rank_; ++k)
      rows[items_[i] * rank_ + k] = static_cast<T>(f_[k * stride_ + i]);
  }
}

template void Panel::take(const Matrix&, const Matrix&);
template void Panel::take(const MatrixF&, const MatrixF&);
template void Panel::put(double*) const;
template void Panel::put(float*) const;

void Panel::fill_models(const double* f) {
  if (cell_at_.empty()) return;
  const Cells& cells = view_.data->cells(view_.side);
  for (Index i = 0; i < n_; ++i) {
    const Index from = cells.pointers[items_[i]];
    for (Index e = cell_at_[i]; e < cell_at_[i + 1]; ++e) {
      const double* row = view_.other->data() + cells.others[from + e - cell_at_[i]] * rank_;
      double sum = 0.0;
      for (Index k = 0; k < rank_; ++k) sum += f[k * stride_ + i] * row[k];
      model_[e] = sum;
    }
  }
}

// pull += s (sum over cells of b_k (x - model) + f_k sum of b_k^2), curvature += s sum of b_k^2;
// s = -1 for holes, 1 for listed cells.
void Panel::add_cells(Index begin, Index end, Index k, double* pull, double* curvature) const {
  const Cells& cells = view_.data->cells(view_.side);
  const double sign = view_.data->kind() == Observations::Kind::holes ? -1.0 : 1.0;
  const double* column = view_.other->data() + k;
  for (Index i = begin; i < end; ++i) {
    const Index from = cells.pointers[items_[i]] - cell_at_[i];
    double residual = 0.0, squares = 0.0;
    for (Index e = cell_at_[i]; e < cell_at_[i + 1]; ++e) {
      const double b = column[cells.others[from + e] * rank_];
      residual += b * (cells.values[from + e] - model_[e]);
      squares += b * b;
    }
    const double whole = curvature[i];
    pull[i] += sign * (residual + f_[k * stride_ + i] * squares);
    curvature[i] += sign * squares;
    if (curvature[i] <= kRounding * (whole + squares)) curvature[i] = 0.0;
  }
}

void Panel::move_models(Index begin, Index end, Index k) {
  const Cells& cells = view_.data->cells(view_.side);
  const double* column = view_.other->data() + k;
  for (Index i = begin; i < end; ++i) {
    const double change = now_[i] - f_[k * stride_ + i];
    if (change == 0.0) continue;
    const Index from = cells.pointers[items_[i]] - cell_at_[i];
    for (Index e = cell_at_[i]; e < cell_at_[i + 1]; ++e)
      model_[e] += change * column[cells.others[from + e] * rank_];
  }
}

void Panel::pulls(Index first, Index n, Executor& executor) {
  executor.map(chunks_.count(), [&](Index chunk) {
    for (const Segment& segment : segments_) {
      const Index begin = std::max(segment.begin, chunks_.begin(chunk));
      const Index end = std::min(segment.end, chunks_.end(chunk));
      if (begin < end)
        pull_some(segment.q, rank_, first, n, f_.data(), y_.data(), stride_, begin, end,
                  pull_.data());
    }
  });
}

double Panel::component(Index first, Index n, Index k, bool moves, Executor& executor) {
  double* pull = pull_.data() + (k - first) * stride_;
  const bool is_even = curvature_.empty();
  const double common = segments_[0].q[k * rank_ + k];
  executor.map(chunks_.count(), [&](Index chunk) {
    const Index from = chunks_.begin(chunk), to = chunks_.end(chunk);
    for (const Segment& segment : segments_) {
      const Index begin = std::max(segment.begin, from), end = std::min(segment.end, to);
      if (begin >= end) continue;
      std::copy(pull + begin, pull + end, now_.data() + begin);
      for (Index l = first; l < first + n; ++l) {
        if (l == k) continue;
        const double weight = segment.q[l * rank_ + k];
        const double* other = line(l);
        for (Index i = begin; i < end; ++i) now_[i] -= weight * other[i];
      }
      if (!is_even) {
        for (Index i = begin; i < end; ++i) curvature_[i] = segment.q[k * rank_ + k];
      }
    }
    if (!cell_at_.empty()) add_cells(from, to, k, now_.data(), curvature_.data());
    for (Index i = from; i < to; ++i) {
      const double d = is_even ? common : curvature_[i];
      now_[i] = d > 0.0 ? now_[i] / d : 0.0;
    }
  });
  if (is_even && common > 0.0) {
    coupling_.minimise(now_, common);
  } else if (is_even) {
    std::fill(now_.begin(), now_.end(), 0.0);
  } else {
    coupling_.minimise(now_, curvature_);
  }
  return sum_blocks(executor, chunks_.count(), [&](Index chunk) {
    const Index from = chunks_.begin(chunk), to = chunks_.end(chunk);
    double squares = 0.0;
    double* f = line(k);
    for (Index i = from; i < to; ++i) {
      const double change = now_[i] - f[i];
      squares += (is_even ? common : curvature_[i]) * change * change;
    }
    if (!moves) return squares;
    if (!cell_at_.empty()) move_models(from, to, k);
    std::copy(now_.begin() + from, now_.begin() + to, f + from);
    return squares;
  });
}

double Panel::visit_all(int passes, bool moves, Executor& executor) {
  double squares = 0.0;
  for (int pass = 0; pass < passes; ++pass) {
    for (Index first = 0; first < rank_; first += kTogether) {
      const Index n = std::min(kTogether, rank_ - first);
      pulls(first, n, executor);
      for (Index k = first; k < first + n; ++k) squares += component(first, n, k, moves, executor);
    }
  }
  return squares;
}

double Panel::sweep(int passes, Executor& executor) { return visit_all(passes, true, executor); }

double Panel::gap(Executor& executor) { return visit_all(1, false, executor); }

void Panel::residuals(const double* f, double* out, Executor& executor) {
  fill_models(f);
  executor.map(chunks_.count(), [&](Index chunk) {
    for (const Segment& segment : segments_) {
      const Index begin = std::max(segment.begin, chunks_.begin(chunk));
      const Index end = std::min(segment.end, chunks_.end(chunk));
      Index k = 0;
      for (; k + 4 <= rank_; k += 4)
        residual_lines<4>(segment.q, rank_, k, f, y_.data(), stride_, begin, end, out);
      for (; k < rank_; ++k)
        residual_lines<1>(segment.q, rank_, k, f, y_.data(), stride_, begin, end, out);
    }
    if (cell_at_.empty()) return;
    const Cells& cells = view_.data->cells(view_.side);
    const double sign = view_.data->kind() == Observations::Kind::holes ? -1.0 : 1.0;
    for (Index i = chunks_.begin(chunk); i < chunks_.end(chunk); ++i) {
      const Index from = cells.pointers[items_[i]] - cell_at_[i];
      for (Index e = cell_at_[i]; e < cell_at_[i + 1]; ++e) {
        const double residual = sign * (cells.values[from + e] - model_[e]);
        const double* row = view_.other->data() + cells.others[from + e] * rank_;
        for (Index k = 0; k < rank_; ++k) out[k * stride_ + i] += residual * row[k];
      }
    }
  });
}

// 1/2 f^T Q f - y^T f = -1/2 (y + r)^T f with r = y - Q f, where y includes what cells add at f =
// 0.
double Panel::cost(Executor& executor) {
  std::vector<double> at_zero(f_.size(), 0.0), at_f(f_.size(), 0.0);
  const std::vector<double> zeros(f_.size(), 0.0);
  residuals(zeros.data(), at_zero.data(), executor);
  residuals(f_.data(), at_f.data(), executor);
  double total = 0.0;
  for (Index k = 0; k < rank_; ++k) {
    const auto n = static_cast<std::size_t>(n_);
    const ConstVec f(line(k), n);
    total -= 0.5 * (dot(ConstVec(at_zero.data() + k * stride_, n), f) +
                    dot(ConstVec(at_f.data() + k * stride_, n), f));
    total += coupling_.value(f);
  }
  return total;
}

double Panel::accelerate(double lipschitz, double share, int max_steps, Executor& executor) {
  if (!(lipschitz > 0.0)) return sweep(1, executor);
  const std::vector<double> start = f_;
  const double start_cost = cost(executor);
  std::vector<double> point = f_, residual(f_.size(), 0.0), before;
  double momentum = 1.0, first_move = -1.0;
  for (int step = 0; step < max_steps; ++step) {
    residuals(point.data(), residual.data(), executor);
    before = f_;
    double moved = 0.0, uphill = 0.0;
    for (Index k = 0; k < rank_; ++k) {
      const double *from = point.data() + k * stride_, *r = residual.data() + k * stride_;
      for (Index i = 0; i < n_; ++i) now_[i] = from[i] + r[i] / lipschitz;
      coupling_.minimise(now_, lipschitz);
      double* f = line(k);
      for (Index i = 0; i < n_; ++i) {
        moved += (now_[i] - from[i]) * (now_[i] - from[i]);
        uphill += (from[i] - now_[i]) * (now_[i] - f[i]);
        f[i] = now_[i];
      }
    }
    if (first_move < 0.0) first_move = moved;
    if (!(moved > share * share * first_move)) break;
    const double next =
        uphill > 0.0 ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    const double ahead = uphill > 0.0 ? 0.0 : (momentum - 1.0) / next;
    momentum = next;
    for (std::size_t e = 0; e < f_.size(); ++e) point[e] = f_[e] + ahead * (f_[e] - before[e]);
  }
  if (!(cost(executor) <= start_cost)) f_ = start;
  double squares = 0.0;
  for (std::size_t e = 0; e < f_.size(); ++e)
    squares += lipschitz * (f_[e] - start[e]) * (f_[e] - start[e]);
  fill_models(f_.data());
  return squares;
}

}  // namespace gingham::methods::nonnegative
