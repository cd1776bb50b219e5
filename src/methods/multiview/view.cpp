#include "gingham/methods/multiview/view.hpp"

#include <cmath>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::multiview {

using views::kCancels;

View::View(const Block& block, views::Scale scale, double weight, Executor& executor)
    : scaled_(block, scale, executor), weight_(weight) {}

std::vector<std::uint8_t> View::seen_rows() const {
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(rows()), 1);
  if (!scaled_.has_missing()) return seen;
  const std::vector<double> ones(static_cast<std::size_t>(cols()), 1.0);
  std::vector<double> count(seen.size());
  scaled_.observed_row_products(ones, ones, count);
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = count[i] > 0.5 ? 1 : 0;
  return seen;
}

void View::forget_terms() {
  terms_.clear();
  used_ = 0;
}

void View::subtract(std::vector<double> left, std::vector<double> right) {
  terms_.push_back({std::move(left), std::move(right)});
}

// |r_i|^2 without the terms, cell by cell.
double View::residual_of_row(Index i, Vec scratch) const {
  scaled_.fill_row(i, scratch, std::nan(""));
  for (const Term& term : terms_) {
    if (term.left[i] != 0.0) axpy(-term.left[i], term.right, scratch);
  }
  double sum = 0.0;
  for (const double cell : scratch) sum += cell == cell ? cell * cell : 0.0;
  return sum;
}

double View::residual_squares(std::vector<Term> terms) const {
  View rest = *this;
  rest.forget_terms();
  const std::vector<double>& squares = scaled_.row_squares();
  std::vector<double> left = squares;
  for (Term& term : terms) {
    const Products z = rest.row_products(term.right);
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double a = term.left[i];
      if (a != 0.0) left[i] -= a * (2.0 * z.values[i] - a * z.norms[i]);
    }
    rest.subtract(std::move(term.left), std::move(term.right));
    rest.use_terms(rest.n_terms());
  }
  const Partition blocks = Partition::even(rows(), cols());
  scaled_.executor().map(blocks.count(), [&](Index block) {
    std::vector<double> scratch;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      if (left[i] >= kCancels * squares[i]) continue;
      scratch.resize(static_cast<std::size_t>(cols()));
      left[i] = rest.residual_of_row(i, scratch);
    }
  });
  return sum(left);
}

Products View::row_products(ConstVec v) const {
  Products found{std::vector<double>(static_cast<std::size_t>(rows())), {}};
  if (squares() == 0.0) return found;  // not what rounding leaves of it
  if (!scaled_.has_missing()) {
    scaled_.multiply(v, found.values);
    found.norms.all = sum_squares(v);
    for (Index t = 0; t < used_; ++t) {
      axpy(-dot(terms_[t].right, v), terms_[t].left, found.values);
    }
    return found;
  }
  found.norms.each.resize(found.values.size());
  scaled_.multiply_observed(v, found.values, found.norms.each);
  std::vector<double> inner(used_ > 0 ? found.values.size() : 0);
  for (Index t = 0; t < used_; ++t) {
    scaled_.observed_row_products(terms_[t].right, v, inner);
    for (std::size_t i = 0; i < inner.size(); ++i) found.values[i] -= terms_[t].left[i] * inner[i];
  }
  return found;
}

Products View::column_products(ConstVec a) const {
  Products found{std::vector<double>(static_cast<std::size_t>(cols())), {}};
  if (squares() == 0.0) return found;
  if (!scaled_.has_missing()) {
    scaled_.multiply_transposed(a, found.values);
    found.norms.all = sum_squares(a);
    for (Index t = 0; t < used_; ++t) {
      axpy(-dot(terms_[t].left, a), terms_[t].right, found.values);
    }
    return found;
  }
  found.norms.each.resize(found.values.size());
  scaled_.multiply_transposed_observed(a, found.values, found.norms.each);
  std::vector<double> inner(used_ > 0 ? found.values.size() : 0);
  for (Index t = 0; t < used_; ++t) {
    scaled_.observed_column_products(terms_[t].left, a, inner);
    for (std::size_t j = 0; j < inner.size(); ++j) found.values[j] -= terms_[t].right[j] * inner[j];
  }
  return found;
}

}  // namespace gingham::methods::multiview
