#include "gingham/methods/multilinear/residual.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gingham/kernels/double_double.hpp"
#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/lanes.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::multilinear {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kW = lanes::kWide<double>;
constexpr Index kChunk = 512;  // cells side by side

// Cells next to each other in the last mode.
struct Line {
  const double* x;
  Index n;
  double value_scale;
  const double* z;  // K: the weights times the other modes' entries
  Index n_components;
  const double* a;  // K x stride
  Index stride;
};

// left <- x less sum_k z_k a_k, 0 where x is missing and behind the line's end.
GINGHAM_INLINE void leave(const Line& line, double* left) {
  for (Index r = 0; r < line.n; ++r) left[r] = line.x[r] * line.value_scale;
  for (Index k = 0; k < line.n_components; ++k) {
    if (line.z[k] == 0.0) continue;
    const double *across = line.a + k * line.stride, height = line.z[k];
    for (Index r = 0; r < line.n; ++r) left[r] -= height * across[r];
  }
  for (Index r = 0; r < line.n; ++r) left[r] = line.x[r] == line.x[r] ? left[r] : 0.0;
  for (Index r = line.n; r % kW != 0; ++r) left[r] = 0.0;
}

GINGHAM_MULTIARCH double line_squares(const Line& line) {
  double left[kChunk];
  leave(line, left);
  V sums = {};
  for (Index r = 0; r < line.n; r += kW) sums += wide(left + r) * wide(left + r);
  return lanes::total<double>(sums);
}

// The first of the largest; the magnitude counts with signs.
GINGHAM_MULTIARCH void find_largest(const Line& line, bool is_signed, double& largest, Index& at) {
  double left[kChunk];
  leave(line, left);
  for (Index r = 0; r < line.n; ++r) {
    const double size = is_signed && left[r] < 0.0 ? -left[r] : left[r];
    if (!(size > largest)) continue;
    largest = size;
    at = r;
  }
}

Matrix transposed(const Matrix& a) {
  Matrix b(a.cols(), a.rows());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index k = 0; k < a.cols(); ++k) b(k, i) = a(i, k);
  }
  return b;
}

const double* dense_cells(const Block& block) {
  const Matrix* matrix = block.dense_matrix();
  return matrix != nullptr ? matrix->data() : block.dense_tensor()->data();
}

// The cells of a dense block, line by line.
class Lines {
 public:
  Lines(const Block& block, const Factors& factors, double value_scale)
      : cells_(dense_cells(block)),
        shape_(block.shape()),
        factors_(factors),
        value_scale_(value_scale),
        length_(shape_.back()),
        across_(transposed(factors.modes.back())) {
    Index n_lines = 1;
    for (std::size_t n = 0; n + 1 < shape_.size(); ++n) n_lines *= shape_[n];
    blocks_ = Partition::even(n_lines, length_ * (factors.n_components() + 1));
  }

  Index n_blocks() const { return blocks_.count(); }

  // visit(line, number of its first cell) for pieces of the lines of one block.
  template <class Visit>
  void for_each(Index block, Visit&& visit) const {
    std::vector<double> z;
    for (Index at = blocks_.begin(block); at < blocks_.end(block); ++at) {
      z = factors_.weights;
      Index rest = at;
      for (Index n = std::ssize(shape_) - 1; n-- > 0; rest /= shape_[n]) {
        const ConstVec row = factors_.modes[n].row(rest % shape_[n]);
        for (std::size_t k = 0; k < z.size(); ++k) z[k] *= row[k];
      }
      for (Index from = 0; from < length_; from += kChunk) {
        const Index first = at * length_ + from;
        visit(Line{cells_ + first, std::min(kChunk, length_ - from), value_scale_, z.data(),
                   factors_.n_components(), across_.data() + from, length_},
              first);
      }
    }
  }

 private:
  const double* cells_;
  const Shape& shape_;
  const Factors& factors_;
  double value_scale_;
  Index length_;
  const Matrix across_;
  Partition blocks_;
};

// The listed cells of a sparse block.
class Listed {
 public:
  explicit Listed(const Block& block, Index work_per_cell)
      : matrix_(block.sparse_matrix()),
        tensor_(block.sparse_tensor()),
        n_modes_(block.modes()),
        blocks_(matrix_ != nullptr ? Partition::weighted(matrix_->pointers())
                                   : Partition::even(tensor_->entries(), work_per_cell)) {}

  Index n_blocks() const { return blocks_.count(); }

  // visit(at, x) for the cells of one block.
  template <class Visit>
  void for_each(Index block, Visit&& visit) const {
    std::vector<Index> at(static_cast<std::size_t>(n_modes_));
    if (matrix_ == nullptr) {
      for (Index e = blocks_.begin(block); e < blocks_.end(block); ++e) {
        for (Index n = 0; n < n_modes_; ++n) at[n] = tensor_->coordinates(n)[e];
        visit(at, tensor_->values()[e]);
      }
      return;
    }
    for (Index i = blocks_.begin(block); i < blocks_.end(block); ++i) {
      at[0] = i;
      for (Index e = matrix_->pointers()[i]; e < matrix_->pointers()[i + 1]; ++e) {
        at[1] = matrix_->columns()[e];
        visit(at, matrix_->values()[e]);
      }
    }
  }

 private:
  const SparseMatrix* matrix_;
  const SparseTensor* tensor_;
  Index n_modes_;
  Partition blocks_;
};

double model_at(const Factors& factors, const std::vector<Index>& at, std::vector<double>& z) {
  z = factors.weights;
  for (Index n = 0; n < factors.n_modes(); ++n) {
    const double* row = factors.modes[n].row(at[n]).data();
    for (std::size_t k = 0; k < z.size(); ++k) z[k] *= row[k];
  }
  double sum = 0.0;
  for (const double one : z) sum += one;
  return sum;
}

// |M|^2 over all cells.
double model_squares(const Factors& factors, Executor& executor) {
  Matrix product(factors.n_components(), factors.n_components()), one;
  std::fill(product.values().begin(), product.values().end(), 1.0);
  for (const Matrix& mode : factors.modes) {
    gram(mode, one, executor);
    for (Index i = 0; i < product.size(); ++i) product.data()[i] *= std::as_const(one).data()[i];
  }
  double sum = 0.0;
  for (Index k = 0; k < product.rows(); ++k) {
    sum += factors.weights[k] * dot(product.row(k), factors.weights);
  }
  return sum;
}

DoubleDouble exact_model_at(const Factors& factors, const std::vector<Index>& at) {
  DoubleDouble sum;
  for (Index k = 0; k < factors.n_components(); ++k) {
    DoubleDouble z{factors.weights[k], 0.0};
    for (Index n = 0; n < factors.n_modes(); ++n) z *= factors.modes[n](at[n], k);
    sum += z;
  }
  return sum;
}

DoubleDouble exact_model_squares(const Factors& factors) {
  DoubleDouble sum;
  for (Index k = 0; k < factors.n_components(); ++k) {
    for (Index l = 0; l <= k; ++l) {
      DoubleDouble term = product_of(factors.weights[k], factors.weights[l]);
      for (const Matrix& mode : factors.modes) {
        DoubleDouble overlap;
        for (Index i = 0; i < mode.rows(); ++i) overlap += product_of(mode(i, k), mode(i, l));
        term *= overlap;
      }
      sum += term;
      if (l < k) sum += term;
    }
  }
  return sum;
}

// The same cell after cell, for arrays that are small enough.
double unlisted_squares_by_cells(const Listed& listed, const Shape& shape, const Factors& factors) {
  std::vector<bool> is_listed(static_cast<std::size_t>(cells(shape)));
  for (Index block = 0; block < listed.n_blocks(); ++block) {
    listed.for_each(block, [&](const std::vector<Index>& at, double) {
      Index place = 0;
      for (std::size_t n = 0; n < shape.size(); ++n) place = place * shape[n] + at[n];
      is_listed[static_cast<std::size_t>(place)] = true;
    });
  }
  double sum = 0.0;
  std::vector<Index> at(shape.size());
  std::vector<double> z;
  for (std::size_t place = 0; place < is_listed.size(); ++place) {
    if (is_listed[place]) continue;
    auto rest = static_cast<Index>(place);
    for (std::size_t n = shape.size(); n-- > 0; rest /= shape[n]) at[n] = rest % shape[n];
    const double m = model_at(factors, at, z);
    sum += m * m;
  }
  return sum;
}

// |M|^2 over the cells that are not listed, given that over all and over the listed. A model that
// is huge where cells are missing leaves less than two doubles can tell; then cell by cell, but for
// large arrays, which are not visited whole.
double unlisted_squares(const Listed& listed, const Shape& shape, const Factors& factors,
                        double all, double of_listed, Executor& executor) {
  constexpr double kBeyondTwoDoubles = 1e-22;
  constexpr double kMostCells = 1e6;
  if (all - of_listed >= kCancelled * all) return all - of_listed;
  DoubleDouble taken;
  sum_blocks(executor, listed.n_blocks(), std::span<DoubleDouble>(&taken, 1),
             [&](Index block, std::span<DoubleDouble> partial) {
               listed.for_each(block, [&](const std::vector<Index>& at, double) {
                 DoubleDouble m = exact_model_at(factors, at);
                 partial[0] += (m *= m);
               });
             });
  DoubleDouble left = exact_model_squares(factors);
  left -= taken;
  const auto found = static_cast<double>(left);
  double n_cells = 1.0;
  for (const Index size : shape) n_cells *= static_cast<double>(size);
  if (!(found >= kBeyondTwoDoubles * all) && n_cells <= kMostCells)
    return unlisted_squares_by_cells(listed, shape, factors);
  return std::max(found, 0.0);
}

}  // namespace

double residual_squares(const Block& block, const Factors& factors, double value_scale,
                        Executor& executor) {
  if (!block.is_sparse()) {
    const Lines lines(block, factors, value_scale);
    return sum_blocks(executor, lines.n_blocks(), [&](Index part) {
      double sum = 0.0;
      lines.for_each(part, [&](const Line& line, Index) { sum += line_squares(line); });
      return sum;
    });
  }
  const Listed listed(block, block.modes() * (factors.n_components() + 1));
  double sums[2] = {0.0, 0.0};  // residuals of the observed, squares of the model
  sum_blocks(executor, listed.n_blocks(), std::span<double>(sums), [&](Index part, Vec partial) {
    std::vector<double> z;
    listed.for_each(part, [&](const std::vector<Index>& at, double x) {
      const double m = model_at(factors, at, z), left = x * value_scale - m;
      if (!std::isnan(x)) partial[0] += left * left;
      partial[1] += m * m;
    });
  });
  if (block.unlisted() == Unlisted::missing) return sums[0];
  const double all = model_squares(factors, executor);
  return sums[0] + unlisted_squares(listed, block.shape(), factors, all, sums[1], executor);
}

std::vector<Index> largest_residual(const Block& block, const Factors& factors, bool is_signed,
                                    Executor& executor) {
  struct Found {
    double size = 0.0;
    std::vector<Index> at;
  };
  std::optional<Lines> lines;
  std::optional<Listed> listed;
  if (block.is_sparse()) {
    listed.emplace(block, block.modes() * (factors.n_components() + 1));
  } else {
    lines.emplace(block, factors, 1.0);
  }
  std::vector<Found> found(
      static_cast<std::size_t>(listed ? listed->n_blocks() : lines->n_blocks()));
  executor.map(std::ssize(found), [&](Index part) {
    Found& own = found[part];
    if (lines) {
      Index cell = -1;
      lines->for_each(part, [&](const Line& line, Index first) {
        Index at = -1;
        find_largest(line, is_signed, own.size, at);
        if (at >= 0) cell = first + at;
      });
      if (cell < 0) return;
      own.at.resize(block.shape().size());
      for (std::size_t n = own.at.size(); n-- > 0; cell /= block.shape()[n]) {
        own.at[n] = cell % block.shape()[n];
      }
      return;
    }
    std::vector<double> z;
    listed->for_each(part, [&](const std::vector<Index>& at, double x) {
      const double left = x - model_at(factors, at, z), size = is_signed ? std::abs(left) : left;
      if (!(size > own.size)) return;  // nor where x is missing
      own.size = size;
      own.at = at;
    });
  });
  Found best;
  for (Found& one : found) {
    if (one.size > best.size) best = std::move(one);
  }
  return best.at;
}

std::vector<std::vector<double>> residual_fibres(const Block& block, const Factors& factors,
                                                 const std::vector<Index>& through,
                                                 Executor& executor) {
  std::vector<std::vector<double>> fibres;
  for (const Index size : block.shape()) {
    fibres.emplace_back(static_cast<std::size_t>(size), 0.0);
  }
  // A cell that differs in mode n alone, or in none where n is -1.
  const auto take = [&](const std::vector<Index>& at, Index n, double x, std::vector<double>& z) {
    const double left = std::isnan(x) ? 0.0 : x - model_at(factors, at, z);
    for (Index m = 0; m < std::ssize(fibres); ++m) {
      if (n < 0 || m == n) fibres[m][at[m]] = left;
    }
  };
  if (block.is_sparse()) {
    const Listed listed(block, block.modes());
    executor.map(listed.n_blocks(), [&](Index part) {
      std::vector<double> z;
      listed.for_each(part, [&](const std::vector<Index>& at, double x) {
        Index other = -1, n_other = 0;
        for (Index n = 0; n < std::ssize(at); ++n) {
          if (at[n] == through[n]) continue;
          ++n_other;
          other = n;
        }
        if (n_other <= 1) take(at, other, x, z);
      });
    });
    return fibres;
  }
  const double* cells = dense_cells(block);
  std::vector<double> z;
  std::vector<Index> at = through;
  for (Index n = 0; n < block.modes(); ++n) {
    for (at[n] = 0; at[n] < block.shape()[n]; ++at[n]) {
      Index cell = 0;
      for (Index m = 0; m < block.modes(); ++m) cell = cell * block.shape()[m] + at[m];
      take(at, n, cells[cell], z);
    }
    at[n] = through[n];
  }
  return fibres;
}

}  // namespace gingham::methods::multilinear
