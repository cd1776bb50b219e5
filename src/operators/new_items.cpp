#include "gingham/operators/new_items.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/isa.hpp"

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

// y += x z
GINGHAM_MULTIARCH void add_cell(double x, const double* z, Index rank, double* y) {
  for (Index k = 0; k < rank; ++k) y[k] += x * z[k];
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
    : block_(&fresh),
      mode_(mode),
      n_(fresh.shape()[mode]),
      rank_(factors[mode == 0 ? 1 : 0].cols()),
      factors_(factors),
      value_scale_(value_scale) {
  whole_.emplace_back(rank_, rank_);
  std::fill_n(whole_[0].data(), whole_[0].size(), 1.0);
  Matrix one;
  for (Index m = 0; m < fresh.modes(); ++m) {
    if (m == mode) continue;
    if (factors[m].rows() != fresh.shape()[m] || factors[m].cols() != rank_)
      throw Error(ErrorCode::internal, fresh.name(), "new items: a factor does not fit its mode");
    cells_per_item_ *= static_cast<double>(fresh.shape()[m]);
    gram(factors[m], one, executor);
    for (Index e = 0; e < one.size(); ++e) whole_[0].data()[e] *= std::as_const(one).data()[e];
  }
  if (fresh.is_sparse()) {
    entries_ = listed_cells(fresh.values(), mode);
    groups_ = entries_.empty() ? Partition::even(n_, 1) : Partition::weighted(entries_.pointers);
    if (!fresh.has_missing()) return;
    observed_.emplace(fresh, executor);
    grams_.emplace(*observed_, mode, factors, whole_);
    return;
  }
  const Matrix* matrix = fresh.dense_matrix();
  cells_ = matrix != nullptr ? matrix->data() : fresh.dense_tensor()->data();
  const Index last = fresh.modes() - 1;
  for (Index m = 0; m <= last; ++m) {
    if (m != mode) (m < mode ? n_left_ : m < last ? n_middle_ : n_last_) *= fresh.shape()[m];
  }
  group_ = std::max<Index>(1, kTogether / (n_middle_ * n_last_));
  groups_ =
      Partition::even((n_ + group_ - 1) / group_, group_ * n_left_ * n_middle_ * n_last_ * rank_);
}

void NewItems::add(Index begin, Index end, double* y, NewItem* seen) const {
  std::fill(seen, seen + (end - begin), NewItem{.has_all = true});
  if (cells_ == nullptr) {
    for (Index i = begin; i < end; ++i) add_sparse(i, y + (i - begin) * rank_, seen[i - begin]);
    return;
  }
  for (Index from = begin; from < end; from += kTogether)
    add_dense(from, std::min(from + kTogether, end), y + (from - begin) * rank_,
              seen + (from - begin));
}

void NewItems::times_rows(Index from, Index to, Index at, double* z) const {
  for (Index m = to; m-- > from; at /= factors_[m].rows()) {
    const double* row = factors_[m].data() + at % factors_[m].rows() * rank_;
    for (Index k = 0; k < rank_; ++k) z[k] *= row[k];
  }
}

// Within each place on the left the items side by side, so that memory is read in order; panels of
// the last mode, so that rows of its factor are used for several items while they are near.
void NewItems::add_dense(Index begin, Index end, double* y, NewItem* seen) const {
  const Index last = block_->modes() - 1;
  std::vector<double> left(static_cast<std::size_t>(rank_)), z = left, sums = left;
  for (Index l = 0; l < n_left_; ++l) {
    std::fill(left.begin(), left.end(), 1.0);
    times_rows(0, mode_, l, left.data());
    if (mode_ == last) {
      add_across({cells_ + l * n_ + begin, end - begin, value_scale_, rank_}, left.data(), y, seen);
      continue;
    }
    for (Index m = 0; m < n_middle_; ++m) {
      z = left;
      times_rows(mode_ + 1, last, m, z.data());
      for (Index from = 0; from < n_last_; from += kPanel) {
        const double* rows = factors_[last].data() + from * rank_;
        for (Index i = begin; i < end; ++i)
          add_along({cells_ + ((l * n_ + i) * n_middle_ + m) * n_last_ + from,
                     std::min(kPanel, n_last_ - from), value_scale_, rank_},
                    z.data(), rows, sums.data(), y + (i - begin) * rank_, seen[i - begin]);
      }
    }
  }
}

void NewItems::add_sparse(Index item, double* y, NewItem& seen) const {
  const bool hides = block_->unlisted() == Unlisted::missing;
  const bool lists_all = static_cast<double>(entries_.count(item)) >= cells_per_item_;
  seen.has_some = !hides && !lists_all;
  seen.has_all = !hides || lists_all;
  const std::size_t last = entries_.others.size() - 1;
  std::vector<double> z(static_cast<std::size_t>(rank_));
  for (Index e = entries_.begin(item); e < entries_.end(item); ++e) {
    const double value = entries_.values[e] * value_scale_;
    if (value != value) {
      seen.has_all = false;
      continue;
    }
    seen.has_some = true;
    seen.squares += value * value;
    const double* row = nullptr;
    for (std::size_t o = last + 1; o-- > 0;) {
      const Index m = static_cast<Index>(o) + (static_cast<Index>(o) >= mode_ ? 1 : 0);
      const double* own = factors_[m].data() + entries_.others[o][e] * rank_;
      if (row == nullptr) {
        row = own;
        continue;
      }
      for (Index k = 0; k < rank_; ++k) z[k] = row[k] * own[k];
      row = z.data();
    }
    add_cell(value, row, rank_, y);
  }
}

// visit(z) for the missing cells of an item, or for the others.
template <class Visit>
void NewItems::for_dense(Index item, bool are_missing, const Visit& visit) const {
  const Index last = block_->modes() - 1;
  std::vector<double> left(static_cast<std::size_t>(rank_)), middle = left, z = left;
  for (Index l = 0; l < n_left_; ++l) {
    std::fill(left.begin(), left.end(), 1.0);
    times_rows(0, mode_, l, left.data());
    for (Index m = 0; m < n_middle_; ++m) {
      const double* line = cells_ + ((l * n_ + item) * n_middle_ + m) * n_last_;
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

void NewItems::gram_of(Index item, Matrix& q) const {
  if (!grams_) return dense_gram(item, q);
  std::vector<double> room;
  grams_->make(item, q, room);
}

// All cells less the missing ones where these are fewer and enough is left, else the observed ones.
void NewItems::dense_gram(Index item, Matrix& q) const {
  double n_missing = 0.0;
  const auto count = [&](double x) { n_missing += std::isnan(x) ? 1.0 : 0.0; };
  for (Index l = 0; l < n_left_; ++l) {
    const double* line = cells_ + (l * n_ + item) * n_middle_ * n_last_;
    std::for_each(line, line + n_middle_ * n_last_, count);
  }
  const auto add_where = [&](bool are_missing, double sign) {
    double* const sums = q.data();
    for_dense(item, are_missing, [&](const double* z) { add_square(sign, z, rank_, sums); });
    mirror(q);
  };
  if (2.0 * n_missing < cells_per_item_) {
    q = whole_[0];
    add_where(true, -1.0);
    bool is_cancelled = false;
    for (Index k = 0; k < rank_; ++k)
      is_cancelled =
          is_cancelled || (whole_[0](k, k) > 0.0 && has_cancelled(q(k, k), whole_[0](k, k)));
    if (!is_cancelled) return;
  }
  q = Matrix(rank_, rank_);
  add_where(false, 1.0);
}

}  // namespace gingham
