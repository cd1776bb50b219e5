#include "gingham/methods/multilinear/solver.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/multilinear/columns.hpp"
#include "gingham/methods/multilinear/row_grams.hpp"
#include "gingham/operators/residual.hpp"

namespace gingham::methods::multilinear {
namespace {

constexpr int kPasses = 2;           // over the entries of a row per product with the data
constexpr int kWeightPasses = 2;     // over the weights after every mode
constexpr double kRounding = 1e-14;  // of |X0|^2: costs that differ by less are the same

void multiply_entries(const Matrix& by, Matrix& product) {
  double* out = product.data();
  for (Index i = 0; i < product.size(); ++i) out[i] *= by.data()[i];
}

}  // namespace

Solver::Solver(const Observed& data, Problem problem) : data_(&data) {
  change_problem(std::move(problem));
  for (Index n = 0; n < data.n_modes(); ++n) {
    if (data.shape()[n] > 1) sweep_.push_back(n);
  }
  if (sweep_.empty()) sweep_.push_back(0);
}

void Solver::change_problem(Problem problem) {
  problem_ = std::move(problem);
  halved_.clear();
  for (const auto& one : problem_.asked) halved_.push_back(one ? one->times(0.5) : nullptr);
  if (problem_.asked.empty() || !observed_.empty()) return;
  for (Index n = 0; n < data_->n_modes(); ++n) observed_.push_back(data_->observed_items(n));
}

std::vector<Matrix> Solver::unknown_columns(const Factors& factors, Index except) const {
  std::vector<Matrix> parts;
  for (Index n = 0; n < factors.n_modes(); ++n) {
    parts.push_back(n == except ? Matrix() : columns_from(factors.modes[n], first_));
  }
  return parts;
}

Matrix Solver::product_of_grams(Index except) const {
  Matrix product(factors_.n_components(), factors_.n_components());
  std::fill(product.values().begin(), product.values().end(), 1.0);
  for (Index n = 0; n < factors_.n_modes(); ++n) {
    if (n != except) multiply_entries(grams_[n], product);
  }
  return product;
}

void Solver::make_grams(Executor& executor) {
  grams_.resize(factors_.modes.size());
  for (std::size_t n = 0; n < grams_.size(); ++n) gram(factors_.modes[n], grams_[n], executor);
}

Matrix Solver::observed_gram(const Factors& factors, Index mode, const Matrix& others,
                             Executor& executor) const {
  const Matrix& a = factors.modes[mode];
  const Index k = a.cols();
  Matrix h(k, k);
  if (data_->kind() == Observed::Kind::complete) {
    gram(a, h, executor);
    multiply_entries(others, h);
    return h;
  }
  const Partition blocks = Partition::weighted(data_->cells(mode).pointers);
  const ItemGrams items(*data_, mode, factors.modes, {&others, 1});
  sum_blocks(executor, blocks.count(), h.values(), [&](Index block, Vec partial) {
    RowGrams grams(items, k);
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      grams.make(i, factors.weights);
      grams.add(a.data() + i * k, partial.data());
    }
  });
  return h;
}

Solver::Products Solver::products_of(const Factors& factors, Executor& executor) const {
  const Index mode = sweep_.back(), k = factors.n_components();
  Products made;
  Matrix others(k, k);
  std::fill(others.values().begin(), others.values().end(), 1.0);
  for (Index n = 0; n < factors.n_modes(); ++n) {
    if (n == mode) continue;
    Matrix one;
    gram(factors.modes[n], one, executor);
    multiply_entries(one, others);
  }
  made.quadratic = observed_gram(factors, mode, others, executor);
  data_->products(mode, first_ == 0 ? factors.modes : unknown_columns(factors, mode), made.last,
                  executor);
  made.linear = products_.linear;
  made.linear.resize(static_cast<std::size_t>(k));
  for (Index c = first_; c < k; ++c) {
    double sum = 0.0;
    for (Index i = 0; i < made.last.rows(); ++i) {
      sum += made.last(i, c - first_) * factors.modes[mode](i, c);
    }
    made.linear[c] = sum;
  }
  return made;
}

void Solver::begin(Factors factors, Index first, Executor& executor) {
  for (Index n = 0; n < factors.n_modes(); ++n) {
    if (std::find(sweep_.begin(), sweep_.end(), n) != sweep_.end()) continue;
    for (Index k = first; k < factors.n_components(); ++k) {  // its scale goes to another mode
      const double scale = factors.modes[n](0, k);
      factors.modes[n](0, k) = 1.0;
      Matrix& other = factors.modes[sweep_.front()];
      for (Index i = 0; i < other.rows(); ++i) other(i, k) *= scale;
    }
  }
  for (Index k = first; k < factors.n_components(); ++k) {
    Matrix& a = factors.modes[sweep_.front()];
    const EntryRule rule = problem_.rule(sweep_.front());
    for (Index i = 0; i < a.rows(); ++i) a(i, k) = std::clamp(a(i, k), rule.low, rule.high);
  }
  factors_ = std::move(factors);
  first_ = first;
  supports_.clear();
  moved_.assign(factors_.modes.size() + 1, 0.0);
  if (static_cast<Index>(products_.linear.size()) < first_) products_.linear.clear();
  if (products_.linear.empty() && first_ > 0) {  // what the given columns explain
    first_ = 0;
    products_ = products_of(factors_, executor);
    first_ = first;
  }
  products_ = products_of(factors_, executor);
  make_grams(executor);
}

void Solver::jump(Factors factors, Products products, Executor& executor) {
  factors_ = std::move(factors);
  products_ = std::move(products);
  make_grams(executor);
}

RowProblem Solver::row_problem(Index mode, const Matrix& q, Index first) const {
  const EntryRule rule = problem_.rule(mode);
  std::vector<std::uint8_t> waits;
  for (Index k = 0; k < q.rows(); ++k) {
    waits.push_back(rule.l1 == 0.0 && !(q(k, k) > 0.0) ? 1 : 0);
  }
  return {.q = q.data(),
          .weights = factors_.weights.data(),
          .n_columns = factors_.n_components(),
          .first = first,
          .rule = rule.times(0.5),
          .waits = std::move(waits)};
}

void Solver::update_mode(Index mode, Executor& executor) {
  data_->products(mode, first_ == 0 ? factors_.modes : unknown_columns(factors_, mode),
                  products_.last, executor);
  products_.rounding = 1.0;
  const Matrix others = product_of_grams(mode);
  if (problem_.held(mode) != nullptr) {
    update_columns(mode, others, executor);
  } else {
    update_rows(mode, others, executor);
  }
  update_weights();
}

void Solver::update_rows(Index mode, const Matrix& others, Executor& executor) {
  const Index k = factors_.n_components(), n_unknown = k - first_;
  const Matrix& y = products_.last;
  const Matrix q = weighted(others, factors_.weights);
  const RowProblem problem = row_problem(mode, q, first_);
  const bool is_complete = data_->kind() == Observed::Kind::complete;
  Matrix& a = factors_.modes[mode];
  double* out = a.data();
  const std::uint8_t* keep = supports_.empty() ? nullptr : supports_[mode].data();
  const Partition blocks = is_complete ? Partition::even(a.rows(), kPasses * k * n_unknown)
                                       : Partition::weighted(data_->cells(mode).pointers);
  const ItemGrams items(*data_, mode, factors_.modes, {&others, 1});
  // Moved, c of the unknown columns, and H where it differs from row to row.
  std::vector<double> sums(static_cast<std::size_t>(1 + n_unknown + (is_complete ? 0 : k * k)));
  sum_blocks(executor, blocks.count(), std::span<double>(sums), [&](Index block, Vec partial) {
    const Index begin = blocks.begin(block), end = blocks.end(block);
    if (is_complete) {
      partial[0] = RowSweep(problem).run(y.data(), keep, begin, end, kPasses, out);
    } else {
      RowProblem own = problem;
      RowGrams grams(items, k);
      own.q = grams.q().data();
      for (Index i = begin; i < end; ++i) {
        grams.make(i, factors_.weights);
        double* row = out + i * k;
        partial[0] += sweep_row(own, y.data() + i * n_unknown,
                                keep == nullptr ? nullptr : keep + i * k, kPasses, row);
        grams.add(row, partial.data() + 1 + n_unknown);
      }
    }
    for (Index i = begin; i < end; ++i) {
      for (Index c = 0; c < n_unknown; ++c) {
        partial[1 + c] += y(i, c) * out[i * k + first_ + c];
      }
    }
  });
  moved_[mode] = std::sqrt(sums[0]);
  std::copy_n(sums.begin() + 1, n_unknown, products_.linear.begin() + first_);
  gram(a, grams_[mode], executor);
  if (is_complete) {
    products_.quadratic = grams_[mode];
    multiply_entries(others, products_.quadratic);
  } else {
    std::copy_n(sums.begin() + 1 + n_unknown, k * k, products_.quadratic.data());
  }
}

std::vector<double> Solver::curvatures(Index mode, const Matrix& others, Executor& executor) const {
  const Index k = factors_.n_components();
  if (data_->kind() == Observed::Kind::complete) {
    const Matrix q = weighted(others, factors_.weights);
    return {q.values().begin(), q.values().end()};
  }
  std::vector<double> all(static_cast<std::size_t>(data_->shape()[mode] * k * k));
  const Partition blocks = Partition::weighted(data_->cells(mode).pointers);
  const ItemGrams items(*data_, mode, factors_.modes, {&others, 1});
  double* to = all.data();
  executor.map(blocks.count(), [&](Index block) {
    RowGrams grams(items, k);
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      grams.make(i, factors_.weights);
      std::copy_n(grams.q().data(), k * k, to + i * k * k);
    }
  });
  return all;
}

void Solver::update_columns(Index mode, const Matrix& others, Executor& executor) {
  Matrix& a = factors_.modes[mode];
  const Matrix& y = products_.last;
  const std::vector<double> q = curvatures(mode, others, executor);
  Columns columns(y, factors_.weights, first_, q);
  moved_[mode] = std::sqrt(columns.sweep(*halved_[mode], kPasses, a, executor));
  for (Index k = first_; k < factors_.n_components(); ++k) {
    double sum = 0.0;
    for (Index i = 0; i < a.rows(); ++i) sum += y(i, k - first_) * a(i, k);
    products_.linear[k] = sum;
  }
  gram(a, grams_[mode], executor);
  products_.quadratic = observed_gram(factors_, mode, others, executor);
}

void Solver::for_each_column(Index mode, Beside beside, Index from, Executor& executor,
                             FunctionRef<void(Index, ConstVec, Curvature)> visit) const {
  Matrix y;
  data_->products(mode, factors_.modes, y, executor);
  const std::vector<double> q = curvatures(mode, product_of_grams(mode), executor);
  Columns columns(y, factors_.weights, 0, q);
  for (Index k = from; k < factors_.n_components(); ++k) {
    if (is_empty(k)) continue;
    const Index n_explaining = beside == Beside::all      ? factors_.n_components()
                               : beside == Beside::before ? k
                                                          : 0;
    columns.look_at(k, n_explaining, factors_.modes[mode], executor);
    visit(k, columns.b(), columns.h());
  }
}

// argmin over 0 <= rho <= cap of rho^T H rho - 2 rho^T c, one weight at a time.
void Solver::update_weights() {
  moved_.back() = 0.0;
  if (problem_.fixed_weights) return;
  std::vector<double>& rho = factors_.weights;
  double squares = 0.0;
  for (int pass = 0; pass < kWeightPasses; ++pass) {
    for (Index k = first_; k < factors_.n_components(); ++k) {
      const ConstVec line = products_.quadratic.row(k);
      if (!(line[k] > 0.0)) continue;
      double pull = products_.linear[k];
      for (std::size_t l = 0; l < line.size(); ++l) {
        if (static_cast<Index>(l) != k) pull -= line[l] * rho[l];
      }
      const double now = std::clamp(pull / line[k], 0.0, problem_.weight_cap);
      squares += line[k] * (now - rho[k]) * (now - rho[k]);
      rho[k] = now;
    }
  }
  moved_.back() = std::sqrt(squares);
}

void Solver::end_sweep(Executor& executor) {
  if (problem_.is_penalised()) remove_empty();
  if (problem_.balance) {
    const Matrix scales = balance(problem_, first_, factors_);
    const Index last = sweep_.back();
    for (Index k = first_; k < factors_.n_components(); ++k) {
      double product = 1.0;
      for (Index n = 0; n < factors_.n_modes(); ++n) product *= scales(n, k);
      products_.linear[k] *= product;
      for (Index l = 0; l < factors_.n_components(); ++l) {
        products_.quadratic(k, l) *= product;
        products_.quadratic(l, k) *= product;
      }
      Matrix& y = products_.last;
      const double scale = product / scales(last, k);
      for (Index i = 0; i < y.rows(); ++i) y(i, k - first_) *= scale;
    }
  }
  make_grams(executor);
}

bool Solver::has_empty_mode(Index k) const {
  return factors_.weights[k] == 0.0 ||
         std::any_of(factors_.modes.begin(), factors_.modes.end(),
                     [&](const Matrix& a) { return largest_in_column(a, k) == 0.0; });
}

void Solver::remove(Index k) {
  factors_.weights[k] = 0.0;
  products_.linear[k] = 0.0;
  const std::vector<double> zeros(static_cast<std::size_t>(products_.last.rows()), 0.0);
  set_column(products_.last, k - first_, zeros);
  for (Matrix& a : factors_.modes) {
    for (Index i = 0; i < a.rows(); ++i) a(i, k) = 0.0;
  }
  for (Index l = 0; l < factors_.n_components(); ++l) {
    products_.quadratic(k, l) = products_.quadratic(l, k) = 0.0;
  }
}

// A component without members in one mode explains nothing: without it the penalty is lower.
void Solver::remove_empty() {
  for (Index k = first_; k < factors_.n_components(); ++k) {
    if (has_empty_mode(k)) remove(k);
  }
}

void Solver::remove_empty(Executor& executor) {
  remove_empty();
  make_grams(executor);
}

// sum_n g_n(a_k^(n)) - rho_k (2 c_k - rho_k H_kk - 2 sum_{l != k} H_kl rho_l)
double Solver::saving(Index k) const {
  const double rho = factors_.weights[k];
  const ConstVec line = products_.quadratic.row(k);
  double total = rho * (2.0 * (dot(line, factors_.weights) - products_.linear[k]) - rho * line[k]);
  for (Index n = 0; n < factors_.n_modes(); ++n) total += penalty_of(factors_, n, k);
  return total;
}

bool Solver::remove_costly(Executor& executor) {
  const double rounding = kRounding * data_->squares();
  double squares = moved_.back() * moved_.back();
  bool is_changed = false;
  const auto take_away = [&](Index k) {
    squares += factors_.weights[k] * factors_.weights[k] * products_.quadratic(k, k);
    remove(k);
    is_changed = true;
  };
  for (bool goes_on = true; goes_on;) {
    Index costliest = -1;
    double most = rounding;
    for (Index k = first_; k < factors_.n_components(); ++k) {
      const double saved = is_empty(k) ? 0.0 : saving(k);
      if (!(saved > most)) continue;
      most = saved;
      costliest = k;
    }
    goes_on = costliest >= 0;
    if (goes_on) take_away(costliest);
  }
  if (first_ == 0 && cost() > data_->squares() + rounding) {
    for (Index k = 0; k < factors_.n_components(); ++k) take_away(k);
  }
  if (!is_changed) return false;
  moved_.back() = std::sqrt(squares);
  make_grams(executor);
  return true;
}

void Solver::run_sweep(Executor& executor) {
  for (const Index mode : sweep_) update_mode(mode, executor);
  end_sweep(executor);
}

double Solver::loss() const {
  double linear = 0.0, quadratic = 0.0;
  const Index k = factors_.n_components();
  for (Index r = 0; r < k; ++r) {
    linear += factors_.weights[r] * products_.linear[r];
    quadratic += factors_.weights[r] * dot(products_.quadratic.row(r), factors_.weights);
  }
  return std::max(data_->squares() - 2.0 * linear + quadratic, 0.0);
}

double Solver::exact_loss(Executor& executor) const {
  return residual_squares(*data_, factors_, executor);
}

// A component that is not there pays nothing.
double Solver::penalty_of(const Factors& factors, Index mode, Index k) const {
  const std::vector<double> z = column(factors.modes[mode], k);
  if (problem_.asked.empty() || !problem_.asked[mode]) return problem_.lambda[mode] * sum_abs(z);
  if (factors.weights[k] == 0.0) return 0.0;
  return problem_.asked[mode]->value(z, observed_[mode]);
}

double Solver::penalty_of(const Factors& factors, Index mode) const {
  if (problem_.asked.empty() || !problem_.asked[mode]) {
    return problem_.lambda[mode] * sum_abs(factors.modes[mode].values());
  }
  double total = 0.0;
  for (Index k = 0; k < factors.n_components(); ++k) total += penalty_of(factors, mode, k);
  return total;
}

double Solver::cost() const {
  double total = loss();
  for (Index n = 0; n < factors_.n_modes(); ++n) total += penalty(n);
  return total;
}

double Solver::cost_of(const Factors& factors, const Products& products) const {
  double total = data_->squares();
  for (Index r = 0; r < factors.n_components(); ++r) {
    total += factors.weights[r] *
             (dot(products.quadratic.row(r), factors.weights) - 2.0 * products.linear[r]);
  }
  for (Index n = 0; n < factors.n_modes(); ++n) total += penalty_of(factors, n);
  return total;
}

double Solver::moved() const {
  const double size = data_->squares() > 0.0 ? std::sqrt(data_->squares()) : 1.0;
  double largest = 0.0;
  for (const double one : moved_) largest = std::max(largest, one / size);
  return largest;
}

double Solver::explained(Index k) const {
  const double rho = factors_.weights[k];
  const double residual = products_.linear[k] - dot(products_.quadratic.row(k), factors_.weights);
  return share_lost(rho * (2.0 * residual + rho * products_.quadratic(k, k)), data_->squares());
}

bool Solver::is_consistent() const {
  const Index k = factors_.n_components(), n_modes = data_->n_modes();
  bool fits = factors_.n_modes() == n_modes && first_ >= 0 && first_ <= k &&
              std::ssize(grams_) == n_modes && std::ssize(moved_) == n_modes + 1 &&
              std::ssize(products_.linear) == k && products_.quadratic.rows() == k &&
              products_.quadratic.cols() == k && products_.last.cols() == k - first_ &&
              (supports_.empty() || std::ssize(supports_) == n_modes);
  for (Index n = 0; fits && n < n_modes; ++n) {
    fits = factors_.modes[n].rows() == data_->shape()[n] && factors_.modes[n].cols() == k &&
           grams_[n].rows() == k && grams_[n].cols() == k &&
           (supports_.empty() || std::ssize(supports_[n]) == factors_.modes[n].size());
  }
  return fits;
}

}  // namespace gingham::methods::multilinear
