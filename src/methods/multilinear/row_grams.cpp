#include "gingham/methods/multilinear/row_grams.hpp"

namespace gingham::methods::multilinear {
namespace {

void weigh(const double* z, const std::vector<double>& weights, double* q) {
  for (const double left : weights) {
    for (const double right : weights) *q++ = left * right * *z++;
  }
}

}  // namespace

Matrix weighted(const Matrix& z, const std::vector<double>& weights) {
  Matrix q(z.rows(), z.cols());
  weigh(z.data(), weights, q.data());
  return q;
}

void RowGrams::make(Index i, const std::vector<double>& weights) {
  items_.make(i, z_, room_);
  weigh(z_.data(), weights, q_.data());
}

void RowGrams::add(const double* a, double* sums) const {
  const double* z = z_.data();
  for (Index k = 0; k < z_.rows(); ++k) {
    for (Index l = 0; l < z_.rows(); ++l) *sums++ += a[k] * a[l] * *z++;
  }
}

}  // namespace gingham::methods::multilinear
