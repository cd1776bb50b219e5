#include "gingham/operators/new_items.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

constexpr Index kTogether = 32;  // items, or values next to each other, that a block reads together
constexpr Index kPanel = 64;     // cells of several items that are read before the next ones

struct Line {
  const double* x;  // values next to each other
  Index n;
  double value_scale;
  Index rank;
};

// Items side by side, a value of each: y_i += x_i z.
GINGHAM_MULTIARCH void add_across(const Line& line, const double* z, double* y, NewItem* seen) {
  for (Index i = 0; i < line.n; ++i) {
    const double value = line.x[i] * line.value_scale;
    if (value != value) {
      seen[i].has_all = false;
      continue;
    }
    seen[i].has_some = true;
    seen[i].squares += value * value;
    for (Index k = 0; k < line.rank; ++k) y[i * line.rank + k] += value * z[k];
  }
}

// Values of one item along the last mode: y += z o sum_r x_r a_r; sums: room for K values.
GINGHAM_MULTIARCH void add_along(const Line& line, const double* z, const double* a, double* sums,
                                 double* y, NewItem& seen) {
  std::fill_n(sums, line.rank, 0.0);
  for (Index r = 0; r < line.n; ++r) {
    const double value = line.x[r] * line.value_scale;
    if (value != value) {
      seen.has_all = false;
      continue;
    }
    seen.has_some = true;
    seen.squares += value * value;
    const double* row = a + r * line.rank;
    for (Index k = 0; k < line.rank; ++k) sums[k] += value * row[k];
  }
  for (Index k = 0; k < line.rank; ++k) y[k] += z[k] * sums[k];
}

// q += sign z z^T, on and below the diagonal.
GINGHAM_MULTIARCH void add_square(double sign, const double* z, Index rank, double* q) {
  for (Index k = 0; k < rank; ++k) {
    const double factor = sign * z[k];
    for (Index l = 0; l <= k; ++l) q[k * rank + l] += factor * z[l];
  }
}

void mirror(Matrix& q) {
  for (Index k = 0; k < q.rows(); ++k) {
    for (Index l = 0; l < k; ++l) q(l, k) = q(k, l);
  }
}

}  // namespace

NewItems::NewItems(const Block& fresh, Index mode, std::span<const Matrix> factors,
                   double value_scale, Executor& executor)
    : fresh_(fresh),
      mode_(mode),
      factors_(factors),
      y_(fresh.shape()[mode], factors[mode == 0 ? 1 : 0].cols()),
      seen_(static_cast<std::size_t>(count()), NewItem{.has_all = true}) {
  for (Index m = 0; m < fresh.modes(); ++m) {
    if (m == mode) continue;
    if (factors[m].rows() != fresh.shape()[m] || factors[m].cols() != rank())
      throw Error(ErrorCode::internal, fresh.name(), "new items: a factor does not fit its mode");
    cells_per_item_ *= static_cast<double>(fresh.shape()[m]);
  }
  whole_.push_back(whole_gram(mode, factors, executor));
  fresh.is_sparse() ? take_sparse(value_scale, executor) : take_dense(value_scale, executor);
}

const Observed& NewItems::observed(Executor& executor) {
  if (!observed_) observed_.emplace(fresh_, executor);
  return *observed_;
}

void NewItems::take_sparse(double value_scale, Executor& executor) {
  const Observed& data = observed(executor);
  data.products(mode_, factors_, y_, executor);
  scale(value_scale, y_.values());
  if (data.kind() != Observed::Kind::complete) grams_.emplace(data, mode_, factors_, whole_);
  const CellList entries = data.entries(mode_), &cells = data.cells(mode_);
  const bool is_listed = data.kind() == Observed::Kind::listed;
  for (Index i = 0; i < count(); ++i) {
    NewItem& seen = seen_[static_cast<std::size_t>(i)];
    const Index n = cells.count(i);
    seen.has_some = data.is_seen(mode_, i);
    seen.has_all = is_listed ? static_cast<double>(n) >= cells_per_item_ : n == 0;
    for (Index e = entries.begin(i); e < entries.end(i); ++e) {
      const double value = entries.values[e] * value_scale;
      seen.squares += value * value;
    }
  }
}

void NewItems::take_dense(double value_scale, Executor& executor) {
  const Matrix* matrix = fresh_.dense_matrix();
  cells_ = matrix != nullptr ? matrix->data() : fresh_.dense_tensor()->data();
  const Index last = fresh_.modes() - 1;
  for (Index m = 0; m <= last; ++m) {
    if (m != mode_) (m < mode_ ? n_left_ : m < last ? n_middle_ : n_last_) *= fresh_.shape()[m];
  }
  // Items that lie in the same cache lines stay together.
  const Index n = count(), group = std::max<Index>(1, kTogether / (n_middle_ * n_last_));
  const Partition groups =
      Partition::even((n + group - 1) / group, group * n_left_ * n_middle_ * n_last_ * rank());
  double* const y = y_.data();
  executor.map(groups.count(), [&](Index block) {
    const Index end = std::min(groups.end(block) * group, n);
    for (Index from = groups.begin(block) * group; from < end; from += kTogether)
      add_dense(from, std::min(from + kTogether, end), value_scale, y + from * rank(),
                seen_.data() + from);
  });
}

Partition NewItems::blocks() const {
  if (grams_ && !observed_->cells(mode_).empty())
    return Partition::weighted(observed_->cells(mode_).pointers);
  const bool has_missing =
      std::any_of(seen_.begin(), seen_.end(), [](const NewItem& one) { return !one.has_all; });
  return Partition::even(count(),
                         (has_missing ? n_left_ * n_middle_ * n_last_ : 1) * rank() * rank());
}

void NewItems::times_rows(Index from, Index to, Index at, double* z) const {
  for (Index m = to; m-- > from; at /= factors_[m].rows()) {
    const double* row = factors_[m].data() + at % factors_[m].rows() * rank();
    for (Index k = 0; k < rank(); ++k) z[k] *= row[k];
  }
}

// Within each place on the left the items side by side, so that memory is read in order; panels of
// the last mode, so that rows of its factor are used for several items while they are near.
void NewItems::add_dense(Index begin, Index end, double value_scale, double* y,
                         NewItem* seen) const {
  const Index last = fresh_.modes() - 1;
  std::vector<double> left(static_cast<std::size_t>(rank())), z = left, sums = left;
  for (Index l = 0; l < n_left_; ++l) {
    std::fill(left.begin(), left.end(), 1.0);
    times_rows(0, mode_, l, left.data());
    if (mode_ == last) {
      add_across({cells_ + l * count() + begin, end - begin, value_scale, rank()}, left.data(), y,
                 seen);
      continue;
    }
    for (Index m = 0; m < n_middle_; ++m) {
      z = left;
      times_rows(mode_ + 1, last, m, z.data());
      for (Index from = 0; from < n_last_; from += kPanel) {
        const double* rows = factors_[last].data() + from * rank();
        for (Index i = begin; i < end; ++i)
          add_along({cells_ + ((l * count() + i) * n_middle_ + m) * n_last_ + from,
                     std::min(kPanel, n_last_ - from), value_scale, rank()},
                    z.data(), rows, sums.data(), y + (i - begin) * rank(), seen[i - begin]);
      }
    }
  }
}

// visit(z) for the missing cells of an item, or for the others.
template <class Visit>
void NewItems::for_dense(Index item, bool are_missing, const Visit& visit) const {
  const Index last = fresh_.modes() - 1;
  std::vector<double> left(static_cast<std::size_t>(rank())), middle = left, z = left;
  for (Index l = 0; l < n_left_; ++l) {
    std::fill(left.begin(), left.end(), 1.0);
    times_rows(0, mode_, l, left.data());
    for (Index m = 0; m < n_middle_; ++m) {
      const double* line = cells_ + ((l * count() + item) * n_middle_ + m) * n_last_;
      middle = left;
      times_rows(mode_ + 1, last, m, middle.data());
      for (Index r = 0; r < n_last_; ++r) {
        if (std::isnan(line[r]) != are_missing) continue;
        z = middle;
        if (mode_ != last) times_rows(last, last + 1, r, z.data());
        visit(z.data());
      }
    }
  }
}

// All cells less the missing ones where these are fewer and enough is left, else the observed ones.
void NewItems::gram_of(Index item, Matrix& q, std::vector<double>& room) const {
  if (grams_) return grams_->make(item, q, room);
  double n_missing = 0.0;
  for (Index l = 0; l < n_left_; ++l) {
    const double* line = cells_ + (l * count() + item) * n_middle_ * n_last_;
    for (Index c = 0; c < n_middle_ * n_last_; ++c) n_missing += std::isnan(line[c]) ? 1.0 : 0.0;
  }
  const auto add_where = [&](bool are_missing, double sign) {
    double* const sums = q.data();
    for_dense(item, are_missing, [&](const double* z) { add_square(sign, z, rank(), sums); });
    mirror(q);
  };
  if (2.0 * n_missing < cells_per_item_) {
    q = whole_[0];
    add_where(true, -1.0);
    bool is_cancelled = false;
    for (Index k = 0; k < rank(); ++k)
      is_cancelled =
          is_cancelled || (whole_[0](k, k) > 0.0 && has_cancelled(q(k, k), whole_[0](k, k)));
    if (!is_cancelled) return;
  }
  q = Matrix(rank(), rank());
  add_where(false, 1.0);
}

}  // namespace gingham
