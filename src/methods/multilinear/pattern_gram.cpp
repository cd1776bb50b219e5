#include "gingham/methods/multilinear/pattern_gram.hpp"

#include <algorithm>

#include "gingham/kernels/double_double.hpp"
#include "gingham/kernels/lanes.hpp"

namespace gingham::methods::multilinear {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kW = lanes::kWide<double>;

// What is left of a sum after nearly all of it was taken away is rounding.
constexpr double kRounding = 1e-12;
constexpr double kMostCells = 1e6;  // of an item that are summed one by one

void weigh(const double* z, const std::vector<double>& weights, double* q) {
  for (const double left : weights) {
    for (const double right : weights) *q++ = left * right * *z++;
  }
}

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

}  // namespace

Matrix weighted(const Matrix& z, const std::vector<double>& weights) {
  Matrix q(z.rows(), z.cols());
  weigh(z.data(), weights, q.data());
  return q;
}

PatternGram::PatternGram(const SparseTensor& pattern, Index mode, std::span<const Matrix> factors)
    : cells_(pattern.grouped(mode)), n_columns_(factors[0].cols()) {
  padded_.reserve(factors.size());
  for (Index m = 0; m < static_cast<Index>(factors.size()); ++m) {
    if (m == mode) continue;
    padded_.emplace_back(factors[m].data(), factors[m].rows(), n_columns_, kW);
    stride_ = padded_.back().stride();
    others_.push_back({cells_.coordinates[m].data(), padded_.back().data(), stride_});
    other_sizes_.push_back(factors[m].rows());
    cells_per_item_ *= static_cast<double>(factors[m].rows());
  }
}

void PatternGram::of_item(Index i, Vec scratch, double* z) const {
  const Index* pointers = cells_.pointers.data();
  double* product = scratch.data() + n_columns_ * stride_;
  std::fill(scratch.begin(), scratch.end(), 0.0);
  add_cells(others_.data(), std::ssize(others_), pointers[i], pointers[i + 1], n_columns_, stride_,
            product, scratch.data());
  for (Index k = 0; k < n_columns_; ++k) {
    std::copy_n(scratch.data() + k * stride_, n_columns_, z + k * n_columns_);
  }
}

void PatternGram::of_rest(Index i, double* z) const {
  std::fill_n(z, n_columns_ * n_columns_, 0.0);
  Index listed = cells_.pointers.data()[i];
  const Index end = cells_.pointers.data()[i + 1];
  std::vector<Index> at(others_.size(), 0);
  std::vector<double> product(static_cast<std::size_t>(n_columns_));
  for (bool is_over = false; !is_over;) {  // in the order in which the pattern lists its cells
    bool is_listed = listed < end;
    for (std::size_t m = 0; m < at.size() && is_listed; ++m) {
      is_listed = others_[m].index[listed] == at[m];
    }
    if (is_listed) {
      ++listed;
    } else {
      std::fill(product.begin(), product.end(), 1.0);
      for (std::size_t m = 0; m < at.size(); ++m) {
        const double* row = others_[m].values + at[m] * stride_;
        for (Index k = 0; k < n_columns_; ++k) product[k] *= row[k];
      }
      for (Index k = 0; k < n_columns_; ++k) {
        for (Index l = 0; l < n_columns_; ++l) z[k * n_columns_ + l] += product[k] * product[l];
      }
    }
    is_over = true;
    for (std::size_t m = at.size(); m-- > 0 && is_over;) {
      is_over = ++at[m] == other_sizes_[static_cast<Index>(m)];
      if (is_over) at[m] = 0;
    }
  }
}

ItemGrams::ItemGrams(const Observations& data, const PatternGram& cells, const Matrix& whole)
    : kind_(data.kind()),
      cells_(cells),
      whole_(whole),
      z_(whole.rows(), whole.rows()),
      q_(whole.rows(), whole.rows()),
      scratch_(static_cast<std::size_t>(cells.scratch_size())) {}

void ItemGrams::make(Index i, const std::vector<double>& weights) {
  double* z = z_.data();
  cells_.of_item(i, scratch_, z);
  if (kind_ == Observations::Kind::holes) take_holes_away(i, z);
  weigh(z, weights, q_.data());
}

void ItemGrams::add(const double* a, double* sums) const {
  const double* z = z_.data();
  for (Index k = 0; k < z_.rows(); ++k) {
    for (Index l = 0; l < z_.rows(); ++l) *sums++ += a[k] * a[l] * *z++;
  }
}

// z <- the whole less z. What cancels is summed directly where that is affordable; otherwise what
// cannot be told from rounding is taken as nothing.
void ItemGrams::take_holes_away(Index i, double* z) const {
  const Index n = whole_.rows();
  bool is_cancelled = false;
  for (Index k = 0; k < n * n; ++k) z[k] = whole_.data()[k] - z[k];
  for (Index k = 0; k < n; ++k) {
    is_cancelled = is_cancelled || z[k * n + k] < kCancelled * whole_(k, k);
  }
  if (!is_cancelled) return;
  if (cells_.cells_per_item() <= kMostCells) return cells_.of_rest(i, z);
  for (Index k = 0; k < n; ++k) {
    if (z[k * n + k] > kRounding * whole_(k, k)) continue;
    for (Index l = 0; l < n; ++l) z[k * n + l] = z[l * n + k] = 0.0;
  }
}

}  // namespace gingham::methods::multilinear
