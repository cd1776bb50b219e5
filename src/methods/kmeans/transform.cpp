#include "gingham/methods/kmeans/transform.hpp"

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::kmeans {
namespace {

const Matrix& fitted_centers(const Model& fitted, Index columns) {
  const Matrix& centers = find_matrix(fitted, "centers", -1, columns);
  if (centers.rows() == 0) throw Error(ErrorCode::input, "centers", "has no rows");
  return centers;
}

}  // namespace

Transformed transform(const Dataset& fresh, const Options&, const Model& fitted, Index mode,
                      Context& ctx) {
  if (mode != 0)
    throw Error(ErrorCode::usage, "kmeans",
                "groups rows; there is nothing to say about new columns");
  const Matrix& points = *fresh.block(0).dense_matrix();
  const Matrix& centers = fitted_centers(fitted, points.cols());
  std::vector<Index> labels(static_cast<std::size_t>(points.rows()));
  const Partition blocks = Partition::even(points.rows(), centers.size());
  Transformed found;
  found.terms.loss = sum_blocks(ctx.executor(), blocks.count(), [&](Index block) {
    double total = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      double least = squared_distance(points.row(i), centers.row(0));
      for (Index k = 1; k < centers.rows(); ++k) {
        const double distance = squared_distance(points.row(i), centers.row(k));
        if (!(distance < least)) continue;
        least = distance;
        labels[i] = k;
      }
      total += least;
    }
    return total;
  });
  found.terms.gaps = {{"rows", 0.0}};  // the nearest centre is found exactly
  found.memberships = {membership_of("rows", std::nullopt, labels)};
  return found;
}

}  // namespace gingham::methods::kmeans
