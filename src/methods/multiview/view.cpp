#include "gingham/methods/multiview/view.hpp"

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::multiview {

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
