// A dense X is seen as L x I x R: the modes before `mode`, the mode itself, the modes after it. The
// longer of the outer sides is summed away first, by one product with a matrix that lies in memory
// as it is; what is left is smaller by that factor.
#include "gingham/kernels/contraction.hpp"

#include <algorithm>

#include "gingham/kernels/cut_items.hpp"
#include "gingham/kernels/outer_product.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/sparse_contraction.hpp"
#include "gingham/kernels/thin_products.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

// Values of what is left after the first product, at a time: 2 MB.
constexpr Index kMiddleValues = Index{1} << 18;

struct Sides {
  Index left = 1, middle = 1, right = 1;
  Sides(const Shape& shape, Index mode) {
    for (Index m = 0; m < static_cast<Index>(shape.size()); ++m) {
      (m < mode ? left : m == mode ? middle : right) *= shape[m];
    }
  }
  bool left_first() const { return left > right; }
};

[[noreturn]] void mismatch(const char* what) {
  throw Error(ErrorCode::internal, "", std::string("contraction: ") + what);
}

void check_mode(const Shape& shape, Index mode, std::size_t given) {
  if (given != shape.size()) mismatch("one vector or factor per mode is needed");
  if (mode < 0 || mode >= static_cast<Index>(shape.size())) mismatch("there is no such mode");
}

void check_vectors(const Shape& shape, Index mode, std::span<const ConstVec> vectors) {
  check_mode(shape, mode, vectors.size());
  for (Index m = 0; m < static_cast<Index>(shape.size()); ++m) {
    if (m != mode && static_cast<Index>(vectors[m].size()) != shape[m]) {
      mismatch("a vector does not have the size of its mode");
    }
  }
}

void check_size(ConstVec y, Index size) {
  if (static_cast<Index>(y.size()) != size)
    mismatch("the result does not have the size of its mode");
}

// The common number of columns; y becomes I_mode x K.
Index prepare(const Shape& shape, Index mode, std::span<const Matrix> factors, Matrix& y) {
  check_mode(shape, mode, factors.size());
  Index k = shape.size() == 1 ? y.cols() : factors[mode == 0 ? 1 : 0].cols();
  for (Index m = 0; m < static_cast<Index>(shape.size()); ++m) {
    if (m != mode && (factors[m].rows() != shape[m] || factors[m].cols() != k)) {
      mismatch("a factor does not have the size of its mode, or the ranks differ");
    }
  }
  if (y.rows() != shape[mode] || y.cols() != k) y = Matrix(shape[mode], k);
  return k;
}

// Products of all combinations of rows of factors: the Khatri-Rao product of modes [from, to).
Matrix khatri_rao(std::span<const Matrix> factors, Index from, Index to, Index k) {
  Matrix product(1, k);
  std::fill_n(product.data(), k, 1.0);
  for (Index m = from; m < to; ++m) {
    const Matrix& factor = factors[m];
    Matrix longer(checked_mul(product.rows(), factor.rows(), "Khatri-Rao product"), k);
    double* out = longer.data();
    for (Index i = 0; i < product.rows(); ++i) {
      const double* p = std::as_const(product).data() + i * k;
      for (Index j = 0; j < factor.rows(); ++j, out += k) {
        const double* f = factor.data() + j * k;
        for (Index c = 0; c < k; ++c) out[c] = p[c] * f[c];
      }
    }
    product = std::move(longer);
  }
  return product;
}

Matrix view(const double* data, Index rows, Index cols) {
  return Matrix(rows, cols, Array<double>::borrow(data, rows * cols, nullptr));
}

// y_i = sum_r z_ir w_r, or with left = true sum_l z_li w_l.
void reduce(const std::vector<double>& z, bool left, Index middle, ConstVec w, Vec y,
            Executor& executor) {
  const Index n = static_cast<Index>(w.size());
  if (left) {
    multiply_transposed(view(z.data(), n, middle), w, y, executor);
  } else {
    multiply(view(z.data(), middle, n), w, y, executor);
  }
}

void contract_dense(const double* x, const Shape& shape, Index mode,
                    std::span<const ConstVec> vectors, Vec y, Executor& executor) {
  check_vectors(shape, mode, vectors);
  check_size(y, shape[mode]);
  const Sides sides(shape, mode);
  const std::vector<double> left = outer_product(vectors, 0, mode);
  const std::vector<double> right = outer_product(vectors, mode + 1, std::ssize(shape));
  std::vector<double> z;
  if (sides.left_first()) {
    z.resize(static_cast<std::size_t>(sides.middle * sides.right));
    multiply_transposed(view(x, sides.left, sides.middle * sides.right), left, z, executor);
  } else {
    z.resize(static_cast<std::size_t>(sides.left * sides.middle));
    multiply(view(x, sides.left * sides.middle, sides.right), right, z, executor);
  }
  reduce(z, !sides.left_first(), sides.middle, sides.left_first() ? right : left, y, executor);
}

// Y_i = sum_o T_io * W_o (elementwise), where row (i, o) of T is i * step_i + o * step_o.
void add_weighted_rows(const double* t, Index step_i, Index step_o, Index n_i, Index n_o,
                       const double* w, Index k, double* y, Executor& executor) {
  const Partition items = Partition::even(n_i, n_o * k);
  executor.map(items.count(), [&](Index block) {
    for (Index i = items.begin(block); i < items.end(block); ++i) {
      double* out = y + i * k;
      for (Index o = 0; o < n_o; ++o) {
        const double* row = t + (i * step_i + o * step_o) * k;
        const double* weight = w + o * k;
        for (Index c = 0; c < k; ++c) out[c] += row[c] * weight[c];
      }
    }
  });
}

void mttkrp_dense(const double* x, const Shape& shape, Index mode, std::span<const Matrix> factors,
                  Matrix& y, Executor& executor) {
  const Index k = prepare(shape, mode, factors, y);
  const Sides sides(shape, mode);
  double* out = y.data();
  std::fill_n(out, y.size(), 0.0);
  const Matrix left = khatri_rao(factors, 0, mode, k);
  const Matrix right = khatri_rao(factors, mode + 1, std::ssize(shape), k);
  const Index slab = sides.middle * sides.right;
  if (mode == 0) {
    thin::multiply(x, sides.right, sides.middle, sides.right, right.data(), k, out, executor);
  } else if (mode + 1 == std::ssize(shape)) {
    thin::multiply_transposed(x, slab, sides.left, slab, left.data(), k, out, executor);
  } else if (sides.left_first()) {
    const Index at_once =
        std::clamp<Index>(kMiddleValues / (sides.right * std::max<Index>(k, 1)), 1, sides.middle);
    Array<double> t(at_once * sides.right * k);
    for (Index from = 0; from < sides.middle; from += at_once) {
      const Index count = std::min(at_once, sides.middle - from);
      thin::multiply_transposed(x + from * sides.right, slab, sides.left, count * sides.right,
                                left.data(), k, t.data(), executor);
      add_weighted_rows(t.data(), sides.right, 1, count, sides.right, right.data(), k,
                        out + from * k, executor);
    }
  } else {
    const Index at_once =
        std::clamp<Index>(kMiddleValues / (sides.middle * std::max<Index>(k, 1)), 1, sides.left);
    Array<double> t(at_once * sides.middle * k);
    for (Index from = 0; from < sides.left; from += at_once) {
      const Index count = std::min(at_once, sides.left - from);
      thin::multiply(x + from * slab, sides.right, count * sides.middle, sides.right, right.data(),
                     k, t.data(), executor);
      add_weighted_rows(t.data(), 1, sides.middle, sides.middle, count, left.data() + from * k, k,
                        out, executor);
    }
  }
}

}  // namespace

void contract(const Tensor& x, Index mode, std::span<const ConstVec> vectors, Vec y,
              Executor& executor) {
  contract_dense(x.data(), x.shape(), mode, vectors, y, executor);
}

void contract(const SparseTensor& x, Index mode, std::span<const ConstVec> vectors, Vec y,
              Executor& executor) {
  check_vectors(x.shape(), mode, vectors);
  check_size(y, x.shape()[mode]);
  const SparseTensor::Grouped& grouped = x.grouped(mode);
  std::vector<sparse::OtherMode> others;
  for (Index m = 0; m < x.modes(); ++m) {
    if (m != mode) others.push_back({grouped.coordinates[m].data(), vectors[m].data(), 1});
  }
  const auto run = [&](const Index* pointers, Index begin, Index end, double* out) {
    sparse::contract_items(grouped, pointers, begin, end, others, out);
  };
  CutItems(grouped.pointers.span(), 1).map(1, y.data(), run, executor);
}

void contract(const Block& x, Index mode, std::span<const ConstVec> vectors, Vec y,
              Executor& executor) {
  if (const Tensor* dense = x.dense_tensor()) return contract(*dense, mode, vectors, y, executor);
  if (const SparseTensor* sparse = x.sparse_tensor()) {
    return contract(*sparse, mode, vectors, y, executor);
  }
  check_vectors(x.shape(), mode, vectors);
  if (mode == 0) return multiply(x, vectors[1], y, executor);
  multiply_transposed(x, vectors[0], y, executor);
}

void mttkrp(const Tensor& x, Index mode, std::span<const Matrix> factors, Matrix& y,
            Executor& executor) {
  mttkrp_dense(x.data(), x.shape(), mode, factors, y, executor);
}

void mttkrp(const SparseTensor& x, Index mode, std::span<const Matrix> factors, Matrix& y,
            Executor& executor) {
  const Index k = prepare(x.shape(), mode, factors, y);
  if (k == 0) return;
  const SparseTensor::Grouped& grouped = x.grouped(mode);
  double* out = y.data();
  if (x.modes() == 1) {
    std::fill_n(out, y.size(), 0.0);
    for (Index e = 0; e < x.entries(); ++e) {
      std::fill_n(out + x.coordinates(0)[e] * k, k, x.values()[e]);
    }
    return;
  }
  std::vector<thin::Padded<double>> padded;
  padded.reserve(static_cast<std::size_t>(x.modes()));
  std::vector<sparse::OtherMode> others;
  for (Index m = 0; m < x.modes(); ++m) {
    if (m == mode) continue;
    padded.emplace_back(factors[m].data(), factors[m].rows(), k, sparse::kFactorUnit);
    others.push_back({grouped.coordinates[m].data(), padded.back().data(), padded.back().stride()});
  }
  const auto run = [&](const Index* pointers, Index begin, Index end, double* rows) {
    sparse::mttkrp_items(grouped, pointers, begin, end, others, k, rows);
  };
  CutItems(grouped.pointers.span(), k).map(k, out, run, executor);
}

void mttkrp(const Block& x, Index mode, std::span<const Matrix> factors, Matrix& y,
            Executor& executor) {
  if (const Tensor* dense = x.dense_tensor()) return mttkrp(*dense, mode, factors, y, executor);
  if (const SparseTensor* sparse = x.sparse_tensor()) {
    return mttkrp(*sparse, mode, factors, y, executor);
  }
  prepare(x.shape(), mode, factors, y);
  if (mode == 0) return multiply(x, factors[1], y, executor);
  multiply_transposed(x, factors[0], y, executor);
}

}  // namespace gingham
