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
  return {.name = "kmeans",
          .title = "Rows scattered around a few centres",
          .options = {{.name = "rows",
                       .type = OptionType::integer,
                       .initial = "300",
                       .min = 1,
                       .max = 1e9,
                       .help = "Rows of the matrix."},
                      {.name = "columns",
                       .type = OptionType::integer,
                       .initial = "5",
                       .min = 1,
                       .max = 1e9,
                       .help = "Columns of the matrix."},
                      {.name = "clusters",
                       .type = OptionType::integer,
                       .initial = "4",
                       .min = 1,
                       .max = 1e9,
                       .help = "Centres."},
                      {.name = "separation",
                       .type = OptionType::real,
                       .initial = "5",
                       .min = 0,
                       .max = 1e100,
                       .help = "Standard deviation of the centres."},
                      {.name = "noise",
                       .type = OptionType::real,
                       .initial = "1",
                       .min = 0,
                       .max = 1e100,
                       .help = "Standard deviation of rows around their centre."}},
          .make = make};
}

}  // namespace gingham::methods::kmeans
