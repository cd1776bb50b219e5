// Every number of a spectral result from the data, the singular vectors, labels and centres, by
// plain loops.
#include "gingham/methods/spectral/recompute.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/methods/kernel_views/plain_subspace.hpp"

namespace gingham::methods::spectral {
namespace {

using Real = long double;
using Reals = std::vector<Real>;

constexpr Real kRounding = 1e-16L;  // of the points' squares: vectors are not known any finer

Real inverse_root(Real sum) { return sum > 0 ? 1 / std::sqrt(sum) : 0; }

struct Cut {
  Real inertia = 0, squares = 0;
  Index misplaced = 0;
  std::vector<Reals> points;
  std::vector<Index> labels;
};

// How far centres are from their points' means, in units of the points' spread.
Real center_gap(const Cut& cut, const Matrix& centers) {
  const auto n = static_cast<Real>(cut.points.size());
  const Index width = centers.cols();
  Reals mean(static_cast<std::size_t>(width), 0);
  for (const Reals& z : cut.points) {
    for (Index k = 0; k < width; ++k) mean[k] += z[k] / n;
  }
  Real squares = 0;
  for (const Reals& z : cut.points) {
    for (Index k = 0; k < width; ++k) squares += std::pow(z[k] - mean[k], 2);
  }
  if (squares <= kRounding * cut.squares) return 0;
  Real largest = 0;
  for (Index c = 0; c < centers.rows(); ++c) {
    Reals sum(static_cast<std::size_t>(width), 0);
    Index count = 0;
    for (std::size_t p = 0; p < cut.points.size(); ++p) {
      if (cut.labels[p] != c) continue;
      ++count;
      for (Index k = 0; k < width; ++k) sum[k] += cut.points[p][k];
    }
    Real off = 0;
    for (Index k = 0; count > 0 && k < width; ++k)
      off += std::pow(sum[k] / static_cast<Real>(count) - centers(c, k), 2);
    largest = std::max(largest, std::sqrt(off / (squares / n)));
  }
  return largest;
}

// Adds one side's items to the sums over the embedding.
void add_side(const Reals& scale, const Matrix& vectors, const std::vector<Index>& labels,
              const Matrix& centers, Cut& cut) {
  for (std::size_t i = 0; i < scale.size(); ++i) {
    if (scale[i] == 0) continue;
    Reals z(static_cast<std::size_t>(centers.cols()), 0);
    for (Index k = 0; k + 1 < vectors.cols(); ++k)
      z[k] = scale[i] * vectors(static_cast<Index>(i), k + 1);
    Reals distance(static_cast<std::size_t>(centers.rows()), 0);
    for (Index c = 0; c < centers.rows(); ++c) {
      for (Index k = 0; k < centers.cols(); ++k) {
        distance[c] += std::pow(z[k] - centers(c, k), 2);
      }
    }
    if (labels[i] < 0 || labels[i] >= centers.rows())
      throw Error(ErrorCode::input, "labels", "an item has none");
    const Real here = distance[labels[i]];
    cut.inertia += here;
    for (const Real one : z) cut.squares += one * one;
    // Singular vectors are known to about 1e-16 of their length; ties within that are no
    // misplacement.
    const bool is_nearest = std::none_of(distance.begin(), distance.end(),
                                         [&](Real other) { return other < here * (1 - 1e-9L); });
    cut.misplaced += is_nearest ? 0 : 1;
    cut.points.push_back(std::move(z));
    cut.labels.push_back(labels[i]);
  }
}

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  const Block& block = data.block(0);
  const Index m = block.shape()[0], n = block.shape()[1], clusters = options.integer("clusters");
  Index n_vectors = 1;
  for (Index parts = 1; parts < clusters; parts *= 2) ++n_vectors;
  n_vectors = std::min({n_vectors, m, n});
  const Matrix& left = find_matrix(model, "left", m, n_vectors);
  const Matrix& right = find_matrix(model, "right", n, n_vectors);
  const std::vector<double>& singular = find_vector(model, "singular", n_vectors);
  const Matrix& centers =
      find_matrix(model, "centers", clusters, std::max<Index>(n_vectors - 1, 1));
  if (model.memberships.size() != 2 || model.memberships[0].n_items != m ||
      model.memberships[1].n_items != n)
    throw Error(ErrorCode::input, "labels", "do not fit the data");
  const std::vector<Index> row_labels = strongest(model.memberships[0]);
  const std::vector<Index> column_labels = strongest(model.memberships[1]);

  Reals row_scale(static_cast<std::size_t>(m), 0), column_scale(static_cast<std::size_t>(n), 0);
  for_each_entry(block, [&](std::span<const Index> at, double value) {
    row_scale[at[0]] += value;
    column_scale[at[1]] += value;
  });
  for (Real& sum : row_scale) sum = inverse_root(sum);
  for (Real& sum : column_scale) sum = inverse_root(sum);

  Real residual = 0;
  for (Index k = 0; k < left.cols(); ++k) {
    Reals av(static_cast<std::size_t>(m), 0), au(static_cast<std::size_t>(n), 0);
    for_each_entry(block, [&](std::span<const Index> at, double value) {
      const Real a = row_scale[at[0]] * value * column_scale[at[1]];
      av[at[0]] += a * right(at[1], k);
      au[at[1]] += a * left(at[0], k);
    });
    Real row_squares = 0, column_squares = 0;
    for (Index i = 0; i < m; ++i) row_squares += std::pow(av[i] - singular[k] * left(i, k), 2);
    for (Index j = 0; j < n; ++j) column_squares += std::pow(au[j] - singular[k] * right(j, k), 2);
    residual = std::max({residual, std::sqrt(row_squares), std::sqrt(column_squares)});
  }
  // Another direction in place of the last one.
  const kernel_views::PlainOperator squares_of = [&](const Reals& x) {
    Reals back(static_cast<std::size_t>(n), 0), forth(static_cast<std::size_t>(m), 0);
    for_each_entry(block, [&](std::span<const Index> at, double value) {
      back[at[1]] += row_scale[at[0]] * value * column_scale[at[1]] * x[at[0]];
    });
    for_each_entry(block, [&](std::span<const Index> at, double value) {
      forth[at[0]] += row_scale[at[0]] * value * column_scale[at[1]] * back[at[1]];
    });
    return forth;
  };
  const kernel_views::Rows u = kernel_views::plain_rows(left), v = kernel_views::plain_rows(right);
  const Real last = singular.back();
  residual =
      std::max({residual, kernel_views::plain_largest_outside(m, squares_of, u) - last * last,
                kernel_views::plain_off_orthonormal(u), kernel_views::plain_off_orthonormal(v)});
  Cut cut;
  add_side(row_scale, left, row_labels, centers, cut);
  add_side(column_scale, right, column_labels, centers, cut);

  Recomputed result;
  const bool is_rounding = cut.inertia <= kRounding * cut.squares;
  result.terms.loss = is_rounding ? 0.0 : static_cast<double>(cut.inertia);
  result.squares = static_cast<double>(cut.squares);
  result.terms.gaps = {
      {"embedding", static_cast<double>(residual)},
      {"items", static_cast<double>(cut.misplaced) / static_cast<double>(cut.points.size())},
      {"centers", static_cast<double>(center_gap(cut, centers))}};
  for (Index c = 0; c < centers.rows(); ++c) {
    const auto size = std::count(row_labels.begin(), row_labels.end(), c) +
                      std::count(column_labels.begin(), column_labels.end(), c);
    result.components.push_back(
        {static_cast<double>(size) / static_cast<double>(m + n), std::nan("")});
  }
  result.memberships = {membership_of("rows", std::nullopt, row_labels),
                        membership_of("columns", std::nullopt, column_labels)};
  return result;
}

}  // namespace gingham::methods::spectral
