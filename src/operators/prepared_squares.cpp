// What is left of a prepared matrix: sum over the observed cells of R^2, row by row from the cells
// themselves. Unlisted zeros of a sparse matrix: with M_i the sum of what is taken away from row i,
//
//   sum over unlisted j of M_ij^2 = c_i^T G c_i - sum over listed j of M_ij^2      G = B^T B
//
// c_i the row's factors of the outer products and B their other sides, centring among them.
#include <algorithm>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/double_double.hpp"
#include "gingham/kernels/isa.hpp"
#include "gingham/operators/prepared.hpp"
#include "gingham/operators/prepared_lines.hpp"

namespace gingham {
namespace {

constexpr Index kChunk = 512;  // cells of a row formed at a time
constexpr Index kLanes = 8;

// sum of r_j^2 over the cells that are not missing; the others become 0.
GINGHAM_MULTIARCH
double seen_squares(double* r, Index n) {
  for (Index j = 0; j < n; ++j) r[j] = r[j] == r[j] ? r[j] : 0.0;
  double lanes[kLanes] = {}, total = 0.0;
  Index j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    for (Index lane = 0; lane < kLanes; ++lane) lanes[lane] += r[j + lane] * r[j + lane];
  }
  for (; j < n; ++j) total += r[j] * r[j];
  for (const double lane : lanes) total += lane;
  return total;
}

// c_i^T G c_i - (listed), for rows whose factors are given one after the other.
class UnlistedSquares {
 public:
  UnlistedSquares(std::vector<const double*> others, Index cols)
      : others_(std::move(others)),
        n_(std::ssize(others_)),
        gram_(others_.size() * others_.size()) {
    for (Index k = 0; k < n_; ++k) {
      for (Index l = 0; l <= k; ++l) {
        DoubleDouble product;
        for (Index j = 0; j < cols; ++j) product += product_of(others_[k][j], others_[l][j]);
        gram_[k * n_ + l] = gram_[l * n_ + k] = product;
      }
    }
  }

  double of_row(const SparseMatrix& x, Index i, const std::vector<double>& c) const {
    double whole = 0.0, listed = 0.0;
    for (Index k = 0; k < n_; ++k) {
      for (Index l = 0; l < n_; ++l) whole += c[k] * c[l] * gram_[k * n_ + l].high;
    }
    for (Index e = x.pointers()[i]; e < x.pointers()[i + 1]; ++e) {
      double model = 0.0;
      for (Index k = 0; k < n_; ++k) model += c[k] * others_[k][x.columns()[e]];
      listed += model * model;
    }
    if (whole == 0.0 || !has_cancelled(whole - listed, whole)) return whole - listed;
    DoubleDouble outside;
    for (Index k = 0; k < n_; ++k) {
      for (Index l = 0; l < n_; ++l) {
        DoubleDouble one = gram_[k * n_ + l];
        one *= product_of(c[k], c[l]);
        outside += one;
      }
    }
    for (Index e = x.pointers()[i]; e < x.pointers()[i + 1]; ++e) {
      DoubleDouble model;
      for (Index k = 0; k < n_; ++k) model += product_of(c[k], others_[k][x.columns()[e]]);
      model *= DoubleDouble(model);
      outside -= model;
    }
    return std::max(static_cast<double>(outside), 0.0);
  }

 private:
  std::vector<const double*> others_;
  Index n_;
  std::vector<DoubleDouble> gram_;
};

}  // namespace

double PreparedMatrix::dense_squares(const std::vector<Outer>& outer) const {
  const Partition blocks = Partition::even(rows(), cols());
  return sum_blocks(*executor_, blocks.count(), [&](Index block) {
    Line model;
    double cells[kChunk];
    double total = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      model.set(outer, i);
      for (Index from = 0; from < cols(); from += kChunk) {
        const Index n = std::min(kChunk, cols() - from);
        residual_cells(i, from, n, model, cells);
        total += seen_squares(cells, n);
      }
    }
    return total;
  });
}

double PreparedMatrix::sparse_squares(const std::vector<Outer>& outer) const {
  const SparseMatrix& x = lines(Side::rows);
  const bool has_zeros = block_->unlisted() == Unlisted::zero;
  std::vector<const double*> others;
  for (const Outer& one : outer) others.push_back(one.other);
  const UnlistedSquares unlisted(has_zeros ? others : std::vector<const double*>{}, cols());
  const Partition blocks = Partition::weighted(x.pointers());
  return sum_blocks(*executor_, blocks.count(), [&](Index block) {
    Line model;
    std::vector<double> factors(outer.size());
    double total = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      model.set(outer, i);
      for (std::size_t k = 0; k < outer.size(); ++k) factors[k] = outer[k].weight * outer[k].own[i];
      if (has_zeros) total += unlisted.of_row(x, i, factors);
      for (Index e = x.pointers()[i]; e < x.pointers()[i + 1]; ++e) {
        if (x.values()[e] != x.values()[e]) continue;
        const double rest =
            preparation_(i, x.columns()[e], x.values()[e]) - model.terms(x.columns()[e]);
        total += rest * rest;
      }
    }
    return total;
  });
}

double PreparedMatrix::squares_of(const std::vector<Outer>& outer) const {
  return block_->dense_matrix() != nullptr ? dense_squares(outer) : sparse_squares(outer);
}

double PreparedMatrix::residual_squares() const { return squares_of(outer_products(Side::rows)); }

double PreparedMatrix::residual_squares(ConstVec left, ConstVec right) const {
  std::vector<Outer> outer = outer_products(Side::rows);
  outer.push_back({1.0, left.data(), right.data()});
  return squares_of(outer);
}

}  // namespace gingham
