// Co-clusters over several views: what an iteration costs against reading the views twice, how it
// grows with the nonzeros of sparse views, and whole fits beside k-means on the views side by side.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "gingham/engine/run.hpp"
#include "gingham/io/write.hpp"
#include "limits.hpp"
#include "random_sparse.hpp"
#include "rivals.hpp"
#include "table.hpp"

namespace gingham::bench {
namespace {

constexpr Index kGroups = 5;

// Groups of rows that share a tenth of the columns each, raised by `height` in uniform noise.
Matrix dense_view(Index rows, Index columns, double height, const char* name) {
  Rng rng = Rng::named(1, name);
  Matrix x(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const bool own = j * 10 / columns == i * kGroups / rows;
      x(i, j) = rng.uniform() + (own ? height : 0.0);
    }
  }
  return x;
}

Dataset dense_views(Index rows, const std::vector<Index>& columns) {
  std::vector<Block> blocks;
  for (const Index d : columns) {
    blocks.emplace_back("view", dense_view(rows, d, 0.5, std::to_string(d).c_str()));
  }
  return Dataset(std::move(blocks));
}

// One cell in a hundred, higher in a group's own tenth of the columns.
Dataset sparse_views(Index rows, const std::vector<Index>& columns) {
  std::vector<Block> blocks;
  for (const Index d : columns) {
    blocks.emplace_back("view", random_sparse(rows, d, d / 100, Rng::named(2, std::to_string(d)),
                                              [&](Index i, Index j, double x) {
                                                const bool own = j * 10 / d == i * kGroups / rows;
                                                return x + (own ? 4.0 : 0.0);
                                              }));
  }
  return Dataset(std::move(blocks));
}

// Median seconds of an iteration of one co-cluster.
double iteration_of(const Dataset& data, int threads) {
  const Result result = run("multiview", data,
                            {{"clusters", 1},
                             {"rows", "100%"},
                             {"columns", "100%"},
                             {"sign", "any"},
                             {"starts", 1},
                             {"refine", "no"},
                             {"start", "ones"},
                             {"tolerance", 1e-16},
                             {"max-iterations", 15},
                             {"threads", threads}});
  std::vector<double> seconds;
  for (std::size_t i = 1; i < result.trace.size(); ++i) {
    seconds.push_back(result.trace[i].seconds - result.trace[i - 1].seconds);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds.empty() ? 0.0 : seconds[seconds.size() / 2];
}

std::string with_threads(const char* what, int threads) {
  return what + std::string(", ") + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads");
}

void dense_rows(Table& table) {
  if (!table.wants("multiview/dense iteration")) return;
  const Dataset data = dense_views(20000, {2000, 500});
  for (const int threads : {1, 2}) {
    const Limit limit = read_limit(threads);
    const double before = limit.amount / seconds_of(limit.run);
    const double seconds = iteration_of(data, threads);
    const double reads = 0.5 * (before + limit.amount / seconds_of(limit.run));
    const double speed = 2.0 * static_cast<double>(data.bytes()) / seconds;
    char reference[64];
    std::snprintf(reference, sizeof reference, "reads %.3g GB/s", reads / 1e9);
    table.add({"multiview/dense iteration", with_threads("20000 x (2000 + 500)", threads),
               speed / 1e9, "GB/s", reference, speed / reads, at_least(0.6)});
  }
}

void sparse_rows(Table& table) {
  if (!table.wants("multiview/sparse iteration")) return;
  double middle = 0.0;
  for (const Index rows : {Index{10000}, Index{1000}, Index{100000}}) {
    const Dataset data = sparse_views(rows, {10000, 1000});
    const double nonzeros = static_cast<double>(rows) * 110.0;
    const double each = iteration_of(data, 2) * 1e9 / nonzeros;
    if (middle == 0.0) middle = each;
    char what[64];
    std::snprintf(what, sizeof what, "%.2g nonzeros, 2 threads", nonzeros);
    table.add({"multiview/sparse iteration", what, each, "ns/nz", "1.1e6 nonzeros", each / middle,
               at_most(2.0)});
  }
}

// The size of the handwritten digits.
void small_rows(Table& table) {
  if (!table.wants("multiview/small")) return;
  const double seconds = iteration_of(dense_views(2000, {76, 240}), 1);
  table.add({"multiview/small iteration", "2000 x (76 + 240), 1 thread", 1.0 / seconds, "1/s",
             "100 per second", 1.0 / seconds / 100.0, at_least(1.0)});
}

// A whole fit of five co-clusters, once, and scikit-learn's k-means on `beside`.
void fit_row(Table& table, const std::string& name, const Dataset& data, const char* what,
             const Block& beside, const std::string& file, Goal within) {
  write_block(beside, file);
  for (const int threads : {1, 2}) {
    const Result result =
        run("multiview", data,
            {{"clusters", kGroups}, {"rows", "20%"}, {"columns", "10%"}, {"threads", threads}});
    double ours = 0.0;
    for (const NamedValue& one : result.seconds) ours += one.name == "fit" ? one.value : 0.0;
    if (within.kind != Goal::Kind::none)
      table.add({name + ", seconds", with_threads(what, threads), ours, "s", "", ours, within});
    const double theirs =
        scikit_seconds(file, "KMeans(5, n_init=10, random_state=0).fit(X)", threads);
    char text[64];
    std::snprintf(text, sizeof text, "k-means of scikit-learn %.3g s", theirs);
    if (theirs >= 0.0)
      table.add({name, with_threads(what, threads), ours, "s", text, ours / theirs, {}});
  }
  std::filesystem::remove(file);
}

void fit_rows(Table& table) {
  const std::string folder = std::filesystem::temp_directory_path().string();
  if (table.wants("multiview/dense fit")) {
    const Dataset data = dense_views(5000, {1500, 500});
    Matrix both(5000, 2000);
    for (Index i = 0; i < both.rows(); ++i) {
      const Vec row = both.row(i);
      const ConstVec a = data.block(0).dense_matrix()->row(i);
      const ConstVec b = data.block(1).dense_matrix()->row(i);
      std::copy(b.begin(), b.end(), std::copy(a.begin(), a.end(), row.begin()));
    }
    fit_row(table, "multiview/dense fit", data, "5000 x (1500 + 500)",
            Block("both", std::move(both)), folder + "/gingham-bench-views.npy", {});
  }
  if (table.wants("multiview/sparse fit")) {
    const Dataset data = sparse_views(100000, {10000, 1000});
    fit_row(table, "multiview/sparse fit", data, "100000 x (10000 + 1000), 1%", data.block(0),
            folder + "/gingham-bench-views.npz", at_most(30.0));
  }
}

}  // namespace

void multiview_bench(Table& table) {
  dense_rows(table);
  sparse_rows(table);
  small_rows(table);
  fit_rows(table);
}

}  // namespace gingham::bench
