// Groups over time.
//
//   X_i = level * sum_g r_gi c_g^T + noise * N(0, 1)
//
// c_g holds +1 and -1 by turns on the columns of group g, r_gi is 1 on the rows it has at time i:
// all of them (persist), a number that grows evenly to all of them at the last time (grow), none in
// the first half and all in the second (appear), or the other way round (vanish). No two groups
// share a row or a column.
//
// Missing cells are drawn last: their share does not change what is planted.
#include "gingham/methods/evolving/simulate.hpp"
#include "gingham/methods/evolving/simulate_missing.hpp"

namespace gingham::methods::evolving {
namespace {

enum class Fate { persist, grow, appear, vanish };

Index rows_at(Fate fate, Index rows, Index time, Index times) {
  const bool late = time >= times / 2;
  switch (fate) {
    case Fate::persist:
      break;
    case Fate::grow:
      return (rows * (time + 1) + times - 1) / times;
    case Fate::appear:
      return late ? rows : 0;
    case Fate::vanish:
      return late ? 0 : rows;
  }
  return rows;
}

std::vector<Fate> list_fates(const Options& options) {
  std::vector<Fate> fates;
  const auto add = [&](const char* name, Fate fate) {
    fates.insert(fates.end(), static_cast<std::size_t>(options.integer(name)), fate);
  };
  add("persist", Fate::persist);
  add("grow", Fate::grow);
  add("appear", Fate::appear);
  add("vanish", Fate::vanish);
  return fates;
}

Simulation make_groups(const Options& options, Rng rng) {
  const Index t = options.integer("times");
  const Index m = options.integer("rows"), n = options.integer("columns");
  const Index group_rows = options.integer("group-rows");
  const Index group_columns = options.integer("group-columns");
  const std::vector<Fate> fates = list_fates(options);
  const auto k = static_cast<Index>(fates.size());
  if (k * group_rows > m || k * group_columns > n) {
    throw Error(ErrorCode::usage, "--group-rows",
                "the groups do not fit: groups * group-rows must be at most rows, and groups * "
                "group-columns at most columns");
  }
  if (t < 2 && options.integer("appear") + options.integer("vanish") > 0) {
    throw Error(ErrorCode::usage, "--times",
                "nothing can appear or vanish at a single time: ask for --times 2 or more, or for "
                "--appear 0 --vanish 0");
  }
  const std::vector<Index> row_order = rng.sample(m, k * group_rows);
  const std::vector<Index> column_order = rng.sample(n, k * group_columns);
  std::vector<Matrix> times;
  std::vector<Membership> rows, columns;
  for (Index i = 0; i < t; ++i) {
    Matrix& x = times.emplace_back(m, n);
    for (double& value : x.values()) value = options.real("noise") * rng.normal();
    std::vector<Index> row_labels(static_cast<std::size_t>(m), -1),
        column_labels(static_cast<std::size_t>(n), -1);
    for (Index g = 0; g < k; ++g) {
      const Index present = rows_at(fates[g], group_rows, i, t);
      for (Index b = 0; b < group_columns && present > 0; ++b)
        column_labels[column_order[g * group_columns + b]] = g;
      for (Index a = 0; a < present; ++a) {
        const Index row = row_order[g * group_rows + a];
        row_labels[row] = g;
        for (Index b = 0; b < group_columns; ++b) {
          x(row, column_order[g * group_columns + b]) +=
              (b % 2 == 0 ? 1.0 : -1.0) * options.real("level");
        }
      }
    }
    rows.push_back(membership_of("rows", i, row_labels));
    columns.push_back(membership_of("columns", i, column_labels));
  }
  Simulation simulation;
  for (Index i = 0; i < t; ++i) {
    hide(times[i], options.real("missing"), rng);
    simulation.blocks.emplace_back("data_" + std::to_string(i), std::move(times[i]));
  }
  simulation.memberships = std::move(rows);
  simulation.memberships.insert(simulation.memberships.end(), columns.begin(), columns.end());
  return simulation;
}

}  // namespace

Simulator group_simulator() {
  return {.name = "evolving-groups",
          .title = "Noise with planted blocks that persist, grow, appear and vanish over time",
          .options = {integer_option("times", "8", 1, 1e4, "Matrices, one per time."),
                      integer_option("rows", "200", 1, 1e7, "Rows, the same at all times."),
                      integer_option("columns", "120", 1, 1e7, "Columns, the same at all times."),
                      integer_option("persist", "1", 0, 1e6, "Groups present at all times."),
                      integer_option("grow", "1", 0, 1e6, "Groups that gain rows."),
                      integer_option("appear", "1", 0, 1e6, "Groups of the second half only."),
                      integer_option("vanish", "1", 0, 1e6, "Groups of the first half only."),
                      integer_option("group-rows", "24", 1, 1e7, "Rows of each group at most."),
                      integer_option("group-columns", "12", 1, 1e7, "Columns of each group."),
                      real_option("level", "2", 0, 1e100, "Size of the planted values."),
                      real_option("noise", "1", 0, 1e100, "Standard deviation of the noise."),
                      missing_option()},
          .make = make_groups};
}

}  // namespace gingham::methods::evolving
