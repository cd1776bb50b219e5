// Non-negative factorisation: what an iteration costs against its two products at the peak of a
// general matrix product, against scikit-learn and RcppML (where they are installed), per iteration
// and to the same error; and what groups cost on top.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "gingham/engine/run.hpp"
#include "gingham/io/write.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "limits.hpp"
#include "rivals.hpp"
#include "table.hpp"

namespace gingham::bench {
namespace {

constexpr Index kRank = 20;
constexpr Index kDenseRows = 2000, kDenseColumns = 1000, kSparseSize = 10000;
constexpr Index kSparseEntries = 500000;
constexpr int kRivalIterations = 20;

// Parts that add up, a third of them in use per column, and noise.
Matrix dense_data() {
  Rng rng = Rng::named(1, "parts");
  Matrix w(kDenseRows, kRank), h(kRank, kDenseColumns), x(kDenseRows, kDenseColumns);
  for (double& value : w.values()) value = rng.uniform();
  for (double& value : h.values()) value = rng.uniform() < 0.3 ? rng.uniform() : 0.0;
  for (Index i = 0; i < x.rows(); ++i) {
    const Vec row = x.row(i);
    for (Index k = 0; k < kRank; ++k) axpy(w(i, k), std::as_const(h).row(k), row);
    for (double& value : row) value += 0.1 * rng.uniform();
  }
  return x;
}

// Rows and columns of power-law weight: a few of them have most of the entries.
SparseMatrix sparse_data() {
  Rng rng = Rng::named(2, "cells");
  const std::vector<Index> rows = rng.permutation(kSparseSize);
  const std::vector<Index> columns = rng.permutation(kSparseSize);
  const auto draw = [&] {
    const double u = rng.uniform();  // density falls with the root of the place
    return std::min(static_cast<Index>(u * u * static_cast<double>(kSparseSize)), kSparseSize - 1);
  };
  Array<std::int32_t> row(kSparseEntries), column(kSparseEntries);
  Array<double> value(kSparseEntries);
  for (Index e = 0; e < kSparseEntries; ++e) {
    row.data()[e] = static_cast<std::int32_t>(rows[draw()]);
    column.data()[e] = static_cast<std::int32_t>(columns[draw()]);
    value.data()[e] = 0.1 + rng.uniform();
  }
  return SparseMatrix::from_triplets(kSparseSize, kSparseSize, std::move(row), std::move(column),
                                     std::move(value), Duplicates::sum);
}

double squares_of(const Block& block) {
  double total = 0.0;
  for_each_entry(block, [&](std::span<const Index>, double x) { total += x * x; });
  return total;
}

struct Run {
  double iteration = 0.0;  // median seconds
  Result result;
};

Run run_of(const char* method, const Dataset& data, const char* precision, int threads,
           const std::vector<Setting>& more = {}) {
  std::vector<Setting> settings{
      {"rank", kRank},        {"restarts", 1},          {"start", "random"}, {"tolerance", 0},
      {"max-iterations", 60}, {"precision", precision}, {"threads", threads}};
  settings.insert(settings.end(), more.begin(), more.end());
  Run made;
  made.result = run(method, data, settings);
  std::vector<double> seconds;
  const std::vector<Record>& trace = made.result.trace;
  for (std::size_t i = 1; i < trace.size(); ++i)
    seconds.push_back(trace[i].seconds - trace[i - 1].seconds);
  std::sort(seconds.begin(), seconds.end());
  made.iteration = seconds.empty() ? 0.0 : seconds[seconds.size() / 2];
  return made;
}

// Seconds until the relative error is at most this; negative where it never is.
double seconds_to(const Run& run, double squares, double error) {
  for (const Record& record : run.result.trace) {
    if (std::sqrt(2.0 * record.objective / squares) <= error) return record.seconds;
  }
  return -1.0;
}

std::string words(const char* what, const char* precision, int threads) {
  return std::string(what) + ", " + precision + ", " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads");
}

std::string rival_text(const char* name, double seconds, const char* unit, double scale) {
  char text[96];
  std::snprintf(text, sizeof text, "%s %.3g %s", name, scale * seconds, unit);
  return text;
}

struct Case {
  const char* name;
  const char* what;
  const Dataset& data;
  std::string file;
  double per_iteration, to_error;  // goals: how many times faster than the best rival
};

void against_rivals(Table& table, const Case& one, const char* precision, int threads) {
  const double squares = squares_of(one.data.block(0));
  Run ours = run_of("nmf", one.data, precision, threads);
  for (int repeat = 0; repeat < 2; ++repeat) {
    const Run again = run_of("nmf", one.data, precision, threads);
    if (again.iteration < ours.iteration) ours = again;
  }
  const std::vector<NmfRival> rivals =
      nmf_rivals(one.file, kRank, kRivalIterations, precision, threads);
  for (const NmfRival& rival : rivals) {
    table.add(
        {std::string(one.name) + " iteration", words(one.what, precision, threads),
         1e3 * ours.iteration, "ms", rival_text(rival.name.c_str(), rival.iteration, "ms", 1e3),
         rival.iteration / ours.iteration,
         precision == std::string("float") && threads == 2 ? at_least(one.per_iteration) : Goal{}});
    const double seconds = seconds_to(ours, squares, rival.error);
    if (seconds < 0.0) continue;
    table.add({std::string(one.name) + " to the same error", words(one.what, precision, threads),
               seconds, "s", rival_text(rival.name.c_str(), rival.seconds, "s", 1.0),
               rival.seconds / seconds, at_least(one.to_error)});
  }
}

// Two products with a thin matrix are what an iteration cannot do without.
void against_peak(Table& table, const Dataset& data) {
  if (!table.wants("nmf/dense at the peak")) return;
  const double flops = 4.0 * static_cast<double>(kDenseRows * kDenseColumns * kRank);
  for (const char* precision : {"double", "float"}) {
    for (const int threads : {1, 2}) {
      const Limit peak =
          precision == std::string("float") ? sgemm_limit(threads) : dgemm_limit(threads);
      std::vector<double> ratios, times;
      for (int repeat = 0; repeat < 5; ++repeat) {
        const double floor = flops * seconds_of(peak.run) / peak.amount;
        times.push_back(run_of("nmf", data, precision, threads).iteration);
        ratios.push_back(times.back() / floor);
      }
      std::sort(ratios.begin(), ratios.end());
      std::sort(times.begin(), times.end());
      table.add({"nmf/dense at the peak", words("2000 x 1000", precision, threads), 1e3 * times[2],
                 "ms", "two products at the peak", ratios[2],
                 precision == std::string("float") ? at_most(1.9) : Goal{}});
    }
  }
}

void group_rows(Table& table, const char* what, const Dataset& data) {
  if (!table.wants("groupnmf/")) return;
  const Index n = data.block(0).shape()[1];
  std::vector<std::string> lines;
  for (Index j = 0; j < n; ++j) lines.push_back("group" + std::to_string(j * 10 / n));
  for (const char* norm : {"2", "inf"}) {
    std::vector<double> plain, grouped;
    for (int repeat = 0; repeat < 5; ++repeat) {
      plain.push_back(run_of("nmf", data, "double", 1).iteration);
      Options options = find_method("groupnmf").make_options();
      options.attach("groups", lines);
      for (const auto& [name, text] :
           std::vector<std::pair<const char*, std::string>>{{"rank", std::to_string(kRank)},
                                                            {"restarts", "1"},
                                                            {"start", "random"},
                                                            {"tolerance", "0"},
                                                            {"max-iterations", "60"},
                                                            {"threads", "1"},
                                                            {"norm", norm},
                                                            {"beta", "1%"}})
        options.set(name, text);
      const Result result = run(find_method("groupnmf"), data, options);
      std::vector<double> seconds;
      for (std::size_t i = 1; i < result.trace.size(); ++i)
        seconds.push_back(result.trace[i].seconds - result.trace[i - 1].seconds);
      std::sort(seconds.begin(), seconds.end());
      grouped.push_back(seconds[seconds.size() / 2]);
    }
    std::sort(plain.begin(), plain.end());
    std::sort(grouped.begin(), grouped.end());
    table.add({std::string("groupnmf/groups on top, norm ") + norm, words(what, "double", 1),
               1e3 * grouped[2], "ms", rival_text("plain", plain[2], "ms", 1e3),
               grouped[2] / plain[2], at_most(1.15)});
  }
}

}  // namespace

void nonnegative_bench(Table& table) {
  if (!table.wants("nmf/dense") && !table.wants("nmf/sparse") && !table.wants("groupnmf/")) return;
  const std::string folder = std::filesystem::temp_directory_path().string();
  const Dataset dense(Block("dense", dense_data())), sparse(Block("sparse", sparse_data()));
  const Case cases[] = {
      {"nmf/dense", "2000 x 1000", dense, folder + "/gingham-bench-nmf.npy", 1.0, 2.0},
      {"nmf/sparse", "10000 x 10000, 0.5%", sparse, folder + "/gingham-bench-nmf.npz", 7.0, 6.0}};
  against_peak(table, dense);
  for (const Case& one : cases) {
    if (!table.wants(one.name)) continue;
    write_block(one.data.block(0), one.file);
    const std::string beside = one.file.substr(0, one.file.size() - 4) + ".mtx";
    if (one.data.block(0).is_sparse()) write_block(one.data.block(0), beside);
    for (const char* precision : {"double", "float"}) {
      for (const int threads : {1, 2}) against_rivals(table, one, precision, threads);
    }
    std::filesystem::remove(one.file);
    std::filesystem::remove(beside);
  }
  group_rows(table, "2000 x 1000", dense);
  group_rows(table, "10000 x 10000, 0.5%", sparse);
}

}  // namespace gingham::bench
