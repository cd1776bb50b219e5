#include "gingham/alternation/panel.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/finite.hpp"
#include "gingham/kernels/line_loops.hpp"
#include "gingham/kernels/row_lines.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::alternation {
namespace {

constexpr Index kLanes = 8;  // lines are padded to whole vectors of doubles
// An item whose curvature is below this share of the largest has no say in a penalty that it shares
// with others, and numbers that leave the range in which squares can be taken.
constexpr double kFaint = 1e-100;
constexpr double kClearly = 1e-9;  // of the terms of a sum: more than rounding

double change_squares(const double* a, const double* b, ConstVec weights, Index begin, Index end) {
  double total = 0.0;
  for (Index i = begin; i < end; ++i) total += weights[i] * (a[i] - b[i]) * (a[i] - b[i]);
  return total;
}

}  // namespace

Panel::Panel(const FactorPart& part, std::span<const Index> items, const Penalty& penalty,
             PanelRoom& room)
    : part_(part),
      items_(items),
      penalty_(penalty),
      rank_(part.n_columns()),
      n_(std::ssize(items)),
      stride_((n_ + kLanes - 1) / kLanes * kLanes),
      chunks_(Partition::even(n_, 2 * rank_)),
      room_(room) {
  const auto grow = [](std::vector<double>& values, std::size_t size) {
    if (values.size() < size) values.resize(size);
  };
  grow(room.f, n_values());
  grow(room.y, n_values());
  grow(room.pull, static_cast<std::size_t>(std::min(lines::kTogether, rank_) * stride_));
  grow(room.now, static_cast<std::size_t>(n_));
  const std::vector<Index>& of_item = part.data->classes(part.mode).of_item;
  for (Index i = 0; i < n_;) {
    Index end = i + 1;
    while (end < n_ && of_item[items[end]] == of_item[items[i]]) ++end;
    segments_.push_back({i, end, (*part.q)[of_item[items[i]]].data()});
    i = end;
  }
  is_even_ = segments_.size() <= 1 && !part.has_cells();
  if (!is_even_) grow(room.curvature, static_cast<std::size_t>(n_));
  if (!part.has_cells()) return;
  const CellList& cells = part.data->cells(part.mode);
  cell_at_.assign(static_cast<std::size_t>(n_ + 1), 0);
  for (Index i = 0; i < n_; ++i) cell_at_[i + 1] = cell_at_[i] + cells.count(items[i]);
  grow(room.model, static_cast<std::size_t>(cell_at_.back()));
}

template <class T>
void Panel::take(const DenseMatrix<T>& f, const DenseMatrix<T>& y) {
  is_rounded_ = !std::is_same_v<T, double>;
  rows_to_lines(f.data(), rank_, items_.data(), n_, room_.f.data(), stride_);
  rows_to_lines(y.data(), rank_ - part_.first, items_.data(), n_, room_.y.data(), stride_);
  for (Index k = part_.first; k < rank_; ++k) {
    if (part_.weight(k) != 1.0)
      scale(part_.weight(k), Vec(y_line(k), static_cast<std::size_t>(n_)));
  }
  fill_models(room_.f.data(), rank_);
}

template <class T>
void Panel::put(T* rows) const {
  lines_to_rows(room_.f.data(), stride_, rank_, items_.data(), n_, rows);
}

template void Panel::take(const Matrix&, const Matrix&);
template void Panel::take(const MatrixF&, const MatrixF&);
template void Panel::put(double*) const;
template void Panel::put(float*) const;

// visit(i, e, w_k z_k) for the cells of the items [begin, end): e their number in the set.
template <class Visit>
void Panel::for_cells(Index begin, Index end, Index k, const Visit& visit) const {
  const CellList& cells = part_.data->cells(part_.mode);
  const double weight = part_.weight(k);
  std::vector<std::pair<const std::int32_t*, const Matrix*>> others;
  for (Index m = 0, at = 0; m < part_.data->n_modes(); ++m) {
    if (m != part_.mode) others.emplace_back(cells.others[at++].data(), &part_.factors[m]);
  }
  const std::int32_t* index = others[0].first;
  const double* column = others[0].second->data() + k;
  for (Index i = begin; i < end; ++i) {
    const Index from = cells.begin(items_[i]) - cell_at_[i];
    for (Index e = cell_at_[i]; e < cell_at_[i + 1]; ++e) {
      double z = weight * column[index[from + e] * rank_];
      for (std::size_t m = 1; m < others.size(); ++m)
        z *= (*others[m].second)(others[m].first[from + e], k);
      visit(i, e, z);
    }
  }
}

void Panel::fill_models(const double* f, Index n_columns) {
  if (cell_at_.empty()) return;
  std::fill_n(room_.model.begin(), cell_at_.back(), 0.0);
  for (Index k = 0; k < n_columns; ++k) {
    for_cells(0, n_, k,
              [&](Index i, Index e, double z) { room_.model[e] += f[k * stride_ + i] * z; });
  }
}

// What the cells add to b and h, with f the present values of the column, m the model of the
// columns that explain: sign sum of z (f z - m), sign sum of z^2; sign -1 for holes.
void Panel::add_cells(Index begin, Index end, Index k, Beside beside, double* pull,
                      double* curvature) {
  const double sign = part_.data->kind() == Observed::Kind::holes ? -1.0 : 1.0;
  struct Sums {
    double products = 0.0, squares = 0.0, size = 0.0;
  } own;
  const bool has_own = beside == Beside::all;  // the column itself is part of the model
  const auto close = [&](Index i) {
    const double whole = curvature[i], f = has_own ? room_.f[k * stride_ + i] : 0.0;
    pull[i] += sign * (f * own.squares - own.products);
    curvature[i] += sign * own.squares;
    if (sign > 0.0) return;
    const double reached = y_line(k)[i] + curvature[i] * f;
    const bool has_no_doubt = pull[i] < -kClearly * own.size && penalty_.traits().is_nonnegative;
    if (!has_no_doubt &&
        (has_cancelled(curvature[i], whole) || std::abs(reached) < kCancelled * own.size))
      look_closely(i, k, beside, pull + i, curvature + i);
  };
  Index last = begin;
  for_cells(begin, end, k, [&](Index i, Index e, double z) {
    for (; last < i; ++last) {
      close(last);
      own = {};
    }
    own.products += z * room_.model[e];
    own.squares += z * z;
    own.size += std::abs(z * room_.model[e]);
  });
  for (; last < end; ++last) {
    close(last);
    own = {};
  }
}

// Pull and curvature of one entry from sums over the cells that were observed.
void Panel::look_closely(Index i, Index k, Beside beside, double* pull, double* curvature) const {
  std::vector<double> q(static_cast<std::size_t>(rank_));
  part_.column(items_[i], k, q);
  double sum = room_.y[(k - part_.first) * stride_ + i];
  for (Index l = 0; l < n_explaining(beside, k); ++l)
    sum -= l == k ? 0.0 : q[l] * room_.f[l * stride_ + i];
  *pull = sum;
  *curvature = q[k];
}

void Panel::move_models(Index begin, Index end, Index k) {
  for_cells(begin, end, k, [&](Index i, Index e, double z) {
    room_.model[e] += (room_.now[i] - room_.f[k * stride_ + i]) * z;
  });
}

template <class Body>
void Panel::for_segments(Index chunk, const Body& body) const {
  const Index from = chunks_.begin(chunk), to = chunks_.end(chunk);
  auto segment = std::partition_point(segments_.begin(), segments_.end(),
                                      [&](const Segment& one) { return one.end <= from; });
  for (; segment != segments_.end() && segment->begin < to; ++segment)
    body(*segment, std::max(segment->begin, from), std::min(segment->end, to));
}

void Panel::pulls(Index first, Index n, Index n_explaining, Executor& executor) {
  executor.map(chunks_.count(), [&](Index chunk) {
    for_segments(chunk, [&](const Segment& segment, Index begin, Index end) {
      lines::pulls(segment.q, rank_, first, n, n_explaining, room_.f.data(), y_line(first), stride_,
                   begin, end, room_.pull.data());
    });
  });
}

// b in now(), and h; the pulls of [first, first + n) are there.
Curvature Panel::look_at(Index first, Index n, Index k, Beside beside, Executor& executor) {
  const double* pull = room_.pull.data() + (k - first) * stride_;
  double* b = room_.now.data();
  double* h = is_even_ ? nullptr : room_.curvature.data();
  executor.map(chunks_.count(), [&](Index chunk) {
    for_segments(chunk, [&](const Segment& segment, Index begin, Index end) {
      lines::take_away(pull, line(0), stride_, segment.q, rank_, first, n, k, begin, end, b);
      if (!is_even_) std::fill(h + begin, h + end, segment.q[k * rank_ + k]);
    });
    if (!cell_at_.empty()) add_cells(chunks_.begin(chunk), chunks_.end(chunk), k, beside, b, h);
  });
  if (is_even_) return segments_[0].q[k * rank_ + k];
  drop_faint();
  return ConstVec(h, static_cast<std::size_t>(n_));
}

// Takes now() over as line k.
double Panel::move(Index k, Curvature h, Executor& executor) {
  const double* z = room_.now.data();
  return sum_blocks(executor, chunks_.count(), [&](Index chunk) {
    const Index from = chunks_.begin(chunk), to = chunks_.end(chunk);
    double* f = line(k);
    const double squares = h.is_even() ? h[0] * lines::change_squares(z, f, from, to)
                                       : change_squares(z, f, h.each(), from, to);
    if (!cell_at_.empty()) move_models(from, to, k);
    std::copy(z + from, z + to, f + from);
    return squares;
  });
}

// now: b, and then the minimiser. What is no number makes everything one that is none.
void Panel::minimise(Curvature h) {
  const Vec z = now();
  if (!is_finite(z)) return std::fill(z.begin(), z.end(), std::nan(""));
  penalty_.minimise(z, h, z);
  // Only an entry that counts less than others can be huge without need.
  if (h.is_even() || penalty_.traits().is_bounded) return;
  for (double& one : z) one = std::clamp(one, -part_.largest, part_.largest);
}

void Panel::drop_faint() {
  const Vec curvature(room_.curvature.data(), static_cast<std::size_t>(n_));
  const double least = kFaint * max_abs(curvature);
  for (Index i = 0; i < n_; ++i) {
    if (!(curvature[i] > 0.0) || curvature[i] < least) room_.now[i] = curvature[i] = 0.0;
  }
}

double Panel::sweep(int passes, Executor& executor) {
  double squares = 0.0;
  for (int pass = 0; pass < passes; ++pass) {
    for (Index first = part_.first; first < rank_; first += lines::kTogether) {
      const Index n = std::min(lines::kTogether, rank_ - first);
      pulls(first, n, rank_, executor);
      for (Index k = first; k < first + n; ++k) {
        const Curvature h = look_at(first, n, k, Beside::all, executor);
        if (!part_.waits.empty() && part_.waits[static_cast<std::size_t>(k)] != 0) continue;
        minimise(h);
        squares += move(k, h, executor);
      }
    }
  }
  return squares;
}

template <class Treat>
void Panel::visit(Beside beside, const Treat& treat, Executor& executor) {
  if (beside != Beside::all)
    fill_models(room_.f.data(), beside == Beside::before ? part_.first : 0);
  for (Index k = part_.first; k < rank_; ++k) {
    pulls(k, 1, n_explaining(beside, k), executor);
    treat(k, look_at(k, 1, k, beside, executor));
    if (beside != Beside::before || cell_at_.empty()) continue;
    for_cells(0, n_, k, [&](Index i, Index e, double z) { room_.model[e] += line(k)[i] * z; });
  }
  if (beside != Beside::all) fill_models(room_.f.data(), rank_);
}

void Panel::for_each(Beside beside, FunctionRef<void(Index, ConstVec, Curvature)> treat,
                     Executor& executor) {
  visit(
      beside, [&](Index k, Curvature h) { treat(k, now(), h); }, executor);
}

void Panel::add_gaps(Beside beside, Vec sums, Executor& executor) {
  visit(
      beside,
      [&](Index k, Curvature h) {
        const Vec b = now();
        for (std::size_t i = 0; i < b.size(); ++i) {
          if (!(h[i] > 0.0)) b[i] = 0.0;
        }
        const bool is_number =
            std::isfinite(max_abs(b)) && std::isfinite(h.largest(static_cast<std::size_t>(n_)));
        const ConstVec z(line(k), b.size());
        double gap = is_number ? penalty_.gap(z, b, h) : std::nan("");
        if (is_rounded_ && gap == kInfinity) gap = distance_to_minimiser(penalty_, z, b, h);
        sums[k] += gap * gap;
      },
      executor);
}

void Panel::residuals(const double* f, double* out, Executor& executor) {
  fill_models(f, rank_);
  executor.map(chunks_.count(), [&](Index chunk) {
    for_segments(chunk, [&](const Segment& segment, Index begin, Index end) {
      lines::residuals(segment.q, rank_, f, room_.y.data(), stride_, begin, end, out);
    });
  });
  if (cell_at_.empty()) return;
  const double sign = part_.data->kind() == Observed::Kind::holes ? 1.0 : -1.0;
  for (Index k = 0; k < rank_; ++k) {
    for_cells(0, n_, k, [&](Index i, Index e, double z) {
      out[k * stride_ + i] += sign * room_.model[e] * z;
    });
  }
}

}  // namespace gingham::alternation
