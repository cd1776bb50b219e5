#include <algorithm>
#include <cmath>
#include <numeric>

#include "gingham/kernels/products.hpp"
#include "gingham/kernels/truncated_svd.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/multilinear/start.hpp"

namespace gingham::methods::multilinear {
namespace {

constexpr double kTolerance = 1e-6;  // a start needs no more

// A tensor as a matrix: the items of one mode by the cells of all others together. Of a sparse
// tensor only fibres that list something become columns.
class Unfolding {
 public:
  Unfolding(const Block& block, Index mode) : block_(block) {
    for (Index m = 0; m < block.modes(); ++m) {
      (m < mode ? left_ : m == mode ? items_ : right_) *= block.shape()[m];
    }
    if (const SparseTensor* tensor = block.sparse_tensor()) sparse_ = compressed(*tensor, mode);
  }

  Index rows() const { return items_; }
  Index cols() const { return sparse_ ? sparse_->cols() : left_ * right_; }

  void apply(ConstVec x, Vec y, Executor& executor) const {
    if (sparse_) return multiply(*sparse_, x, y, executor);
    std::fill(y.begin(), y.end(), 0.0);
    std::vector<double> part(y.size());
    for_each_slab([&](const Matrix& slab, Index l) {
      multiply(slab, x.subspan(l * right_, right_), part, executor);
      axpy(1.0, part, y);
    });
  }
  void apply_transposed(ConstVec x, Vec y, Executor& executor) const {
    if (sparse_) return multiply_transposed(*sparse_, x, y, executor);
    for_each_slab([&](const Matrix& slab, Index l) {
      multiply_transposed(slab, x, y.subspan(l * right_, right_), executor);
    });
  }

 private:
  template <class Visit>
  void for_each_slab(Visit&& visit) const {
    const double* data = block_.dense_tensor()->data();
    for (Index l = 0; l < left_; ++l) {
      visit(Matrix(items_, right_,
                   Array<double>::borrow(data + l * items_ * right_, items_ * right_, nullptr)),
            l);
    }
  }

  static SparseMatrix compressed(const SparseTensor& tensor, Index mode) {
    std::vector<Index> fibre(static_cast<std::size_t>(tensor.entries()), 0);
    for (Index m = 0; m < tensor.modes(); ++m) {
      if (m == mode) continue;
      for (std::size_t e = 0; e < fibre.size(); ++e) {
        // Cells may be more than 64 bits can count; equal fibres stay equal, and two different ones
        // that meet by wrapping around only blur a start.
        fibre[e] = static_cast<Index>(static_cast<std::uint64_t>(fibre[e]) *
                                          static_cast<std::uint64_t>(tensor.shape()[m]) +
                                      static_cast<std::uint64_t>(tensor.coordinates(m)[e]));
      }
    }
    std::vector<Index> known = fibre;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    if (static_cast<Index>(known.size()) > kMaxSparseModeSize) {
      throw Error(ErrorCode::memory, "--start",
                  "svd: more than 2147483647 fibres have a value; use another start");
    }
    Array<std::int32_t> row(tensor.entries()), column(tensor.entries());
    Array<double> value(tensor.entries());
    for (std::size_t e = 0; e < fibre.size(); ++e) {
      const auto at = std::lower_bound(known.begin(), known.end(), fibre[e]) - known.begin();
      row.data()[e] = tensor.coordinates(mode)[e];
      column.data()[e] = static_cast<std::int32_t>(at);
      value.data()[e] = tensor.values()[e];
    }
    return SparseMatrix::from_triplets(
        tensor.shape()[mode], std::max<Index>(1, static_cast<Index>(known.size())), std::move(row),
        std::move(column), std::move(value), Duplicates::sum);
  }

  const Block& block_;
  Index left_ = 1, items_ = 1, right_ = 1;
  std::optional<SparseMatrix> sparse_;
};

Svd svd_of(const LinearOperator& a, Index k, Context& ctx) {
  return truncated_svd(a, std::min({k, a.rows, a.cols}), ctx.rng("svd"), kTolerance);
}

// The part of one sign, the other entries 0.
std::vector<double> part_of(const std::vector<double>& vector, double sign) {
  std::vector<double> part(vector.size());
  for (std::size_t i = 0; i < part.size(); ++i) part[i] = std::max(sign * vector[i], 0.0);
  return part;
}

// Columns of these modes without signs; `together`: all of them change sign at once.
void take_parts(Factors& factors, const std::vector<Index>& modes, Index k, bool together) {
  double larger[2] = {1.0, 1.0};
  for (int side = 0; side < 2; ++side) {
    for (const Index n : modes) {
      larger[side] *= norm2(part_of(column(factors.modes[n], k), side == 0 ? 1.0 : -1.0));
    }
  }
  for (const Index n : modes) {
    Matrix& mode = factors.modes[n];
    const std::vector<double> up = part_of(column(mode, k), 1.0),
                              down = part_of(column(mode, k), -1.0);
    const bool is_up = together ? larger[0] >= larger[1] : norm2(up) >= norm2(down);
    set_column(mode, k, is_up ? up : down);
  }
}

// The modes with more than one item, and others as long as there are not two.
std::vector<Index> modes_that_matter(const Shape& shape) {
  std::vector<Index> modes;
  for (Index n = 0; n < std::ssize(shape); ++n) {
    if (shape[n] > 1) modes.push_back(n);
  }
  for (Index n = 0; modes.size() < 2; ++n) {
    if (shape[n] == 1) modes.push_back(n);
  }
  std::sort(modes.begin(), modes.end());
  return modes;
}

// A tensor all of whose other modes have one item; a borrowed view where it is dense.
Block as_matrix(const Block& block, Index rows, Index columns) {
  const Index n_rows = block.shape()[rows], n_columns = block.shape()[columns];
  if (const Tensor* tensor = block.dense_tensor()) {
    return {block.name(), Matrix(n_rows, n_columns,
                                 Array<double>::borrow(tensor->data(), tensor->size(), nullptr))};
  }
  const SparseTensor& tensor = *block.sparse_tensor();
  const auto copy = [](auto values) {
    Array<std::remove_const_t<typename decltype(values)::element_type>> array(std::ssize(values));
    std::copy(values.begin(), values.end(), array.data());
    return array;
  };
  return {block.name(),
          SparseMatrix::from_triplets(n_rows, n_columns, copy(tensor.coordinates(rows)),
                                      copy(tensor.coordinates(columns)), copy(tensor.values()),
                                      Duplicates::error)};
}

}  // namespace

Factors svd_factors(const Observations& data, Index n_components, bool is_signed, Context& ctx) {
  Rng rng = ctx.rng("factors");
  Factors factors = random_factors(data.shape(), n_components, is_signed, rng);
  const auto take = [&](Index mode, const Matrix& vectors) {
    for (Index k = 0; k < vectors.cols(); ++k) {
      set_column(factors.modes[mode], k, column(vectors, k));
    }
  };
  Executor& executor = ctx.executor();
  const std::vector<Index> modes = modes_that_matter(data.shape());
  const bool is_flat = modes.size() == 2;
  Index n_taken = 0;
  if (is_flat) {
    std::optional<Block> made;
    if (!data.values().is_matrix()) made = as_matrix(data.values(), modes[0], modes[1]);
    const Block& matrix = made ? *made : data.values();
    const Svd svd =
        svd_of({matrix.shape()[0], matrix.shape()[1],
                [&](ConstVec x, Vec y) {
                  ctx.check_stop();
                  multiply(matrix, x, y, executor);
                },
                [&](ConstVec x, Vec y) { multiply_transposed(matrix, x, y, executor); }},
               n_components, ctx);
    take(modes[0], svd.u);
    take(modes[1], svd.v);
    n_taken = svd.u.cols();
  } else {
    for (const Index mode : modes) {
      const Unfolding unfolding(data.values(), mode);
      const Svd svd =
          svd_of({unfolding.rows(), unfolding.cols(),
                  [&](ConstVec x, Vec y) {
                    ctx.check_stop();
                    unfolding.apply(x, y, executor);
                  },
                  [&](ConstVec x, Vec y) { unfolding.apply_transposed(x, y, executor); }},
                 n_components, ctx);
      take(mode, svd.u);
      n_taken = std::max(n_taken, svd.u.cols());
    }
  }
  for (Index k = 0; k < n_taken && !is_signed; ++k) take_parts(factors, modes, k, is_flat);
  return factors;
}

}  // namespace gingham::methods::multilinear
