#include "gingham/methods/tensor/transform_slices.hpp"

#include <algorithm>

#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/isa.hpp"

namespace gingham::methods::tensor {
namespace {

// Rows: all combinations of rows of the factors of modes [from, to), the last fastest.
Matrix row_products(const std::vector<Matrix>& factors, Index from, Index to, Index rank) {
  Matrix product(1, rank);
  std::fill_n(product.data(), rank, 1.0);
  for (Index m = from; m < to; ++m) {
    Matrix longer(checked_mul(product.rows(), factors[m].rows(), "factor products"), rank);
    Index row = 0;
    for (Index i = 0; i < product.rows(); ++i) {
      for (Index j = 0; j < factors[m].rows(); ++j, ++row) {
        for (Index k = 0; k < rank; ++k) longer(row, k) = product(i, k) * factors[m](j, k);
      }
    }
    product = std::move(longer);
  }
  return product;
}

struct DenseSlices {
  const double* cells;
  Index n_left, n_slices, n_right;
  const double *left, *right;
  Index rank;
  double value_scale;
};

// Values next to each other in memory that one block should read together.
constexpr Index kTogether = 32;

// y_i += x z for slices of one cell per left row.
GINGHAM_MULTIARCH void add_thin(const DenseSlices& x, Index begin, Index end, double* y,
                                double* squares, char* has_some, char* has_all) {
  for (Index l = 0; l < x.n_left; ++l) {
    const double* left = x.left + l * x.rank;
    for (Index i = begin; i < end; ++i) {
      const double value = x.cells[l * x.n_slices + i] * x.value_scale;
      if (value != value) {
        has_all[i] = 0;
        continue;
      }
      has_some[i] = 1;
      squares[i] += value * value;
      for (Index k = 0; k < x.rank; ++k) y[i * x.rank + k] += value * left[k];
    }
  }
}

// Slices side by side within each left row, so that memory is read in order.
GINGHAM_MULTIARCH void add_dense(const DenseSlices& x, Index begin, Index end, double* y,
                                 double* squares, char* has_some, char* has_all, double* sums) {
  for (Index l = 0; l < x.n_left; ++l) {
    const double* left = x.left + l * x.rank;
    for (Index i = begin; i < end; ++i) {
      const double* row = x.cells + (l * x.n_slices + i) * x.n_right;
      std::fill_n(sums, x.rank, 0.0);
      for (Index r = 0; r < x.n_right; ++r) {
        const double value = row[r] * x.value_scale;
        if (value != value) {
          has_all[i] = 0;
          continue;
        }
        has_some[i] = 1;
        squares[i] += value * value;
        const double* right = x.right + r * x.rank;
        for (Index k = 0; k < x.rank; ++k) sums[k] += value * right[k];
      }
      for (Index k = 0; k < x.rank; ++k) y[i * x.rank + k] += left[k] * sums[k];
    }
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
    : block_(&block), n_(block.shape()[mode]), value_scale_(value_scale), factors_(factors) {
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
    is_last_ = mode + 1 == block.modes();
    left_ = row_products(factors_, 0, mode, rank_);
    right_ = row_products(factors_, mode + 1, block.modes(), rank_);
    group_ = std::max<Index>(1, kTogether / right_.rows());
    groups_ =
        Partition::even((n_ + group_ - 1) / group_, group_ * left_.rows() * right_.rows() * rank_);
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
    const DenseSlices x{cells_,       left_.rows(),  n_,    right_.rows(),
                        left_.data(), right_.data(), rank_, value_scale_};
    std::vector<double> sums(static_cast<std::size_t>(rank_));
    if (is_last_) {
      add_thin(x, begin, end, y, squares, has_some, has_all);
    } else {
      add_dense(x, begin, end, y, squares, has_some, has_all, sums.data());
    }
    return;
  }
  for (Index i = begin; i < end; ++i)
    add_sparse(i, y + i * rank_, squares[i], has_some[i], has_all[i]);
}

void Slices::add_sparse(Index slice, double* y, double& squares, char& has_some,
                        char& has_all) const {
  const bool hides = block_->unlisted() == Unlisted::missing;
  const auto n_listed = static_cast<double>(pointers_[slice + 1] - pointers_[slice]);
  has_some = !hides && n_listed < slice_cells_ ? 1 : 0;
  has_all = hides ? 0 : 1;
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
  if (gram.rows() != rank_) gram = Matrix(rank_, rank_);
  std::fill_n(gram.data(), gram.size(), 0.0);
  if (cells_ != nullptr) {
    dense_gram(slice, gram);
  } else {
    sparse_gram(slice, gram);
  }
  mirror(gram);
}

void Slices::dense_gram(Index slice, Matrix& gram) const {
  std::vector<double> z(static_cast<std::size_t>(rank_));
  for (Index l = 0; l < left_.rows(); ++l) {
    const double* row = cells_ + (l * n_ + slice) * right_.rows();
    for (Index r = 0; r < right_.rows(); ++r) {
      if (row[r] != row[r]) continue;
      for (Index k = 0; k < rank_; ++k) z[k] = left_(l, k) * right_(r, k);
      add_square(z.data(), gram);
    }
  }
}

// The listed values, and where unlisted cells are zeros these too: all cells less the listed ones.
// Of that difference a component keeps nothing where it is no more than rounding.
void Slices::sparse_gram(Index slice, Matrix& gram) const {
  constexpr double kRounding = 1e-10;
  const bool hides = block_->unlisted() == Unlisted::missing;
  Matrix listed(rank_, rank_);
  std::vector<double> z(static_cast<std::size_t>(rank_));
  for (Index e = pointers_[slice]; e < pointers_[slice + 1]; ++e) {
    product_at(e, z.data());
    if (!hides) add_square(z.data(), listed);
    if (values_[e] == values_[e]) add_square(z.data(), gram);
  }
  if (hides) return;
  std::vector<char> is_left(static_cast<std::size_t>(rank_));
  for (Index k = 0; k < rank_; ++k)
    is_left[k] = full_gram_(k, k) - listed(k, k) > kRounding * full_gram_(k, k) ? 1 : 0;
  for (Index a = 0; a < rank_; ++a) {
    for (Index b = 0; b <= a; ++b) {
      if (is_left[a] != 0 && is_left[b] != 0) gram(a, b) += full_gram_(a, b) - listed(a, b);
    }
  }
}

}  // namespace gingham::methods::tensor
