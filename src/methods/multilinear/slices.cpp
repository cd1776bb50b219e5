#include "gingham/methods/multilinear/slices.hpp"

#include <algorithm>

#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/isa.hpp"

namespace gingham::methods::multilinear {
namespace {

// Values next to each other in memory that one block should read together.
constexpr Index kTogether = 32;

struct Line {
  const double* x;  // values next to each other
  Index n;
  double value_scale;
  Index rank;
};

// Slices side by side, a value of each: y_i += x_i z.
GINGHAM_MULTIARCH void add_across(const Line& line, const double* z, double* y, double* squares,
                                  char* has_some, char* has_all) {
  for (Index i = 0; i < line.n; ++i) {
    const double value = line.x[i] * line.value_scale;
    if (value != value) {
      has_all[i] = 0;
      continue;
    }
    has_some[i] = 1;
    squares[i] += value * value;
    for (Index k = 0; k < line.rank; ++k) y[i * line.rank + k] += value * z[k];
  }
}

// Values of one slice along the last mode: y += z o sum_r x_r a_r; sums: room for K values.
GINGHAM_MULTIARCH void add_along(const Line& line, const double* z, const double* a, double* sums,
                                 double* y, double& squares, char& has_some, char& has_all) {
  std::fill_n(sums, line.rank, 0.0);
  for (Index r = 0; r < line.n; ++r) {
    const double value = line.x[r] * line.value_scale;
    if (value != value) {
      has_all = 0;
      continue;
    }
    has_some = 1;
    squares += value * value;
    const double* row = a + r * line.rank;
    for (Index k = 0; k < line.rank; ++k) sums[k] += value * row[k];
  }
  for (Index k = 0; k < line.rank; ++k) y[k] += z[k] * sums[k];
}

// z_k *= the rows of the factors of modes [from, to) at the place `at`, the last fastest.
void times_rows(const std::vector<Matrix>& factors, Index from, Index to, Index at, double* z) {
  for (Index m = to; m-- > from; at /= factors[m].rows()) {
    const ConstVec row = factors[m].row(at % factors[m].rows());
    for (std::size_t k = 0; k < row.size(); ++k) z[k] *= row[k];
  }
}

// gram += z z^T, below and on the diagonal.
void add_square(const double* z, Matrix& gram) {
  for (Index a = 0; a < gram.rows(); ++a) {
    for (Index b = 0; b <= a; ++b) gram(a, b) += z[a] * z[b];
  }
}

void mirror(Matrix& gram) {
  for (Index a = 0; a < gram.rows(); ++a) {
    for (Index b = 0; b < a; ++b) gram(b, a) = gram(a, b);
  }
}

}  // namespace

Slices::Slices(const Block& block, Index mode, const std::vector<Matrix>& factors,
               double value_scale, Executor& executor)
    : block_(&block),
      n_(block.shape()[mode]),
      value_scale_(value_scale),
      factors_(factors),
      mode_(mode) {
  for (Index m = 0; m < block.modes(); ++m) {
    if (m != mode) rank_ = factors_[m].cols();
  }
  full_gram_ = Matrix(rank_, rank_);
  std::fill_n(full_gram_.data(), full_gram_.size(), 1.0);
  Matrix gram_of_one;
  for (Index m = 0; m < block.modes(); ++m) {
    if (m == mode) continue;
    if (factors_[m].rows() != block.shape()[m] || factors_[m].cols() != rank_)
      throw Error(ErrorCode::internal, "", "slices: a factor does not fit its mode");
    slice_cells_ *= static_cast<double>(block.shape()[m]);
    gram(factors_[m], gram_of_one, executor);
    for (Index at = 0; at < full_gram_.size(); ++at)
      full_gram_.data()[at] *= std::as_const(gram_of_one).data()[at];
  }
  if (block.dense_matrix() != nullptr || block.dense_tensor() != nullptr) {
    cells_ = block.dense_matrix() != nullptr ? block.dense_matrix()->data()
                                             : block.dense_tensor()->data();
    const Index last = block.modes() - 1;
    for (Index m = 0; m < block.modes(); ++m) {
      if (m != mode) (m < mode ? n_left_ : m < last ? n_middle_ : n_last_) *= block.shape()[m];
    }
    group_ = std::max<Index>(1, kTogether / (n_middle_ * n_last_));
    groups_ =
        Partition::even((n_ + group_ - 1) / group_, group_ * n_left_ * n_middle_ * n_last_ * rank_);
    return;
  }
  if (const SparseMatrix* x = block.sparse_matrix()) {
    const SparseMatrix& rows = mode == 0 ? *x : x->transposed();
    pointers_ = rows.pointers().data();
    values_ = rows.values().data();
    others_.push_back({rows.columns().data(), &factors_[1 - mode]});
  } else {
    const SparseTensor::Grouped& grouped = block.sparse_tensor()->grouped(mode);
    pointers_ = grouped.pointers.data();
    values_ = grouped.values.data();
    for (Index m = 0; m < block.modes(); ++m) {
      if (m != mode) others_.push_back({grouped.coordinates[m].data(), &factors_[m]});
    }
  }
  if (block.summary().missing > 0) {
    factors_[mode] = Matrix(0, rank_);
    observed_.emplace(block, executor);
    missing_.emplace(*observed_->pattern(), mode, factors_);
  }
  groups_ = Partition::weighted({pointers_, static_cast<std::size_t>(n_ + 1)});
}

void Slices::product_at(Index entry, double* z) const {
  std::fill_n(z, rank_, 1.0);
  for (const Other& other : others_) {
    const double* row = other.factor->data() + other.index[entry] * rank_;
    for (Index k = 0; k < rank_; ++k) z[k] *= row[k];
  }
}

void Slices::add(Index begin, Index end, double* y, double* squares, char* has_some,
                 char* has_all) const {
  std::fill(has_some + begin, has_some + end, 0);
  std::fill(has_all + begin, has_all + end, 1);
  if (cells_ != nullptr) {
    add_dense(begin, end, y, squares, has_some, has_all);
    return;
  }
  for (Index i = begin; i < end; ++i)
    add_sparse(i, y + i * rank_, squares[i], has_some[i], has_all[i]);
}

void Slices::left_product(Index at, double* z) const {
  std::fill_n(z, rank_, 1.0);
  times_rows(factors_, 0, mode_, at, z);
}

void Slices::times_middle(Index at, double* z) const {
  times_rows(factors_, mode_ + 1, block_->modes() - 1, at, z);
}

// Within each place on the left the slices side by side, so that memory is read in order.
void Slices::add_dense(Index begin, Index end, double* y, double* squares, char* has_some,
                       char* has_all) const {
  const bool is_last = mode_ + 1 == block_->modes();
  std::vector<double> left(static_cast<std::size_t>(rank_)), z = left, sums = left;
  for (Index l = 0; l < n_left_; ++l) {
    left_product(l, left.data());
    if (is_last) {
      add_across({cells_ + l * n_ + begin, end - begin, value_scale_, rank_}, left.data(),
                 y + begin * rank_, squares + begin, has_some + begin, has_all + begin);
      continue;
    }
    for (Index i = begin; i < end; ++i) {
      for (Index m = 0; m < n_middle_; ++m) {
        z = left;
        times_middle(m, z.data());
        add_along({cells_ + ((l * n_ + i) * n_middle_ + m) * n_last_, n_last_, value_scale_, rank_},
                  z.data(), factors_.back().data(), sums.data(), y + i * rank_, squares[i],
                  has_some[i], has_all[i]);
      }
    }
  }
}

void Slices::add_sparse(Index slice, double* y, double& squares, char& has_some,
                        char& has_all) const {
  const bool hides = block_->unlisted() == Unlisted::missing;
  const auto n_listed = static_cast<double>(pointers_[slice + 1] - pointers_[slice]);
  has_some = !hides && n_listed < slice_cells_ ? 1 : 0;
  has_all = hides && n_listed < slice_cells_ ? 0 : 1;
  std::vector<double> z(static_cast<std::size_t>(rank_));
  for (Index e = pointers_[slice]; e < pointers_[slice + 1]; ++e) {
    const double value = values_[e] * value_scale_;
    if (value != value) {
      has_all = 0;
      continue;
    }
    has_some = 1;
    squares += value * value;
    product_at(e, z.data());
    for (Index k = 0; k < rank_; ++k) y[k] += value * z[k];
  }
}

void Slices::gram_of(Index slice, Matrix& gram) const {
  if (missing_) {
    ItemGrams grams(*observed_, *missing_, full_gram_);
    grams.make(slice, std::vector<double>(static_cast<std::size_t>(rank_), 1.0));
    gram = grams.q();
    return;
  }
  if (gram.rows() != rank_) gram = Matrix(rank_, rank_);
  std::fill_n(gram.data(), gram.size(), 0.0);
  dense_gram(slice, gram);
  mirror(gram);
}

void Slices::dense_gram(Index slice, Matrix& gram) const {
  const bool is_last = mode_ + 1 == block_->modes();
  std::vector<double> left(static_cast<std::size_t>(rank_)), middle = left, z = left;
  for (Index l = 0; l < n_left_; ++l) {
    left_product(l, left.data());
    for (Index m = 0; m < n_middle_; ++m) {
      const double* line = cells_ + ((l * n_ + slice) * n_middle_ + m) * n_last_;
      middle = left;
      times_middle(m, middle.data());
      for (Index r = 0; r < n_last_; ++r) {
        if (line[r] != line[r]) continue;
        z = middle;
        for (Index k = 0; k < rank_ && !is_last; ++k) z[k] *= factors_.back()(r, k);
        add_square(z.data(), gram);
      }
    }
  }
}

}  // namespace gingham::methods::multilinear
