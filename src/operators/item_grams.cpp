#include "gingham/operators/item_grams.hpp"

#include <algorithm>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/lanes.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kW = lanes::kWide<double>;

// The product of the other modes' rows at cell e, kW of their columns.
GINGHAM_INLINE void product_at(const sparse::OtherMode* others, Index n_others, Index e, Index from,
                               Index stride, V& product) {
  product = wide(others[0].values + others[0].index[e] * stride + from);
  for (Index m = 1; m < n_others; ++m) {
    product *= wide(others[m].values + others[m].index[e] * stride + from);
  }
}

// Up to kW columns: the sums stay in registers.
template <int K>
GINGHAM_INLINE void add_few(const sparse::OtherMode* others, Index n_others, Index begin, Index end,
                            double* sums) {
  V lines[K] = {};
  for (Index e = begin; e < end; ++e) {
    V z;
    product_at(others, n_others, e, 0, kW, z);
    double parts[kW];
    wide(parts) = z;
    GINGHAM_UNROLL
    for (int k = 0; k < K; ++k) lines[k] += z * parts[k];
  }
  for (int k = 0; k < K; ++k) wide(sums + k * kW) += lines[k];
}

GINGHAM_INLINE void add_many(const sparse::OtherMode* others, Index n_others, Index begin,
                             Index end, Index n_columns, Index stride, double* z, double* sums) {
  for (Index e = begin; e < end; ++e) {
    for (Index v = 0; v < stride; v += kW) product_at(others, n_others, e, v, stride, wide(z + v));
    for (Index v = 0; v < stride; v += kW) {
      const V part = wide(z + v);
      for (Index k = 0; k < n_columns; ++k) wide(sums + k * stride + v) += part * z[k];
    }
  }
}

// sums (columns x stride) += z z^T for the cells [begin, end); z: room for stride values.
GINGHAM_MULTIARCH void add_cells(const sparse::OtherMode* others, Index n_others, Index begin,
                                 Index end, Index n_columns, Index stride, double* z,
                                 double* sums) {
  switch (n_columns) {
    case 1:
      return add_few<1>(others, n_others, begin, end, sums);
    case 2:
      return add_few<2>(others, n_others, begin, end, sums);
    case 3:
      return add_few<3>(others, n_others, begin, end, sums);
    case 4:
      return add_few<4>(others, n_others, begin, end, sums);
    case 5:
      return add_few<5>(others, n_others, begin, end, sums);
    case 6:
      return add_few<6>(others, n_others, begin, end, sums);
    case 7:
      return add_few<7>(others, n_others, begin, end, sums);
    case 8:
      return add_few<8>(others, n_others, begin, end, sums);
    default:
      return add_many(others, n_others, begin, end, n_columns, stride, z, sums);
  }
}

Matrix rows_of(const Matrix& factor, std::span<const Index> items) {
  Matrix part(std::ssize(items), factor.cols());
  for (Index r = 0; r < part.rows(); ++r)
    std::copy(factor.row(items[r]).begin(), factor.row(items[r]).end(), part.row(r).begin());
  return part;
}

}  // namespace

ItemGrams::ItemGrams(const Observed& data, Index mode, std::span<const Matrix> factors,
                     std::span<const Matrix> whole)
    : data_(data),
      cells_(data.cells(mode)),
      mode_(mode),
      n_columns_(factors[mode == 0 ? 1 : 0].cols()),
      whole_(whole),
      runs_(data, mode, factors) {
  if (cells_.empty()) return;
  padded_.reserve(factors.size());
  for (Index m = 0; m < std::ssize(factors); ++m) {
    if (m == mode) continue;
    const Matrix& factor = factors[static_cast<std::size_t>(m)];
    padded_.emplace_back(factor.data(), factor.rows(), n_columns_, kW);
    stride_ = padded_.back().stride();
    others_.push_back({cells_.others[others_.size()].data(), padded_.back().data(), stride_});
  }
}

void ItemGrams::make(Index item, Matrix& z, std::vector<double>& room) const {
  const Index n = n_columns_;
  if (z.rows() != n || z.cols() != n) z = Matrix(n, n);
  double* sums = z.data();
  if (cells_.empty()) {
    std::fill_n(sums, n * n, 0.0);
  } else {
    room.assign(static_cast<std::size_t>((n + 1) * stride_), 0.0);
    add_cells(others_.data(), std::ssize(others_), cells_.begin(item), cells_.end(item), n, stride_,
              room.data() + n * stride_, room.data());
    for (Index k = 0; k < n; ++k) std::copy_n(room.data() + k * stride_, n, sums + k * n);
  }
  if (data_.kind() == Observed::Kind::listed) return;
  const Matrix& whole = whole_[static_cast<std::size_t>(data_.classes(mode_).of_item[item])];
  bool is_cancelled = false;
  for (Index e = 0; e < n * n; ++e) sums[e] = whole.data()[e] - sums[e];
  for (Index k = 0; k < n; ++k)
    is_cancelled = is_cancelled || (whole(k, k) > 0.0 && has_cancelled(z(k, k), whole(k, k)));
  if (is_cancelled) runs_.gram(item, z);
}

double ItemGrams::bytes(const Block& block, Index n_columns) {
  double n_items = 0.0;
  for (const Index size : block.shape()) n_items += static_cast<double>(size);
  return 8.0 * (block.has_missing() ? n_items : 1.0) * static_cast<double>(n_columns * n_columns);
}

Matrix whole_gram(Index mode, std::span<const Matrix> factors, Executor& executor) {
  const Index n = factors[mode == 0 ? 1 : 0].cols();
  Matrix product(n, n), one;
  std::fill(product.values().begin(), product.values().end(), 1.0);
  for (Index m = 0; m < std::ssize(factors); ++m) {
    if (m == mode) continue;
    gram(factors[static_cast<std::size_t>(m)], one, executor);
    for (Index e = 0; e < product.size(); ++e) product.data()[e] *= std::as_const(one).data()[e];
  }
  return product;
}

std::vector<Matrix> whole_grams(const Observed& data, Index mode, std::span<const Matrix> factors,
                                Executor& executor) {
  if (!data.is_matrix()) return {whole_gram(mode, factors, executor)};
  const Index n = factors[mode == 0 ? 1 : 0].cols();
  Matrix one;
  const Matrix& other = factors[static_cast<std::size_t>(1 - mode)];
  const ItemClasses &own = data.classes(mode), &others = data.classes(1 - mode);
  std::vector<Matrix> whole(static_cast<std::size_t>(own.count()), Matrix(n, n));
  for (Index c = 0; c < others.count(); ++c) {
    gram(others.count() == 1 ? other : rows_of(other, others.members(c)), one, executor);
    for (Index r = 0; r < own.count(); ++r) {
      if (data.sees(mode, r, c)) axpy(1.0, std::as_const(one).values(), whole[r].values());
    }
  }
  return whole;
}

}  // namespace gingham
