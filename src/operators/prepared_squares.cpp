// What is left of a prepared matrix: sum over the observed cells of R^2, row by row from the cells
// themselves. To unlisted zeros of a sparse matrix go the squares of what is taken away there,
// centring included (unlisted_squares.hpp).
#include <algorithm>

#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/prepared_lines.hpp"
#include "gingham/operators/residual_lines.hpp"
#include "gingham/operators/unlisted_squares.hpp"

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
  const CellList cells = listed_cells(block_->values(), 0);
  const auto n_outer = static_cast<Index>(outer.size());
  std::vector<Matrix> factors{Matrix(rows(), n_outer), Matrix(cols(), n_outer)};
  std::vector<double> weights;
  for (Index k = 0; k < n_outer; ++k) {
    for (Index i = 0; i < rows(); ++i) factors[0](i, k) = outer[k].own[i];
    for (Index j = 0; j < cols(); ++j) factors[1](j, k) = outer[k].other[j];
    weights.push_back(outer[k].weight);
  }
  const FactorView taken{factors, weights};
  const bool has_zeros = block_->unlisted() == Unlisted::zero;
  std::vector<Matrix> all(1);
  if (has_zeros) gram(factors[1], all[0], *executor_);
  UnlistedSquares unlisted(taken, std::move(all));
  const Partition blocks = Partition::weighted(lines(Side::rows).pointers());
  return sum_blocks(*executor_, blocks.count(), [&](Index block) {
    Line model;
    ItemModel taken_at(cells, taken);
    double m[ItemModel::kCells] = {};
    double total = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      model.set(outer, i);
      taken_at.take(i);
      double residuals = 0.0, out = 0.0;
      for (Index from = cells.begin(i); from < cells.end(i); from += ItemModel::kCells) {
        const Index to = std::min(from + ItemModel::kCells, cells.end(i));
        if (has_zeros) taken_at.values(from, to, m);
        for (Index e = from; e < to; ++e) {
          const Index j = cells.others[0][e];
          const double value = cells.values[e];
          const double rest = value == value ? preparation_(i, j, value) - model.terms(j) : 0.0;
          residuals += rest * rest;
          out += m[e - from] * m[e - from];
        }
      }
      total += residuals;
      if (!has_zeros) continue;
      const UnlistedSquares::Whole whole = unlisted.whole(0, taken_at.row());
      double rest = whole.squares - out;
      if (UnlistedSquares::is_lost(rest + residuals, whole)) {
        DoubleDouble left = unlisted.exact_whole(i);
        for (Index e = cells.begin(i); e < cells.end(i); ++e)
          left -= unlisted.exact_square(i, cells, e);
        rest = std::max(static_cast<double>(left), 0.0);
      }
      total += rest;
    }
    return total;
  });
}

PreparedMatrix::ResidualSums PreparedMatrix::residual_sums(std::span<const ConstVec> left,
                                                           std::span<const ConstVec> right) const {
  ResidualSums found{0.0, std::vector<double>(left.size(), 0.0)};
  if (block_->dense_matrix() == nullptr) {
    found.squares = residual_squares();
    std::vector<double> product(static_cast<std::size_t>(rows()));
    for (std::size_t k = 0; k < left.size(); ++k) {
      multiply(right[k], product);
      found.products[k] = dot(left[k], product);
    }
    return found;
  }
  const std::vector<Outer> outer = outer_products(Side::rows);
  const Partition blocks = Partition::even(rows(), cols());
  std::vector<double> sums(1 + left.size(), 0.0);
  sum_blocks(*executor_, blocks.count(), Vec(sums), [&](Index block, Vec partial) {
    Line model;
    double cells[kChunk];
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      model.set(outer, i);
      for (Index from = 0; from < cols(); from += kChunk) {
        const Index n = std::min(kChunk, cols() - from);
        residual_cells(i, from, n, model, cells);
        partial[0] += seen_squares(cells, n);
        for (std::size_t k = 0; k < left.size(); ++k) {
          if (left[k][i] == 0.0) continue;
          const auto begin = static_cast<std::size_t>(from), size = static_cast<std::size_t>(n);
          partial[1 + k] += left[k][i] * dot(ConstVec(cells, size), right[k].subspan(begin, size));
        }
      }
    }
  });
  found.squares = sums[0];
  std::copy(sums.begin() + 1, sums.end(), found.products.begin());
  return found;
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
