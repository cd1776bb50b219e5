#include "gingham/alternation/alternation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/kernels/columns.hpp"
#include "gingham/kernels/copies.hpp"
#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/residual.hpp"

namespace gingham::alternation {
namespace {

constexpr double kRounding = 1e-14;  // of |X|^2: objectives that differ by less are the same

void multiply_entries(const Matrix& by, Matrix& product) {
  double* out = product.data();
  for (Index e = 0; e < product.size(); ++e) out[e] *= by.data()[e];
}

// All factors in double; no copy where they are.
class InDouble {
 public:
  explicit InDouble(const std::vector<Matrix>& factors) : all_(factors) {}
  explicit InDouble(const std::vector<MatrixF>& factors) {
    for (const MatrixF& factor : factors) copies_.push_back(in_double(factor));
    all_ = copies_;
  }
  std::span<const Matrix> all() const { return all_; }

 private:
  std::vector<Matrix> copies_;
  std::span<const Matrix> all_;
};

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
std::vector<Matrix> Alternation<T>::whole(Index mode, Cells cells) const {
  const Index n_own = data_->classes(mode).count();
  std::vector<Matrix> all(static_cast<std::size_t>(n_own), Matrix(rank(), rank()));
  if (data_->kind() == Observed::Kind::listed && cells == Cells::seen) return all;
  for (Index c = 0; c < n_own; ++c) {
    double* z = all[c].data();
    if (data_->is_matrix()) {
      const std::vector<Matrix>& others = grams_[1 - mode];
      for (std::size_t d = 0; d < others.size(); ++d) {
        if (data_->sees(mode, c, static_cast<Index>(d)))
          axpy(1.0, others[d].values(), all[c].values());
      }
      continue;
    }
    std::fill_n(z, all[c].size(), 1.0);
    for (Index n = 0; n < n_modes(); ++n) {
      if (n != mode) multiply_entries(grams_[n][0], all[c]);
    }
  }
  return all;
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
  const Partition blocks = Partition::weighted(data_->cells(mode).pointers);
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
                           Executor& executor) {
  factors_ = std::move(factors);
  weights_ = std::move(weights);
  supports_.clear();
  products_.assign(factors_.size(), Factor());
  has_product_.assign(factors_.size(), 0);
  moved_.assign(factors_.size() + 1, 0.0);
  grams_.clear();
  for (Index n = 0; n < n_modes(); ++n) grams_.push_back(grams_of(factors_[n], n, executor));
  const Index last = last_mode();
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
  quadratic_ = model_gram(factors_, last, whole(last), executor);
}

template <class T>
struct Alternation<T>::Surroundings {
  std::vector<Matrix> whole, q;
  InDouble factors;
  std::optional<ItemGrams> grams;
};

template <class T>
template <class Body>
auto Alternation<T>::with_step(Index mode, Index first, const Factor& y, const Added& added,
                               const Body& body) const {
  const bool has_cells = !data_->cells(mode).empty();
  static const std::vector<Factor> not_needed;
  Surroundings all{whole(mode), {}, InDouble(has_cells ? factors_ : not_needed), {}};
  FactorPart part{.data = data_,
                  .mode = mode,
                  .weights = weights_,
                  .diagonal = added.diagonal,
                  .cross = added.cross,
                  .first = first};
  const std::vector<Matrix> all_cells = whole(mode, Cells::all);
  part.largest = largest_entry(mode, all_cells);
  if (rules_[static_cast<std::size_t>(mode)].may_wait) {
    for (Index k = 0; k < rank(); ++k)
      part.waits.push_back(weights_[k] * all_cells[0](k, k) * weights_[k] > 0.0 ? 0 : 1);
  }
  for (Matrix q : all.whole) {
    part.complete(q);
    all.q.push_back(std::move(q));
  }
  part.q = &all.q;
  if (has_cells) {
    part.factors = all.factors.all();
    all.grams.emplace(*data_, mode, part.factors, all.whole);
    part.grams = &*all.grams;
  }
  static const Support none;
  const Support& support = supports_.empty() ? none : supports_[mode];
  return body(FactorStep<T>{part, sets_[mode], y, support});
}

// An entry that explains as much as there is has the size |X| / sqrt(h). Far beyond that, h the
// largest curvature: the same multiple of the data whatever their unit, as long as the squares of a
// column can be summed.
template <class T>
double Alternation<T>::largest_entry(Index mode, const std::vector<Matrix>& all_cells) const {
  constexpr double kFar = std::is_same_v<T, double> ? 1e60 : 1e12;
  double h = 0.0;
  for (const Matrix& z : all_cells) {
    for (Index k = 0; k < rank(); ++k) h = std::max(h, weights_[k] * z(k, k) * weights_[k]);
  }
  const double n = std::max(static_cast<double>(data_->size(mode)), 1.0);
  const double range = 0.5 * std::sqrt(static_cast<double>(std::numeric_limits<T>::max()) / n);
  const double far = kFar * std::sqrt(data_->squares() / h);
  return far > 0.0 && far < range ? far : range;
}

// At least the largest eigenvalue of every item's Q: for a matrix without negative entries it is at
// most max_i (Q x)_i / x_i, for any x > 0.
template <class T>
double Alternation<T>::lipschitz(Index mode, const FactorPart& part) const {
  constexpr int kSteps = 40;
  constexpr double kLeast = 1e-6;  // of the largest entry of x
  double largest = 0.0;
  for (Matrix q : whole(mode, Cells::all)) {
    part.complete(q);
    std::vector<double> x(static_cast<std::size_t>(rank()), 1.0), y(x.size());
    double bound = kInfinity;
    for (int step = 0; step < kSteps; ++step) {
      double most = 0.0, length = 0.0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        y[k] = dot(std::as_const(q).row(static_cast<Index>(k)), x);
        most = std::max(most, y[k] / x[k]);
        length = std::max(length, y[k]);
      }
      bound = std::min(bound, most);
      if (!(length > 0.0)) break;
      for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::max(y[k] / length, kLeast);
    }
    largest = std::max(largest, bound);
  }
  return largest;
}

template <class T>
void Alternation<T>::update(Index mode, int passes, const Added& added, Executor& executor) {
  const Factor& y = product(mode, executor);
  moved_.back() = 0.0;
  Matrix h;
  with_step(mode, first_, y, added, [&](const FactorStep<T>& step) {
    const bool has_bound = !sets_[mode].sets.empty();
    const double squares = whole_factors_ ? step.solve(has_bound ? lipschitz(mode, step.part) : 0.0,
                                                       factors_[mode], executor)
                                          : step.sweep(passes, factors_[mode], h, executor);
    moved_[mode] = std::sqrt(squares);
  });
  for (std::size_t n = 0; n < has_product_.size(); ++n)
    has_product_[n] = static_cast<Index>(n) == mode ? 1 : 0;
  grams_[mode] = grams_of(factors_[mode], mode, executor);
  const std::vector<double> unknown = column_products(y, factors_[mode], first_, executor);
  std::copy(unknown.begin(), unknown.end(), linear_.begin() + first_);
  quadratic_ = h.size() > 0 ? std::move(h) : model_gram(factors_, mode, whole(mode), executor);
}

template <class T>
void Alternation<T>::update_weights(double cap, int passes) {
  double squares = 0.0;
  for (int pass = 0; pass < passes; ++pass) {
    for (Index k = first_; k < rank(); ++k) {
      const double curvature = quadratic_(k, k);
      if (!(curvature > 0.0)) continue;
      const double now = std::clamp(weight_pull(k, rank()) / curvature, 0.0, cap);
      squares += curvature * (now - weights_[k]) * (now - weights_[k]);
      weights_[k] = now;
    }
  }
  moved_.back() = std::sqrt(squares);
}

// c_k less what the other components before n_explaining explain.
template <class T>
double Alternation<T>::weight_pull(Index k, Index n_explaining) const {
  double pull = linear_[k];
  for (Index l = 0; l < n_explaining; ++l) {
    if (l != k) pull -= quadratic_(k, l) * weights_[l];
  }
  return pull;
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
bool Alternation<T>::remove_costly(FunctionRef<Savings()> savings) {
  const double rounding = kRounding * data_->squares();
  double squares = moved_.back() * moved_.back();
  bool is_changed = false;
  const auto take_away = [&](Index k) {
    squares += weights_[k] * weights_[k] * quadratic_(k, k);
    remove(k);
    is_changed = true;
  };
  for (bool goes_on = true; goes_on;) {
    const Savings saved = savings();
    Index costliest = -1;
    double most = rounding;
    for (Index k = first_; k < rank(); ++k) {
      const double gain = weights_[k] == 0.0 ? 0.0 : saved.of_component[k] - 0.5 * lost_without(k);
      if (!(gain > most)) continue;
      most = gain;
      costliest = k;
    }
    goes_on = costliest >= 0;
    if (goes_on) {
      take_away(costliest);
    } else if (first_ == 0 &&
               0.5 * squares_left() + saved.all > 0.5 * data_->squares() + rounding) {
      for (Index k = 0; k < rank(); ++k) take_away(k);
    }
  }
  if (is_changed) moved_.back() = std::sqrt(squares);
  return is_changed;
}

template <class T>
std::vector<double> Alternation<T>::gaps(Index mode, Index from, Beside beside,
                                         const std::vector<std::uint8_t>& members_only,
                                         const Added& added, Executor& executor) {
  Factor own;
  if (from < first_) multiply(factors_, mode, from, own, executor);
  const Factor& y = from < first_ ? own : product(mode, executor);
  return with_step(mode, std::min(from, first_), y, added, [&](const FactorStep<T>& step) {
    return step.gaps(beside, members_only, factors_[mode], executor);
  });
}

template <class T>
double Alternation<T>::weights_gap(Index from, Beside beside, double cap) const {
  double largest = 0.0;
  for (Index k = from; k < rank(); ++k) {
    const double curvature = quadratic_(k, k);
    if (!(curvature > 0.0)) continue;
    const double pull = weight_pull(k, beside == Beside::before ? k : rank());
    const double off = weights_[k] - std::clamp(pull / curvature, 0.0, cap);
    largest = std::max(largest, curvature * off * off);
  }
  return largest;
}

template <class T>
void Alternation<T>::for_each_column(Index mode, Beside beside,
                                     FunctionRef<void(Index, ConstVec, Curvature)> visit,
                                     Executor& executor) {
  const Factor& y = product(mode, executor);
  with_step(mode, first_, y, {}, [&](const FactorStep<T>& step) {
    step.for_each_column(beside, factors_[mode], visit, executor);
  });
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
  Products made{{}, linear_, model_gram(factors, mode, other.whole(mode), executor)};
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
