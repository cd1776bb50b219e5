// Co-clusters over time: what an iteration costs against reading the data twice, how much of it is
// the fused step, and how the cost grows with the nonzeros of sparse data.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gingham/base/rng.hpp"
#include "gingham/engine/run.hpp"
#include "limits.hpp"
#include "random_sparse.hpp"
#include "table.hpp"

namespace gingham::bench {
namespace {

constexpr Index kTimes = 7;

Dataset dense_series(Index rows, Index columns) {
  std::vector<Block> blocks;
  for (Index i = 0; i < kTimes; ++i) {
    Rng rng = Rng::named(static_cast<std::uint64_t>(i), "bench series");
    Matrix x(rows, columns);
    // Uniform noise: cheap to draw, and all the work does not depend on the values.
    for (double& value : x.values()) value = rng.uniform() - 0.5;
    for (Index r = 0; r < rows / 20; ++r) {
      for (Index j = 0; j < columns / 20; ++j) x(r, j) += 0.5;
    }
    blocks.emplace_back("time " + std::to_string(i), std::move(x));
  }
  return Dataset(std::move(blocks));
}

Dataset sparse_series(Index nonzeros) {
  constexpr Index kPerRow = 50;
  const Index rows = std::max<Index>(nonzeros / kTimes / kPerRow, 1), columns = rows;
  std::vector<Block> blocks;
  for (Index i = 0; i < kTimes; ++i) {
    blocks.emplace_back(
        "time " + std::to_string(i),
        random_sparse(rows, columns, kPerRow,
                      Rng::named(static_cast<std::uint64_t>(i), "bench sparse series"),
                      [](Index, Index, double x) { return x; }));
  }
  return Dataset(std::move(blocks));
}

struct Cost {
  double iteration = 0.0;       // median seconds
  double share_of_steps = 0.0;  // of products, steps and weights together
};

Cost cost_of(const Dataset& data, std::vector<Setting> settings, int threads) {
  settings.emplace_back("threads", threads);
  settings.emplace_back("tolerance", 1e-15);
  settings.emplace_back("max-iterations", 12);
  const Result result = run("evolving", data, settings);
  std::vector<double> seconds;
  for (std::size_t i = 1; i < result.trace.size(); ++i) {
    seconds.push_back(result.trace[i].seconds - result.trace[i - 1].seconds);
  }
  Cost cost;
  if (!seconds.empty()) {
    std::sort(seconds.begin(), seconds.end());
    cost.iteration = seconds[seconds.size() / 2];
  }
  double all = 0.0, steps = 0.0;
  for (const NamedValue& one : result.seconds) {
    const bool is_step = one.name == "fit.steps" || one.name == "fit.weights";
    if (is_step || one.name == "fit.products") all += one.value;
    if (is_step) steps += one.value;
  }
  cost.share_of_steps = all > 0.0 ? steps / all : 0.0;
  return cost;
}

double read_speed(int threads) {
  const Limit limit = read_limit(threads);
  return limit.amount / seconds_of(limit.run);
}

void dense_rows(Table& table) {
  if (!table.wants("evolving/dense iteration") && !table.wants("evolving/steps")) return;
  const Dataset data = dense_series(20000, 2000);
  // Without sparsity every cell is read twice; where most rows and columns are out they are not.
  const std::vector<std::pair<const char*, std::vector<Setting>>> cases{
      {"no zeros", {{"row-sparsity", 0}, {"column-sparsity", 0}, {"column-fusion", 1}}},
      {"auto, max", {}}};
  for (const auto& [name, settings] : cases) {
    for (const int threads : {1, 2}) {
      const double before = read_speed(threads);
      const Cost cost = cost_of(data, settings, threads);
      const double limit = 0.5 * (before + read_speed(threads));
      const double speed = 2.0 * static_cast<double>(data.bytes()) / cost.iteration;
      char what[96], reference[64];
      std::snprintf(what, sizeof what, "7 x 20000 x 2000, %s, %d thread%s", name, threads,
                    threads == 1 ? "" : "s");
      std::snprintf(reference, sizeof reference, "reads %.3g GB/s", limit / 1e9);
      table.add({"evolving/dense iteration", what, speed / 1e9, "GB/s", reference, speed / limit,
                 at_least(0.6)});
      table.add({"evolving/steps", what, cost.share_of_steps * cost.iteration * 1e3, "ms",
                 "of the iteration", cost.share_of_steps,
                 settings.empty() ? Goal{} : at_most(0.1)});
    }
  }
}

void sparse_rows(Table& table) {
  if (!table.wants("evolving/sparse iteration")) return;
  double middle = 0.0;
  for (const Index nonzeros : {Index{1000000}, Index{100000}, Index{10000000}}) {
    const Dataset data = sparse_series(nonzeros);
    const Cost cost = cost_of(data, {}, 2);
    const double each = cost.iteration * 1e9 / static_cast<double>(nonzeros);
    if (middle == 0.0) middle = each;
    char what[96];
    std::snprintf(what, sizeof what, "%.0e nonzeros, 2 threads", static_cast<double>(nonzeros));
    table.add({"evolving/sparse iteration", what, each, "ns/nz", "a million nonzeros",
               each / middle, at_most(2.0)});
  }
}

}  // namespace

void evolving_bench(Table& table) {
  dense_rows(table);
  sparse_rows(table);
}

}  // namespace gingham::bench
