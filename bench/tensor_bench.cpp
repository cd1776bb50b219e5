// N-way co-clusters: what a sweep costs per nonzero and against streaming the nonzeros, what the
// sorted copies cost in time and memory, and how line searches shorten a run.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

#include "gingham/base/rng.hpp"
#include "gingham/engine/run.hpp"
#include "limits.hpp"
#include "table.hpp"

namespace gingham::bench {
namespace {

// Entries at random places, more of them at low indices; values 1 to 5.
SparseTensor random_entries(const Shape& shape, Index entries) {
  Rng rng = Rng::named(5, "bench tensor");
  std::vector<Array<std::int32_t>> coordinates;
  for (const Index size : shape) {
    Array<std::int32_t> index(entries);
    std::int32_t* out = index.data();
    for (Index e = 0; e < entries; ++e) {
      out[e] = static_cast<std::int32_t>(std::pow(rng.uniform(), 1.6) * static_cast<double>(size));
    }
    coordinates.push_back(std::move(index));
  }
  Array<double> values(entries);
  for (double& value : values.span()) value = 1.0 + 4.0 * rng.uniform();
  return SparseTensor::from_coordinates(shape, std::move(coordinates), std::move(values),
                                        Duplicates::sum);
}

Result fit(const Dataset& data, std::vector<Setting> settings) {
  return run("tensor", data, settings);
}

// Median seconds between iterations.
double iteration_seconds(const Result& result) {
  std::vector<double> seconds;
  for (std::size_t i = 1; i < result.trace.size(); ++i) {
    seconds.push_back(result.trace[i].seconds - result.trace[i - 1].seconds);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds.empty() ? 0.0 : seconds[seconds.size() / 2];
}

double sweep_seconds(const Dataset& data, Index clusters, int threads, Index iterations,
                     const char* line_search) {
  return iteration_seconds(fit(data, {{"clusters", clusters},
                                      {"sparsity", 0.01},
                                      {"prune", 0},
                                      {"start", "random"},
                                      {"restarts", 1},
                                      {"line-search", line_search},
                                      {"tolerance", 1e-15},
                                      {"threads", threads},
                                      {"max-iterations", iterations}}));
}

std::string with_threads(const char* what, int threads) {
  return std::string(what) + ", " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads");
}

void small_rows(Table& table) {
  if (!table.wants("tensor/small")) return;
  constexpr Index kClusters = 5;
  const Dataset data(Block("X", random_entries({168, 168, 44}, 50000)));
  const auto nonzeros = static_cast<double>(data.block(0).summary().listed);
  double one = 0.0;
  for (const int threads : {1, 2}) {
    const double seconds = sweep_seconds(data, kClusters, threads, 400, "none");
    if (threads == 1) {
      one = seconds;
      const double each = seconds * 1e9 / (nonzeros * kClusters * 3.0);
      char what[96];
      std::snprintf(what, sizeof what, "168x168x44, %.0f nonzeros, K=5, 1 thread", nonzeros);
      table.add({"tensor/small sweep", what, each, "ns", "0.6 ns per nonzero, component, mode",
                 each / 0.6, at_most(1.0)});
    } else {
      table.add({"tensor/small sweep", with_threads("168x168x44, K=5", threads), seconds * 1e3,
                 "ms", "1 thread", seconds / one, at_most(1.1)});
    }
  }
  const double searched = sweep_seconds(data, kClusters, 1, 400, "polynomial");
  table.add({"tensor/small line search", with_threads("168x168x44, K=5", 1), searched * 1e3, "ms",
             "a sweep alone", searched / one, Goal{}});
}

// All modes' orders of the entries of a copy; those of `x` itself are kept once they are made.
double sorting_seconds(const SparseTensor& x, int threads) {
  std::vector<Array<std::int32_t>> coordinates;
  for (Index m = 0; m < x.modes(); ++m) {
    coordinates.emplace_back(x.entries());
    std::copy(x.coordinates(m).begin(), x.coordinates(m).end(), coordinates.back().data());
  }
  Array<double> values(x.entries());
  std::copy(x.values().begin(), x.values().end(), values.data());
  const SparseTensor fresh = SparseTensor::from_coordinates(x.shape(), std::move(coordinates),
                                                            std::move(values), Duplicates::error);
  ThreadPool pool(threads);
  const auto began = std::chrono::steady_clock::now();
  pool.map(x.modes(), [&](Index mode) { fresh.grouped(mode); });
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

void large_rows(Table& table) {
  if (!table.wants("tensor/large")) return;
  constexpr Index kClusters = 16;
  constexpr double kBytes = 8.0 + 3.0 * 4.0;  // a value and its indices
  const Dataset data(Block("X", random_entries({10000, 10000, 1000}, 10000000)));
  const SparseTensor& x = *data.block(0).sparse_tensor();
  for (const int threads : {1, 2}) {
    const Limit limit = read_limit(threads);
    const double speed = limit.amount / seconds_of(limit.run);
    const double seconds = sweep_seconds(data, kClusters, threads, 12, "none");
    const double stream = 3.0 * kBytes * static_cast<double>(x.entries()) / speed;
    const std::string what = with_threads("10kx10kx1k, 10M nonzeros, K=16", threads);
    table.add({"tensor/large sweep", what, seconds * 1e3, "ms", "streaming the nonzeros",
               seconds / stream, threads == 2 ? at_most(3.5) : Goal{}});
    const double sorting = sorting_seconds(x, threads);
    table.add({"tensor/large sorting", what, sorting * 1e3, "ms", "a sweep", sorting / seconds,
               at_most(10.0)});
  }
}

// The peak of a process of its own that makes the data and runs a few sweeps.
double peak_bytes_of_run(double* data_bytes) {
  int ends[2];
  if (pipe(ends) != 0) return 0.0;
  const pid_t child = fork();
  if (child == 0) {
    const SparseTensor x = random_entries({10000, 10000, 1000}, 10000000);
    double numbers[2] = {static_cast<double>(x.bytes()), 0.0};
    const Dataset data(Block("X", x));
    sweep_seconds(data, 16, 2, 3, "polynomial");
    // Making the data needs more than holding them; what counts is what is resident in the end.
    long pages = 0, resident = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
      if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
      std::fclose(file);
    }
    numbers[1] = static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
    const ssize_t written = write(ends[1], numbers, sizeof numbers);
    _exit(written == sizeof numbers ? 0 : 1);
  }
  double numbers[2] = {1.0, 0.0};
  const ssize_t got = read(ends[0], numbers, sizeof numbers);
  close(ends[0]);
  close(ends[1]);
  waitpid(child, nullptr, 0);
  *data_bytes = got == sizeof numbers ? numbers[0] : 1.0;
  return numbers[1];
}

void memory_rows(Table& table) {
  if (!table.wants("tensor/memory")) return;
  double data_bytes = 0.0;
  const double bytes = peak_bytes_of_run(&data_bytes);
  table.add({"tensor/memory", "10kx10kx1k, 10M nonzeros, K=16, data included", bytes / 1e6, "MB",
             "the data", bytes / data_bytes, at_most(3.0)});
}

// Whole fits, joint with 8 restarts, on e-mails with cliques.
void search_rows(Table& table) {
  if (!table.wants("tensor/line search")) return;
  for (const Simulator& simulator : find_method("tensor").simulators) {
    if (simulator.name != "emails") continue;
    const Simulation made =
        simulator.make(Options(simulator.options), Rng::named(1, "bench e-mails"));
    const Dataset data(made.blocks);
    double none = 0.0;
    for (const char* kind : {"none", "grid", "backtracking", "polynomial", "majorize"}) {
      Index iterations = 0;
      const double seconds = seconds_of([&] {
        const Result result = fit(data, {{"clusters", 5}, {"threads", 1}, {"line-search", kind}});
        iterations = 0;
        for (const RestartSummary& one : result.restarts) iterations += one.iterations;
      });
      if (none == 0.0) none = seconds;
      char what[96];
      std::snprintf(what, sizeof what, "%s, %ld iterations in 8 restarts", kind,
                    static_cast<long>(iterations));
      table.add({"tensor/line search", what, seconds * 1e3, "ms", "none", seconds / none, Goal{}});
    }
  }
}

}  // namespace

void tensor_bench(Table& table) {
  small_rows(table);
  large_rows(table);
  memory_rows(table);
  search_rows(table);
}

}  // namespace gingham::bench
