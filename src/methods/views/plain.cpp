#include "gingham/methods/views/plain.hpp"

#include <algorithm>
#include <cmath>

namespace gingham::methods::views {
namespace {

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

constexpr const char* kWords[] = {"none", "center", "standardize", "unit", "rows"};  // of Scale

Real inverse(Real x) { return x > 0 ? 1 / x : 0; }

}  // namespace

PlainView::PlainView(const Block& block, Scale scale)
    : block_(&block),
      scaling_(block, kWords[static_cast<int>(scale)]),
      row_scale_(size(rows()), 1),
      zeros_(size(cols()), 0) {
  for (Index j = 0; j < cols(); ++j) {
    if (scaling_.zeros[j] > 0) zeros_[j] = std::pow(scaling_.mean[j] * scaling_.factor[j], 2);
    zero_squares_ += zeros_[j];
  }
  for (Index i = 0; scaling_.by_rows && i < rows(); ++i) {
    const Real length = std::sqrt(inner_product(i, i));
    row_scale_[i] = length > 1e-13L * scaling_.largest ? inverse(length) : 0;  // less is rounding
  }
}

void PlainView::for_each_cell(Index i, FunctionRef<void(Index, Real)> visit) const {
  const auto cell = [&](Index j, Real x) {
    return (x - scaling_.mean[j]) * scaling_.factor[j] * row_scale_[i];
  };
  if (const Matrix* x = block_->dense_matrix()) {
    for (Index j = 0; j < cols(); ++j) visit(j, cell(j, (*x)(i, j)));
    return;
  }
  const SparseMatrix& x = *block_->sparse_matrix();
  Index j = 0;
  for (Index k = x.pointers()[i]; k < x.pointers()[i + 1]; ++k) {
    for (; j < x.columns()[k]; ++j) visit(j, cell(j, 0));
    visit(j++, cell(x.columns()[k], x.values()[k]));
  }
  for (; j < cols(); ++j) visit(j, cell(j, 0));
}

PlainView::Pair PlainView::pair(Index i, Index j) const {
  Pair sums;
  const auto add = [&](Index k, Real a, Real b) {
    const Real x = (a - scaling_.mean[k]) * scaling_.factor[k] * row_scale_[i];
    const Real y = (b - scaling_.mean[k]) * scaling_.factor[k] * row_scale_[j];
    sums.product += x * y;
    sums.distance += (x - y) * (x - y);
  };
  if (const Matrix* x = block_->dense_matrix()) {
    for (Index k = 0; k < cols(); ++k) add(k, (*x)(i, k), (*x)(j, k));
    return sums;
  }
  const SparseMatrix& x = *block_->sparse_matrix();
  Index a = x.pointers()[i], b = x.pointers()[j];
  Real rest = zero_squares_;
  while (a < x.pointers()[i + 1] || b < x.pointers()[j + 1]) {
    const Index at_a = a < x.pointers()[i + 1] ? x.columns()[a] : cols();
    const Index at_b = b < x.pointers()[j + 1] ? x.columns()[b] : cols();
    const Index k = std::min(at_a, at_b);
    add(k, at_a == k ? x.values()[a++] : 0, at_b == k ? x.values()[b++] : 0);
    rest -= zeros_[k];
  }
  rest = std::max<Real>(rest, 0);
  sums.product += rest * row_scale_[i] * row_scale_[j];
  sums.distance += rest * (row_scale_[i] - row_scale_[j]) * (row_scale_[i] - row_scale_[j]);
  return sums;
}

Real PlainView::inner_product(Index i, Index j) const { return pair(i, j).product; }
Real PlainView::squared_distance(Index i, Index j) const { return pair(i, j).distance; }

std::vector<std::vector<Real>> plain_unit_rows(const Matrix& vectors) {
  std::vector<std::vector<Real>> points;
  for (Index i = 0; i < vectors.rows(); ++i) {
    Real squares = 0;
    for (const double value : vectors.row(i)) squares += static_cast<Real>(value) * value;
    points.emplace_back();
    for (const double value : vectors.row(i))
      points.back().push_back(value * inverse(std::sqrt(squares)));
  }
  return points;
}

void recompute_grouping(const std::vector<std::vector<Real>>& points, const Model& model,
                        Index clusters, Recomputed& into, Real& inertia) {
  const auto n = static_cast<Index>(points.size());
  const auto width = static_cast<Index>(points.empty() ? 0 : points[0].size());
  const Matrix& centers = find_matrix(model, "centers", clusters, width);
  if (model.memberships.size() != 1 || model.memberships[0].n_items != n)
    throw Error(ErrorCode::input, "labels", "do not fit the data");
  const std::vector<Index> labels = strongest(model.memberships[0]);
  std::vector<Real> mean(size(width), 0), sums(size(clusters * width), 0),
      counts(size(clusters), 0);
  Index misplaced = 0;
  inertia = 0;
  for (Index i = 0; i < n; ++i) {
    const Index own = labels[i];
    if (own < 0 || own >= clusters) throw Error(ErrorCode::input, "labels", "a row has none");
    const auto distance = [&](Index c) {
      Real total = 0;
      for (Index j = 0; j < width; ++j) total += std::pow(points[i][j] - centers(c, j), 2);
      return total;
    };
    const Real here = distance(own);
    bool is_nearest = true;
    for (Index c = 0; c < clusters && is_nearest; ++c)
      is_nearest = !(distance(c) < here * (1 - 1e-9L));
    misplaced += is_nearest ? 0 : 1;
    inertia += here;
    counts[own] += 1;
    for (Index j = 0; j < width; ++j) {
      mean[j] += points[i][j] / static_cast<Real>(n);
      sums[own * width + j] += points[i][j];
    }
  }
  Real total = 0, squares = 0, center_gap = 0;
  for (const std::vector<Real>& point : points) {
    for (Index j = 0; j < width; ++j) {
      total += std::pow(point[j] - mean[j], 2);
      squares += point[j] * point[j];
    }
  }
  if (total <= 1e-16L * squares) total = 0;  // rounding alone
  if (inertia <= 1e-16L * squares) inertia = 0;
  for (Index c = 0; c < clusters; ++c) {
    Real off = 0;
    for (Index j = 0; j < width; ++j) {
      if (counts[c] > 0) off += std::pow(centers(c, j) - sums[c * width + j] / counts[c], 2);
    }
    if (total > 0)
      center_gap = std::max(center_gap, std::sqrt(off / (total / static_cast<Real>(n))));
    into.components.push_back(
        {static_cast<double>(counts[c] / static_cast<Real>(n)), std::nan("")});
  }
  into.terms.gaps.push_back({"rows", static_cast<double>(misplaced) / static_cast<double>(n)});
  into.terms.gaps.push_back({"centers", static_cast<double>(center_gap)});
  into.memberships = {membership_of("rows", std::nullopt, labels)};
}

}  // namespace gingham::methods::views
