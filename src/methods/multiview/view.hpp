// One view of the subjects as the fit sees it: scaled, with the terms found so far taken away.
//
//   R = D S - sum_t a_t b_t^T        S: the scaled view, never formed; D: row weights
//
// Sums go over the observed cells.
#pragma once
#include <vector>

#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::multiview {

// Sums of squares over the observed cells of each row or column: one number where all are observed.
struct Norms {
  double all = 0.0;
  std::vector<double> each = {};
  double operator[](std::size_t i) const { return each.empty() ? all : each[i]; }
};

struct Products {
  std::vector<double> values;
  Norms norms;
};

class View {
 public:
  // Block and executor outlive this. `weight` multiplies the view's part of the loss.
  View(const Block& block, views::Scale scale, double weight, Executor& executor);

  Index rows() const { return scaled_.rows(); }
  Index cols() const { return scaled_.cols(); }
  double weight() const { return weight_; }
  Index constant_columns() const { return scaled_.constant_columns(); }
  const std::vector<double>& means() const { return scaled_.means(); }
  const std::vector<double>& column_scale() const { return scaled_.column_scale(); }
  // Of D S, without terms.
  double squares() const { return scaled_.squares(); }
  double row_squares(std::size_t i) const { return scaled_.row_squares()[i]; }
  void fill_row(Index i, Vec out) const { scaled_.fill_row(i, out); }  // missing cells as 0
  // Per row, whether any cell is observed.
  std::vector<std::uint8_t> seen_rows() const;
  void weight_rows(ConstVec weights) { scaled_.scale_rows(weights); }  // D

  Index n_terms() const { return std::ssize(terms_); }
  void forget_terms();
  void subtract(std::vector<double> left, std::vector<double> right);
  // Products take away the first n terms only, until the next call.
  void use_terms(Index n) { used_ = n; }

  // A rank-one term a b^T.
  struct Term {
    std::vector<double> left, right;
  };
  // |D S - sum_t a_t b_t^T|^2 over the observed cells, for these terms alone. What is left of a row
  // is its squares less what the terms explain, or, where too little of them is left for a
  // difference, added up cell by cell.
  double residual_squares(std::vector<Term> terms) const;

  // z_i = sum_j r_ij v_j  and  sum_j v_j^2
  Products row_products(ConstVec v) const;
  // y_j = sum_i r_ij a_i  and  sum_i a_i^2
  Products column_products(ConstVec a) const;

 private:
  double residual_of_row(Index i, Vec scratch) const;

  views::ScaledView scaled_;
  double weight_;
  std::vector<Term> terms_;
  Index used_ = 0;
};

}  // namespace gingham::methods::multiview
