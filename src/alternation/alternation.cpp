#include "gingham/alternation/alternation.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/alternation/in_double.hpp"
#include "gingham/kernels/columns.hpp"
#include "gingham/kernels/copies.hpp"
#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/residual.hpp"

namespace gingham::alternation {
namespace {

void multiply_entries(const Matrix& by, Matrix& product) {
  double* out = product.data();
  for (Index e = 0; e < product.size(); ++e) out[e] *= by.data()[e];
}

template <class T>
DenseMatrix<T> rows_of(const DenseMatrix<T>& factor, std::span<const Index> items) {
  DenseMatrix<T> part(std::ssize(items), factor.cols());
  for (Index r = 0; r < part.rows(); ++r)
    std::copy(factor.row(items[r]).begin(), factor.row(items[r]).end(), part.row(r).begin());
  return part;
}

template <class T>
void clear_column(DenseMatrix<T>& m, Index k) {
  for (Index i = 0; i < m.rows(); ++i) m(i, k) = T{0};
}

// Row and column k of a symmetric matrix.
void clear_crossing(Matrix& m, Index k) {
  for (Index l = 0; l < m.rows(); ++l) m(k, l) = m(l, k) = 0.0;
}
void scale_symmetric(ConstVec by, Matrix& m) {
  for (Index k = 0; k < m.rows(); ++k) {
    for (Index l = 0; l < m.cols(); ++l) m(k, l) *= by[k] * by[l];
  }
}

}  // namespace

template <class T>
DenseMatrix<T> columns_from(const DenseMatrix<T>& factor, Index first) {
  DenseMatrix<T> part(factor.rows(), factor.cols() - first);
  for (Index i = 0; i < factor.rows(); ++i)
    std::copy(factor.row(i).begin() + first, factor.row(i).end(), part.row(i).begin());
  return part;
}

template <class T>
Alternation<T>::Alternation(const Observed& data, std::vector<Rule> rules, bool whole_factors)
    : data_(&data), whole_factors_(whole_factors) {
  change(std::move(rules));
}

template <class T>
void Alternation<T>::change(std::vector<Rule> rules) {
  rules_ = std::move(rules);
  sets_.clear();
  for (Index n = 0; n < n_modes(); ++n) {
    const Rule& rule = rules_[static_cast<std::size_t>(n)];
    sets_.emplace_back(*rule.penalty, data_->classes(n), whole_factors_);
    sets_.back().judged = rule.judged;
  }
}

template <class T>
Index Alternation<T>::last_mode() const {
  Index last = n_modes() - 1;
  while (last > 0 && data_->size(last) == 1) --last;
  return last;
}

template <class T>
std::vector<Matrix> Alternation<T>::grams_of(const Factor& factor, Index mode,
                                             Executor& executor) const {
  const ItemClasses& classes = data_->classes(mode);
  std::vector<Matrix> all;
  Factor one;
  for (Index c = 0; c < classes.count(); ++c) {
    classes.count() == 1 ? gram(factor, one, executor)
                         : gram(rows_of(factor, classes.members(c)), one, executor);
    all.push_back(in_double(std::as_const(one)));
  }
  return all;
}

template <class T>
typename Alternation<T>::Whole Alternation<T>::whole(Index mode) const {
  const Index n_own = data_->classes(mode).count();
  Whole made{std::vector<Matrix>(static_cast<std::size_t>(n_own), Matrix(rank(), rank())), {}};
  for (Index c = 0; c < n_own; ++c) {
    Matrix& z = made.all[c];
    if (data_->is_matrix()) {
      const std::vector<Matrix>& others = grams_[1 - mode];
      for (std::size_t d = 0; d < others.size(); ++d) {
        if (data_->sees(mode, c, static_cast<Index>(d))) axpy(1.0, others[d].values(), z.values());
      }
      continue;
    }
    std::fill_n(z.data(), z.size(), 1.0);
    for (Index n = 0; n < n_modes(); ++n) {
      if (n != mode) multiply_entries(grams_[n][0], z);
    }
  }
  made.seen = data_->kind() == Observed::Kind::listed
                  ? std::vector<Matrix>(static_cast<std::size_t>(n_own), Matrix(rank(), rank()))
                  : made.all;
  return made;
}

// sum_i a_i a_i^T o Z_i
template <class T>
Matrix Alternation<T>::model_gram(const std::vector<Factor>& factors, Index mode,
                                  const std::vector<Matrix>& whole, Executor& executor) const {
  const Factor& a = factors[static_cast<std::size_t>(mode)];
  const Index k = a.cols();
  Matrix h(k, k);
  if (data_->cells(mode).empty()) {
    const std::vector<Matrix> own =
        &factors == &factors_ ? grams_[mode] : grams_of(a, mode, executor);
    for (std::size_t c = 0; c < own.size(); ++c) {
      Matrix part = own[c];
      multiply_entries(whole[c], part);
      axpy(1.0, std::as_const(part).values(), h.values());
    }
    return h;
  }
  const InDouble all(factors);
  const ItemGrams items(*data_, mode, all.all(), whole);
  const Partition blocks = Partition::weighted(data_->cells(mode).pointers, k * k, k * k);
  sum_blocks(executor, blocks.count(), h.values(), [&](Index block, Vec sums) {
    Matrix z;
    std::vector<double> room;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      items.make(i, z, room);
      add_outer(a.row(i), z, sums);
    }
  });
  return h;
}

template <class T>
void Alternation<T>::multiply(const std::vector<Factor>& factors, Index mode, Index from,
                              Factor& product, Executor& executor) const {
  if (from == 0) return data_->products(mode, std::span<const Factor>(factors), product, executor);
  std::vector<Factor> parts;
  for (Index n = 0; n < n_modes(); ++n)
    parts.push_back(n == mode ? Factor()
                              : columns_from(factors[static_cast<std::size_t>(n)], from));
  data_->products(mode, std::span<const Factor>(parts), product, executor);
}

template <class T>
const typename Alternation<T>::Factor& Alternation<T>::product(Index mode, Executor& executor) {
  if (has_product_[mode] == 0) multiply(factors_, mode, first_, products_[mode], executor);
  has_product_[mode] = 1;
  return products_[mode];
}

template <class T>
void Alternation<T>::begin(std::vector<Factor> factors, std::vector<double> weights, Index first,
                           Executor& executor, ConstVec known) {
  factors_ = std::move(factors);
  weights_ = std::move(weights);
  supports_.clear();
  products_.assign(factors_.size(), Factor());
  has_product_.assign(factors_.size(), 0);
  moved_.assign(factors_.size() + 1, 0.0);
  grams_.clear();
  for (Index n = 0; n < n_modes(); ++n) grams_.push_back(grams_of(factors_[n], n, executor));
  const Index last = last_mode();
  if (!known.empty()) linear_.assign(known.begin(), known.end());
  if (std::ssize(linear_) < first) {
    Factor y;
    multiply(factors_, last, 0, y, executor);
    linear_ = column_products(y, factors_[last], 0, executor);
  }
  first_ = first;
  linear_.resize(static_cast<std::size_t>(rank()));
  const std::vector<double> unknown =
      column_products(product(last, executor), factors_[last], first_, executor);
  std::copy(unknown.begin(), unknown.end(), linear_.begin() + first_);
  quadratic_ = model_gram(factors_, last, whole(last).seen, executor);
}

template <class T>
void Alternation<T>::rescale(const Matrix& scales, double low, double high, Executor& executor) {
  const auto is_one = [](double x) { return x == 1.0; };
  std::vector<double> model(static_cast<std::size_t>(rank()), 1.0);
  for (Index n = 0; n < n_modes(); ++n) {
    const ConstVec by = scales.row(n);
    for (Index k = 0; k < rank(); ++k) model[k] *= by[k];
    if (std::all_of(by.begin(), by.end(), is_one)) continue;
    scale_columns(by, low, high, factors_[n], executor);
    for (Matrix& g : grams_[n]) scale_symmetric(by, g);
  }
  for (Index n = 0; n < n_modes(); ++n) {
    std::vector<double> others(static_cast<std::size_t>(rank() - first_), 1.0);
    for (Index m = 0; m < n_modes(); ++m) {  // not model / own: that may be 0 / 0
      for (Index k = first_; k < rank(); ++k) others[k - first_] *= m == n ? 1.0 : scales(m, k);
    }
    if (has_product_[n] != 0 && !std::all_of(others.begin(), others.end(), is_one))
      scale_columns(others, -kInfinity, kInfinity, products_[n], executor);
  }
  for (Index k = 0; k < rank(); ++k) linear_[k] *= model[k];
  scale_symmetric(model, quadratic_);
}

template <class T>
void Alternation<T>::remove(Index k) {
  for (Index n = 0; n < n_modes(); ++n) {
    clear_column(factors_[n], k);
    for (Matrix& g : grams_[n]) clear_crossing(g, k);
    if (has_product_[n] != 0) clear_column(products_[n], k - first_);
  }
  linear_[k] = 0.0;
  clear_crossing(quadratic_, k);
  weights_[k] = 0.0;
}

template <class T>
double Alternation<T>::squares_left() const {
  double left = data_->squares();
  for (Index k = 0; k < rank(); ++k)
    left += weights_[k] * (dot(quadratic_.row(k), weights_) - 2.0 * linear_[k]);
  return std::max(left, 0.0);
}

template <class T>
double Alternation<T>::exact_squares_left(Executor& executor) const {
  return residual_squares(*data_, {InDouble(factors_).all(), weights_}, executor);
}

template <class T>
double Alternation<T>::lost_without(Index k) const {
  const double residual = linear_[k] - dot(quadratic_.row(k), weights_);
  return weights_[k] * (2.0 * residual + weights_[k] * quadratic_(k, k));
}

template <class T>
typename Alternation<T>::Products Alternation<T>::products_of(const std::vector<Factor>& factors,
                                                              Index mode,
                                                              Executor& executor) const {
  Alternation other;
  other.data_ = data_;
  other.weights_ = weights_;
  for (Index n = 0; n < n_modes(); ++n)
    other.grams_.push_back(grams_of(factors[static_cast<std::size_t>(n)], n, executor));
  Products made{{}, linear_, model_gram(factors, mode, other.whole(mode).seen, executor)};
  multiply(factors, mode, first_, made.last, executor);
  const std::vector<double> unknown =
      column_products(made.last, factors[static_cast<std::size_t>(mode)], first_, executor);
  std::copy(unknown.begin(), unknown.end(), made.linear.begin() + first_);
  return made;
}

template <class T>
void Alternation<T>::jump(std::vector<Factor> factors, std::vector<double> weights, Index mode,
                          Products products, Executor& executor) {
  factors_ = std::move(factors);
  weights_ = std::move(weights);
  for (Index n = 0; n < n_modes(); ++n) {
    grams_[n] = grams_of(factors_[n], n, executor);
    has_product_[n] = 0;
  }
  products_[mode] = std::move(products.last);
  has_product_[mode] = 1;
  linear_ = std::move(products.linear);
  quadratic_ = std::move(products.quadratic);
}

template <class T>
bool Alternation<T>::is_consistent() const {
  const Index k = rank(), n_all = n_modes();
  const auto is_square = [&](const Matrix& m) { return m.rows() == k && m.cols() == k; };
  bool fits = std::ssize(factors_) == n_all && first_ >= 0 && first_ <= k &&
              std::ssize(grams_) == n_all && std::ssize(products_) == n_all &&
              std::ssize(has_product_) == n_all && std::ssize(moved_) == n_all + 1 &&
              std::ssize(linear_) == k && is_square(quadratic_) &&
              (supports_.empty() || std::ssize(supports_) == n_all);
  for (Index n = 0; fits && n < n_all; ++n) {
    fits = factors_[n].rows() == data_->size(n) && factors_[n].cols() == k &&
           std::ssize(grams_[n]) == data_->classes(n).count() &&
           std::all_of(grams_[n].begin(), grams_[n].end(), is_square) &&
           (has_product_[n] == 0 ||
            (products_[n].rows() == data_->size(n) && products_[n].cols() == k - first_)) &&
           (supports_.empty() || std::ssize(supports_[n]) == factors_[n].size());
  }
  return fits;
}

template class Alternation<double>;
template class Alternation<float>;
template Matrix columns_from(const Matrix&, Index);
template MatrixF columns_from(const MatrixF&, Index);

}  // namespace gingham::alternation
