#include "gingham/methods/kernel_views/plain_subspace.hpp"

#include <cmath>

namespace gingham::methods::kernel_views {

using views::Real;

namespace {

Rows zeros(std::size_t rows, std::size_t cols) { return Rows(rows, std::vector<Real>(cols, 0)); }

std::size_t width(const Rows& x) { return x.empty() ? 0 : x[0].size(); }

}  // namespace

Rows plain_rows(const Matrix& x) {
  Rows rows;
  for (Index i = 0; i < x.rows(); ++i) rows.emplace_back(x.row(i).begin(), x.row(i).end());
  return rows;
}

Rows plain_transposed_product(const Rows& a, const Rows& b) {
  Rows product = zeros(width(a), width(b));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < width(a); ++k) {
      for (std::size_t l = 0; l < width(b); ++l) product[k][l] += a[i][k] * b[i][l];
    }
  }
  return product;
}

Rows plain_product(const Rows& a, const Rows& b) {
  Rows product = zeros(a.size(), width(b));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      for (std::size_t l = 0; l < width(b); ++l) product[i][l] += a[i][k] * b[k][l];
    }
  }
  return product;
}

Rows plain_product(const Triangle& a, const Rows& b) {
  Rows product = zeros(b.size(), width(b));
  for (Index i = 0; i < a.n(); ++i) {
    for (Index j = 0; j < a.n(); ++j) {
      for (std::size_t k = 0; k < width(b); ++k) product[i][k] += a.at(i, j) * b[j][k];
    }
  }
  return product;
}

Real plain_inner_product(const Rows& a, const Rows& b) {
  Real total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < width(a); ++k) total += a[i][k] * b[i][k];
  }
  return total;
}

Real plain_subspace_gap(const Rows& u, const Rows& mu) {
  const Rows inside = plain_product(u, plain_transposed_product(u, mu));
  Real squares = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (std::size_t k = 0; k < width(u); ++k) squares += std::pow(mu[i][k] - inside[i][k], 2);
  }
  return std::sqrt(squares);
}

}  // namespace gingham::methods::kernel_views
