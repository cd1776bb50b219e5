#include "gingham/methods/nonnegative/panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/lanes.hpp"
#include "gingham/kernels/row_lines.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::nonnegative {
namespace {

using V = lanes::Wide<double>;
using lanes::wide;
constexpr Index kW = lanes::kWide<double>;
constexpr Index kTogether = 4;  // components whose pulls are taken side by side
// An item whose curvature is below this share of the largest has no say in a penalty that it shares
// with others, and numbers that leave the range in which squares can be taken.
constexpr double kFaint = 1e-100;
constexpr double kClearly = 1e-9;  // of the terms of a sum: more than rounding

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

// out = pull - sum over l in [first, first + n), not k, of q_lk f[l]
GINGHAM_MULTIARCH void take_away(const double* pull, const double* f, Index stride, const double* q,
                                 Index rank, Index first, Index n, Index k, Index begin, Index end,
                                 double* out) {
  Index i = begin;
  for (; i + kW <= end; i += kW) {
    V sum = wide(pull + i);
    for (Index l = first; l < first + n; ++l) {
      if (l != k) sum -= wide(f + l * stride + i) * q[l * rank + k];
    }
    wide(out + i) = sum;
  }
  for (; i < end; ++i) {
    double sum = pull[i];
    for (Index l = first; l < first + n; ++l) {
      if (l != k) sum -= f[l * stride + i] * q[l * rank + k];
    }
    out[i] = sum;
  }
}

// sum of (a - b)^2
GINGHAM_MULTIARCH double change_squares(const double* a, const double* b, Index begin, Index end) {
  V sums = {};
  Index i = begin;
  for (; i + kW <= end; i += kW) {
    const V change = wide(a + i) - wide(b + i);
    sums += change * change;
  }
  double total = lanes::total<double>(sums);
  for (; i < end; ++i) total += (a[i] - b[i]) * (a[i] - b[i]);
  return total;
}

double change_squares(const double* a, const double* b, const double* weights, Index begin,
                      Index end) {
  double total = 0.0;
  for (Index i = begin; i < end; ++i) total += weights[i] * (a[i] - b[i]) * (a[i] - b[i]);
  return total;
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

Panel::Panel(const SideView& view, std::span<const Index> items, const Penalty& penalty,
             PanelRoom& room)
    : view_(view),
      items_(items),
      penalty_(penalty),
      rank_((*view.q)[0].rows()),
      n_(std::ssize(items)),
      stride_((n_ + kW - 1) / kW * kW),
      chunks_(Partition::even(n_, 2 * rank_)),
      room_(room) {
  const auto grow = [](std::vector<double>& values, std::size_t size) {
    if (values.size() < size) values.resize(size);
  };
  grow(room.f, n_values());
  grow(room.y, n_values());
  grow(room.pull, static_cast<std::size_t>(std::min(kTogether, rank_) * stride_));
  grow(room.now, static_cast<std::size_t>(n_));
  const std::vector<Index>& of_item = view.data->classes(view.side).of_item;
  for (Index i = 0; i < n_;) {
    Index end = i + 1;
    while (end < n_ && of_item[items[end]] == of_item[items[i]]) ++end;
    segments_.push_back({i, end, (*view.q)[of_item[items[i]]].data()});
    i = end;
  }
  const CellList& cells = view.data->cells(view.side);
  is_even_ = segments_.size() <= 1 && cells.empty();
  if (!is_even_) grow(room.curvature, static_cast<std::size_t>(n_));
  if (cells.empty()) return;
  cell_at_.assign(static_cast<std::size_t>(n_ + 1), 0);
  for (Index i = 0; i < n_; ++i)
    cell_at_[i + 1] = cell_at_[i] + cells.pointers[items[i] + 1] - cells.pointers[items[i]];
  grow(room.model, static_cast<std::size_t>(cell_at_.back()));
}

template <class T>
void Panel::take(const DenseMatrix<T>& f, const DenseMatrix<T>& y) {
  largest_ = kLargestEntry<T>;
  rows_to_lines(f.data(), rank_, items_.data(), n_, room_.f.data(), stride_);
  rows_to_lines(y.data(), rank_, items_.data(), n_, room_.y.data(), stride_);
  fill_models(room_.f.data());
}

template <class T>
void Panel::put(T* rows) const {
  lines_to_rows(room_.f.data(), stride_, rank_, items_.data(), n_, rows);
}

template void Panel::take(const Matrix&, const Matrix&);
template void Panel::take(const MatrixF&, const MatrixF&);
template void Panel::put(double*) const;
template void Panel::put(float*) const;

void Panel::fill_models(const double* f) {
  if (cell_at_.empty()) return;
  const CellList& cells = view_.data->cells(view_.side);
  const std::int32_t* others = cells.others[0].data();
  for (Index i = 0; i < n_; ++i) {
    const Index from = cells.pointers[items_[i]];
    for (Index e = cell_at_[i]; e < cell_at_[i + 1]; ++e) {
      const double* row = view_.other->data() + others[from + e - cell_at_[i]] * rank_;
      double sum = 0.0;
      for (Index k = 0; k < rank_; ++k) sum += f[k * stride_ + i] * row[k];
      room_.model[e] = sum;
    }
  }
}

// pull += s (sum over cells of b_k (x - model) + f_k sum of b_k^2), curvature += s sum of b_k^2;
// s = -1 for holes, 1 for listed cells.
void Panel::add_cells(Index begin, Index end, Index k, double* pull, double* curvature) const {
  const CellList& cells = view_.data->cells(view_.side);
  const double sign = view_.data->kind() == Observed::Kind::holes ? -1.0 : 1.0;
  const double* column = view_.other->data() + k;
  const std::int32_t* others = cells.others[0].data();
  for (Index i = begin; i < end; ++i) {
    const Index from = cells.pointers[items_[i]] - cell_at_[i];
    double residual = 0.0, squares = 0.0, size = 0.0;
    for (Index e = cell_at_[i]; e < cell_at_[i + 1]; ++e) {
      const double b = column[others[from + e] * rank_];
      residual += b * (cells.values[from + e] - room_.model[e]);
      squares += b * b;
      size += b * room_.model[e];
    }
    const double whole = curvature[i], f = room_.f[k * stride_ + i];
    pull[i] += sign * (residual + f * squares);
    curvature[i] += sign * squares;
    const double left = room_.y[k * stride_ + i] + curvature[i] * f;
    const bool is_zero = pull[i] < -kClearly * (size + std::abs(residual));  // no doubt about it
    if (sign < 0.0 && !is_zero && (has_cancelled(curvature[i], whole) || left < kCancelled * size))
      look_closely(i, k, pull + i, curvature + i);
  }
}

// Pull and curvature of one entry from sums over the cells that were observed.
void Panel::look_closely(Index i, Index k, double* pull, double* curvature) const {
  std::vector<double> q(static_cast<std::size_t>(rank_));
  view_.grams->column(items_[i], k, q);
  double sum = room_.y[k * stride_ + i];
  const CellList& cells = view_.data->cells(view_.side);
  for (Index e = cells.pointers[items_[i]]; e < cells.pointers[items_[i] + 1]; ++e)
    sum -= cells.values[e] * view_.other->data()[cells.others[0][e] * rank_ + k];
  for (Index l = 0; l < rank_; ++l)
    sum -= l == k ? 0.0 : (q[l] + 2.0 * view_.cross) * room_.f[l * stride_ + i];
  *pull = sum;
  *curvature = q[k] + (*view_.diagonal)[k] + 2.0 * view_.cross;
}

void Panel::move_models(Index begin, Index end, Index k) {
  const CellList& cells = view_.data->cells(view_.side);
  const double* column = view_.other->data() + k;
  const std::int32_t* others = cells.others[0].data();
  for (Index i = begin; i < end; ++i) {
    const double change = room_.now[i] - room_.f[k * stride_ + i];
    if (change == 0.0) continue;
    const Index from = cells.pointers[items_[i]] - cell_at_[i];
    for (Index e = cell_at_[i]; e < cell_at_[i + 1]; ++e)
      room_.model[e] += change * column[others[from + e] * rank_];
  }
}

void Panel::pulls(Index first, Index n, Executor& executor) {
  executor.map(chunks_.count(), [&](Index chunk) {
    for (const Segment& segment : segments_) {
      const Index begin = std::max(segment.begin, chunks_.begin(chunk));
      const Index end = std::min(segment.end, chunks_.end(chunk));
      if (begin < end)
        pull_some(segment.q, rank_, first, n, room_.f.data(), room_.y.data(), stride_, begin, end,
                  room_.pull.data());
    }
  });
}

double Panel::component(Index first, Index n, Index k, bool moves, Executor& executor) {
  const double* pull = room_.pull.data() + (k - first) * stride_;
  double* b = room_.now.data();
  double* h = is_even_ ? nullptr : room_.curvature.data();
  const double common = segments_[0].q[k * rank_ + k];
  executor.map(chunks_.count(), [&](Index chunk) {
    const Index from = chunks_.begin(chunk), to = chunks_.end(chunk);
    for (const Segment& segment : segments_) {
      const Index begin = std::max(segment.begin, from), end = std::min(segment.end, to);
      if (begin >= end) continue;
      take_away(pull, line(0), stride_, segment.q, rank_, first, n, k, begin, end, b);
      if (!is_even_) std::fill(h + begin, h + end, segment.q[k * rank_ + k]);
    }
    if (!cell_at_.empty()) add_cells(from, to, k, b, h);
  });
  if (!is_even_) drop_faint();
  minimise(is_even_ ? Curvature(common) : Curvature(ConstVec(h, static_cast<std::size_t>(n_))));
  const double* z = b;
  return sum_blocks(executor, chunks_.count(), [&](Index chunk) {
    const Index from = chunks_.begin(chunk), to = chunks_.end(chunk);
    double* f = line(k);
    const double squares =
        is_even_ ? common * change_squares(z, f, from, to) : change_squares(z, f, h, from, to);
    if (!moves) return squares;
    if (!cell_at_.empty()) move_models(from, to, k);
    std::copy(z + from, z + to, f + from);
    return squares;
  });
}

// now: b, and then the minimiser. What is no number makes everything one that is none.
void Panel::minimise(Curvature h) {
  const Vec z = now();
  for (const double b : z) {
    if (!(std::abs(b) <= std::numeric_limits<double>::max())) {
      std::fill(z.begin(), z.end(), std::nan(""));
      return;
    }
  }
  penalty_.minimise(z, h, z);
  if (h.is_even()) return;  // only an entry that hardly counts can be huge without need
  for (double& one : z) one = std::min(one, largest_);
}

void Panel::drop_faint() {
  const Vec curvature(room_.curvature.data(), static_cast<std::size_t>(n_));
  const double least = kFaint * max_abs(curvature);
  for (Index i = 0; i < n_; ++i) {
    if (!(curvature[i] > 0.0) || curvature[i] < least) room_.now[i] = curvature[i] = 0.0;
  }
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
        residual_lines<4>(segment.q, rank_, k, f, room_.y.data(), stride_, begin, end, out);
      for (; k < rank_; ++k)
        residual_lines<1>(segment.q, rank_, k, f, room_.y.data(), stride_, begin, end, out);
    }
    if (cell_at_.empty()) return;
    const CellList& cells = view_.data->cells(view_.side);
    const double sign = view_.data->kind() == Observed::Kind::holes ? -1.0 : 1.0;
    for (Index i = chunks_.begin(chunk); i < chunks_.end(chunk); ++i) {
      const Index from = cells.pointers[items_[i]] - cell_at_[i];
      for (Index e = cell_at_[i]; e < cell_at_[i + 1]; ++e) {
        const double residual = sign * (cells.values[from + e] - room_.model[e]);
        const double* row = view_.other->data() + cells.others[0][from + e] * rank_;
        for (Index k = 0; k < rank_; ++k) out[k * stride_ + i] += residual * row[k];
      }
    }
  });
}

// 1/2 f^T Q f - y^T f = -1/2 (y + r)^T f with r = y - Q f, where y includes what cells add at f =
// 0.
double Panel::cost(Executor& executor) {
  std::vector<double> at_zero(n_values(), 0.0), at_f(n_values(), 0.0);
  const std::vector<double> zeros(n_values(), 0.0);
  residuals(zeros.data(), at_zero.data(), executor);
  residuals(room_.f.data(), at_f.data(), executor);
  double total = 0.0;
  for (Index k = 0; k < rank_; ++k) {
    const auto n = static_cast<std::size_t>(n_);
    const ConstVec f(line(k), n);
    total -= 0.5 * (dot(ConstVec(at_zero.data() + k * stride_, n), f) +
                    dot(ConstVec(at_f.data() + k * stride_, n), f));
    total += penalty_.value(f);
  }
  return total;
}

// Whether a step from 0 stays there.
bool Panel::is_zero_best(double lipschitz, Executor& executor) {
  const std::vector<double> zeros(n_values(), 0.0);
  std::vector<double> residual(n_values(), 0.0);
  residuals(zeros.data(), residual.data(), executor);
  for (Index k = 0; k < rank_; ++k) {
    const Vec next = now();
    std::copy_n(residual.data() + k * stride_, n_, next.begin());
    minimise(lipschitz);
    if (!is_zero(next)) return false;
  }
  return true;
}

double Panel::accelerate(double lipschitz, double share, int max_steps, Executor& executor) {
  if (!(lipschitz > 0.0)) return sweep(1, executor);
  const std::size_t size = n_values();
  double* f = room_.f.data();
  const std::vector<double> start(f, f + size);
  if (is_zero_best(lipschitz, executor)) {
    std::fill_n(f, size, 0.0);
    fill_models(f);
    return lipschitz * sum_squares(start);
  }
  const double start_cost = cost(executor);
  std::vector<double> point = start, residual(size, 0.0), before;
  double momentum = 1.0, first_move = -1.0;
  for (int step = 0; step < max_steps; ++step) {
    residuals(point.data(), residual.data(), executor);
    before.assign(f, f + size);
    double moved = 0.0, uphill = 0.0;
    for (Index k = 0; k < rank_; ++k) {
      const double *from = point.data() + k * stride_, *r = residual.data() + k * stride_;
      const Vec next = now();
      for (Index i = 0; i < n_; ++i) next[i] = lipschitz * from[i] + r[i];
      minimise(lipschitz);
      double* own = line(k);
      for (Index i = 0; i < n_; ++i) {
        moved += (next[i] - from[i]) * (next[i] - from[i]);
        uphill += (from[i] - next[i]) * (next[i] - own[i]);
        own[i] = next[i];
      }
    }
    if (first_move < 0.0) first_move = moved;
    if (!(moved > share * share * first_move)) break;
    const bool starts_again = uphill > 0.0;
    const double next =
        starts_again ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    const double ahead = starts_again ? 0.0 : (momentum - 1.0) / next;
    momentum = next;
    for (std::size_t e = 0; e < size; ++e) point[e] = f[e] + ahead * (f[e] - before[e]);
  }
  if (!(cost(executor) <= start_cost)) std::copy(start.begin(), start.end(), f);
  fill_models(f);
  double squares = 0.0;
  for (Index k = 0; k < rank_; ++k)
    squares += lipschitz * change_squares(line(k), start.data() + k * stride_, 0, n_);
  return squares;
}

}  // namespace gingham::methods::nonnegative
