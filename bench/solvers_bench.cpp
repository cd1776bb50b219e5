// Whole small solvers: the TV prox against a fixed price per element and against the dual solver,
// k-means and spectral co-clustering against scikit-learn, where Debian's is installed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "gingham/base/rng.hpp"
#include "gingham/engine/run.hpp"
#include "gingham/io/write.hpp"
#include "gingham/kernels/tv_prox.hpp"
#include "rivals.hpp"
#include "table.hpp"

namespace gingham::bench {
namespace {

constexpr double kNanosecondsPerElement = 20.0;
constexpr double kTimesFasterThanDual = 50.0;

Matrix normal_matrix(Index rows, Index cols, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "bench");
  Matrix a(rows, cols);
  for (double& value : a.values()) value = rng.normal();
  return a;
}

void tv_rows(Table& table) {
  for (const auto& [t, n] :
       {std::pair<Index, Index>{50, 20000}, {7, 2000}, {7, 20000}, {7, 140000}}) {
    const Matrix a = normal_matrix(t, n, 1);
    Matrix v = a;
    const auto bring_back = [&] { std::copy_n(a.data(), a.size(), v.data()); };
    for (const int threads : {1, 2}) {
      if (!table.wants("solvers/tv prox")) continue;
      ThreadPool pool(threads);
      // The copy is measured alone and taken off.
      const std::vector<double> seconds = seconds_of_rivals({[&] {
                                                               bring_back();
                                                               tv_prox(v, 0.5, pool);
                                                             },
                                                             bring_back});
      const double each = (seconds[0] - seconds[1]) * 1e9 / static_cast<double>(t * n);
      table.add({"solvers/tv prox",
                 std::to_string(n) + " x " + std::to_string(t) + ", " + std::to_string(threads) +
                     (threads == 1 ? " thread" : " threads"),
                 each, "ns", "20 ns per element", each / kNanosecondsPerElement, at_most(1.0)});
    }
  }
  if (!table.wants("solvers/tv dual over exact")) return;
  const Matrix a = normal_matrix(7, 2000, 2);
  Matrix v = a;
  ThreadPool pool(1);
  for (const double gamma : {0.1, 0.5, 2.0}) {
    // The copy counts in both: after the dual it finds the data gone from the cache.
    const auto bring_back = [&] { std::copy_n(a.data(), a.size(), v.data()); };
    const std::vector<double> seconds =
        seconds_of_rivals({[&] {
                             bring_back();
                             tv_prox(v, gamma, pool);
                           },
                           [&] {
                             bring_back();
                             tv_prox_dual(v, gamma, {.tolerance = 1e-8}, pool);
                           }});
    char text[64];
    std::snprintf(text, sizeof text, "exact %.4g ms", seconds[0] * 1e3);
    char what[64];
    std::snprintf(what, sizeof what, "2000 x 7, gamma %g, 1 thread", gamma);
    // At small weights the dual starts near its end.
    const Goal goal = gamma >= 0.5 ? at_least(kTimesFasterThanDual) : Goal{};
    table.add({"solvers/tv dual over exact", what, seconds[1] * 1e3, "ms", text,
               seconds[1] / seconds[0], goal});
  }
}

void scikit_row(Table& table, const std::string& name, const std::string& method,
                const Block& block, const std::vector<Setting>& settings, const std::string& file,
                const std::string& expression) {
  if (!table.wants(name)) return;
  const Dataset data(block);
  for (const int threads : {1, 2}) {
    std::vector<Setting> chosen = settings;
    chosen.emplace_back("threads", threads);
    const double ours = seconds_of([&] { keep(run(method, data, chosen).terms.objective()); });
    const double theirs = scikit_seconds(file, expression, threads);
    if (theirs < 0.0) {
      table.add({name, "scikit-learn is not installed", ours, "s", "", 0.0, {}});
      continue;
    }
    char text[64];
    std::snprintf(text, sizeof text, "scikit-learn %.3g s", theirs);
    table.add({name,
               "5000 x 2000, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"),
               ours, "s", text, ours / theirs, at_most(0.5)});
  }
}

}  // namespace

void solvers_bench(Table& table) {
  tv_rows(table);
  if (!table.wants("solvers/k-means") && !table.wants("solvers/spectral")) return;
  // Eight groups of rows with blocks of columns raised, in noise of the same size.
  Rng rng = Rng::named(3, "bench");
  Matrix x(5000, 2000);
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j)
      x(i, j) = rng.uniform() + (i * 8 / x.rows() == j * 8 / x.cols() ? 0.5 : 0.0);
  }
  const std::string file = (std::filesystem::temp_directory_path() / "gingham-bench.npy").string();
  const Block block("bench", std::move(x));
  write_block(block, file);
  scikit_row(table, "solvers/k-means", "kmeans", block, {{"clusters", 8}, {"restarts", 10}}, file,
             "KMeans(8, n_init=10, random_state=0).fit(X)");
  scikit_row(table, "solvers/spectral", "spectral", block, {{"clusters", 8}}, file,
             "SpectralCoclustering(8, random_state=0).fit(X)");
  std::filesystem::remove(file);
}

}  // namespace gingham::bench
