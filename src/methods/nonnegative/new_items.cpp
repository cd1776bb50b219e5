#include "gingham/methods/nonnegative/new_items.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/isa.hpp"
#include "gingham/methods/nonnegative/run_grams.hpp"

namespace gingham::methods::nonnegative {
namespace {

constexpr Index kPanel = 64;  // cells of several items that are read before the next ones

struct Dense {
  const double* cells;
  Index item_step, cell_step, n_cells;
  const double* other;
  Index rank;
};

// Panels of cells, so that rows of B are used for several items while they are near.
GINGHAM_MULTIARCH void add_dense(const Dense& x, Index begin, Index end, double* y, NewItem* seen) {
  for (Index from = 0; from < x.n_cells; from += kPanel) {
    const Index to = std::min(from + kPanel, x.n_cells);
    for (Index i = begin; i < end; ++i) {
      double* sums = y + (i - begin) * x.rank;
      NewItem& item = seen[i - begin];
      for (Index j = from; j < to; ++j) {
        const double value = x.cells[i * x.item_step + j * x.cell_step];
        if (value != value) continue;
        ++item.n_observed;
        item.squares += value * value;
        const double* b = x.other + j * x.rank;
        for (Index k = 0; k < x.rank; ++k) sums[k] += value * b[k];
      }
    }
  }
}

GINGHAM_MULTIARCH void add_entries(const double* values, const std::int32_t* places, Index n,
                                   const double* other, Index rank, double* y, NewItem& item) {
  for (Index e = 0; e < n; ++e) {
    const double value = values[e];
    if (value != value) continue;
    ++item.n_observed;
    item.squares += value * value;
    const double* b = other + places[e] * rank;
    for (Index k = 0; k < rank; ++k) y[k] += value * b[k];
  }
}

// q += sign b b^T, on and below the diagonal.
GINGHAM_MULTIARCH void add_square(double sign, const double* b, Index rank, double* q) {
  for (Index k = 0; k < rank; ++k) {
    const double factor = sign * b[k];
    for (Index l = 0; l <= k; ++l) q[k * rank + l] += factor * b[l];
  }
}

void mirror(Matrix& q) {
  for (Index k = 0; k < q.rows(); ++k) {
    for (Index l = 0; l < k; ++l) q(l, k) = q(k, l);
  }
}

}  // namespace

NewItems::NewItems(const Block& fresh, int side, const Matrix& other, Executor& executor)
    : other_(other), n_(fresh.shape()[side]), n_cells_(fresh.shape()[1 - side]) {
  if (other.rows() != n_cells_)
    throw Error(ErrorCode::internal, fresh.name(), "new items: the factor does not fit");
  gram(other, gram_, executor);
  if (const Matrix* x = fresh.dense_matrix()) {
    cells_ = x->data();
    item_step_ = side == 0 ? x->cols() : 1;
    cell_step_ = side == 0 ? 1 : x->cols();
    return;
  }
  entries_ = side == 0 ? fresh.sparse_matrix() : &fresh.sparse_matrix()->transposed();
  has_zeros_ = fresh.unlisted() == Unlisted::zero;
}

Index NewItems::work() const {
  const Index n_read = entries_ != nullptr ? entries_->entries() / n_ + 1 : n_cells_;
  return (n_read + rank() * rank()) * rank();
}

void NewItems::add(Index begin, Index end, double* y, NewItem* seen) const {
  if (entries_ == nullptr) {
    const Dense x{cells_, item_step_, cell_step_, n_cells_, other_.data(), rank()};
    return add_dense(x, begin, end, y, seen);
  }
  for (Index i = begin; i < end; ++i) {
    const Index from = entries_->pointers()[i], n = entries_->pointers()[i + 1] - from;
    NewItem& item = seen[i - begin];
    add_entries(entries_->values().data() + from, entries_->columns().data() + from, n,
                other_.data(), rank(), y + (i - begin) * rank(), item);
    if (has_zeros_) item.n_observed += n_cells_ - n;
  }
}

template <class Visit>
void NewItems::for_each_observed(Index item, const Visit& visit) const {
  if (entries_ == nullptr) {
    for (Index j = 0; j < n_cells_; ++j) {
      if (!std::isnan(cells_[item * item_step_ + j * cell_step_])) visit(j);
    }
    return;
  }
  Index j = 0;
  for (Index e = entries_->pointers()[item]; e < entries_->pointers()[item + 1]; ++e) {
    const Index place = entries_->columns()[e];
    for (; has_zeros_ && j < place; ++j) visit(j);
    j = place + 1;
    if (!std::isnan(entries_->values()[e])) visit(place);
  }
  for (; has_zeros_ && j < n_cells_; ++j) visit(j);
}

template <class Visit>
void NewItems::for_each_missing(Index item, const Visit& visit) const {
  if (entries_ == nullptr) {
    for (Index j = 0; j < n_cells_; ++j) {
      if (std::isnan(cells_[item * item_step_ + j * cell_step_])) visit(j);
    }
    return;
  }
  for (Index e = entries_->pointers()[item]; e < entries_->pointers()[item + 1]; ++e) {
    if (std::isnan(entries_->values()[e])) visit(Index{entries_->columns()[e]});
  }
}

// All cells less the missing ones where these are fewer and enough is left, else the observed ones.
void NewItems::gram_of(Index item, const NewItem& seen, Matrix& q) const {
  const Index k = rank();
  if (lists_missing() && n_cells_ - seen.n_observed < seen.n_observed) {
    q = gram_;
    double* sums = q.data();
    for_each_missing(item, [&](Index j) { add_square(-1.0, other_.data() + j * k, k, sums); });
    bool cancels = false;
    for (Index l = 0; l < k; ++l) cancels = cancels || q(l, l) < kCancelled<double> * gram_(l, l);
    if (!cancels) return mirror(q);
  }
  q = Matrix(k, k);
  double* sums = q.data();
  for_each_observed(item, [&](Index j) { add_square(1.0, other_.data() + j * k, k, sums); });
  mirror(q);
}

}  // namespace gingham::methods::nonnegative
