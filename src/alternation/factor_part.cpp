#include "gingham/alternation/factor_part.hpp"

namespace gingham::alternation {

void FactorPart::complete(Matrix& z) const {
  for (Index k = 0; k < z.rows(); ++k) {
    for (Index l = 0; l < z.cols(); ++l) z(k, l) = weight(k) * weight(l) * z(k, l) + 2.0 * cross;
    if (!diagonal.empty()) z(k, k) += diagonal[k];
  }
}

void FactorPart::make(Index item, Matrix& item_q, std::vector<double>& room) const {
  grams->make(item, item_q, room);
  complete(item_q);
}

void FactorPart::column(Index item, Index k, Vec out) const {
  grams->column(item, k, out);
  for (std::size_t l = 0; l < out.size(); ++l)
    out[l] = weight(k) * weight(static_cast<Index>(l)) * out[l] + 2.0 * cross;
  if (!diagonal.empty()) out[k] += diagonal[k];
}

}  // namespace gingham::alternation
