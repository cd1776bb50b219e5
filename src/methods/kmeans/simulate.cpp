//   x_i = separation * c_label(i) + noise * N(0, I),     c_k ~ N(0, I)
#include "gingham/methods/kmeans/simulate.hpp"

namespace gingham::methods::kmeans {
namespace {

Simulation make(const Options& options, Rng rng) {
  const Index n = options.integer("rows"), d = options.integer("columns"),
              k = options.integer("clusters");
  Matrix centers(k, d);
  for (double& value : centers.values()) value = options.real("separation") * rng.normal();
  Matrix x(n, d);
  std::vector<Index> labels(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    labels[i] = rng.below(k);
    for (Index j = 0; j < d; ++j)
      x(i, j) = centers(labels[i], j) + options.real("noise") * rng.normal();
  }
  Simulation simulation;
  simulation.blocks.emplace_back("data", std::move(x));
  simulation.truth.push_back({"centers", std::move(centers)});
  simulation.memberships = {membership_of("rows", std::nullopt, labels)};
  return simulation;
}

}  // namespace

Simulator simulator() {
  return {
      .name = "kmeans",
      .title = "Rows scattered around a few centres",
      .options = {integer_option("rows", "300", 1, 1e9, "Rows of the matrix."),
                  integer_option("columns", "5", 1, 1e9, "Columns of the matrix."),
                  integer_option("clusters", "4", 1, 1e9, "Centres."),
                  real_option("separation", "5", 0, 1e100, "Standard deviation of the centres."),
                  real_option("noise", "1", 0, 1e100,
                              "Standard deviation of rows around their centre.")},
      .make = make};
}

}  // namespace gingham::methods::kmeans
