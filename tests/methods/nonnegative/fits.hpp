// Fits of nmf and groupnmf: options with files of lines, given starts, and what holds of every
// result.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gingham/base/digest.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/engine/run.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/tools/verify.hpp"

namespace gingham::testing {

struct Attached {
  std::string option;
  std::vector<std::string> lines;
};

inline Options options_of(const std::string& method, const std::vector<Setting>& settings,
                          const std::vector<Attached>& attached = {}) {
  Options options = find_method(method).make_options();
  for (const Setting& one : settings) options.set(one.name, one.text);
  for (const Attached& one : attached) options.attach(one.option, one.lines);
  return options;
}

// Two factors, W: rows x K and H: K x columns.
struct Start {
  Matrix w, h;
};

inline Matrix uniform_matrix(Index rows, Index columns, Rng& rng) {
  Matrix x(rows, columns);
  for (double& value : x.values()) value = rng.uniform();
  return x;
}

inline Start start_at_random(Index rows, Index columns, Index rank, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "start of a test");
  Matrix w = uniform_matrix(rows, rank, rng);
  return {std::move(w), uniform_matrix(rank, columns, rng)};
}

inline Matrix product(const Matrix& w, const Matrix& h) {
  Matrix x(w.rows(), h.cols());
  for (Index i = 0; i < w.rows(); ++i) {
    for (Index j = 0; j < h.cols(); ++j) {
      for (Index k = 0; k < w.cols(); ++k) x(i, j) += w(i, k) * h(k, j);
    }
  }
  return x;
}

inline Matrix transposed(const Matrix& x) {
  Matrix turned(x.cols(), x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) turned(j, i) = x(i, j);
  }
  return turned;
}

// W H of sparse factors, and a little noise.
inline Matrix low_rank(Index rows, Index columns, Index rank, double noise, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "low rank");
  Matrix w = uniform_matrix(rows, rank, rng), h = uniform_matrix(rank, columns, rng);
  for (Matrix* factor : {&w, &h}) {
    for (double& value : factor->values()) value = value < 0.4 ? 0.0 : value;
  }
  Matrix x = product(w, h);
  for (double& value : x.values()) value += noise * rng.uniform();
  return x;
}

inline double sum_of_squares(const Dataset& data) {
  double total = 0.0;
  for_each_entry(data.block(0),
                 [&](std::span<const Index>, double x) { total += std::isnan(x) ? 0.0 : x * x; });
  return total;
}

// Of the model in all cells, missing ones too.
inline double model_squares(const Result& result) {
  const Matrix *w = nullptr, *h = nullptr;
  for (const NamedArray& array : result.model.arrays) {
    if (array.name == "W") w = std::get_if<Matrix>(&array.values);
    if (array.name == "H") h = std::get_if<Matrix>(&array.values);
  }
  if (w == nullptr || h == nullptr) return 0.0;
  double total = 0.0;
  const Matrix m = product(*w, *h);
  for (const double value : m.values()) total += value * value;
  return total;
}

// Objectives are differences of sums over the data and, where cells are missing, over what the
// model has in all cells: their rounding is that of these squares.
inline void expect_no_rise(const Dataset& data, const Result& result) {
  const double unit = result.options.text("precision") == "float" ? 1e-6 : 1e-14;
  const double rounding = unit * (sum_of_squares(data) + model_squares(result));
  for (std::size_t i = 1; i < result.trace.size(); ++i) {
    const double before = result.trace[i - 1].objective, now = result.trace[i].objective;
    if (now <= before * (1.0 + 1e-12) + rounding) continue;
    ADD_FAILURE() << "iteration " << i + 1 << ": from " << before << " to " << now;
    return;
  }
}

inline void expect_sound(const Dataset& data, const Result& result) {
  EXPECT_NE(result.status, Status::numerical_failure);
  const Verification verification = verify_result(data, result);
  EXPECT_TRUE(verification.passed()) << (verification.passed() ? "" : verification.differences[0]);
  EXPECT_GT(verification.n_checked, 5);
  expect_no_rise(data, result);
}

inline Result fit(const std::string& method, const Dataset& data, const Options& options) {
  Result result = run(find_method(method), data, options);
  expect_sound(data, result);
  return result;
}

inline Result fit(const std::string& method, const Dataset& data,
                  const std::vector<Setting>& settings, const std::vector<Attached>& lines = {}) {
  return fit(method, data, options_of(method, settings, lines));
}

// The same from given factors.
inline Result fit_from(const Start& start, const std::string& method, const Dataset& data,
                       const std::vector<Setting>& settings,
                       const std::vector<Attached>& lines = {}) {
  Options options = options_of(method, settings, lines);
  options.set("rank", std::to_string(start.w.cols()));
  options.set("restarts", "1");
  ThreadPool pool(1);
  Session session(find_method(method), data, options, pool);
  Model given;
  given.arrays = {{"W", start.w}, {"H", start.h}};
  session.begin_from(std::move(given));
  Result result = session.run({});
  expect_sound(data, result);
  return result;
}

inline double relative_distance(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return HUGE_VAL;
  double off = 0.0, size = 0.0;
  for (Index i = 0; i < a.size(); ++i) {
    off += (a.data()[i] - b.data()[i]) * (a.data()[i] - b.data()[i]);
    size += a.data()[i] * a.data()[i];
  }
  return size > 0.0 ? std::sqrt(off / size) : std::sqrt(off);
}

// Factors, objective and gaps agree but for rounding.
inline void expect_same(const Result& a, const Result& b, double tolerance = 1e-9) {
  EXPECT_LE(relative_distance(a.matrix("W"), b.matrix("W")), tolerance);
  EXPECT_LE(relative_distance(a.matrix("H"), b.matrix("H")), tolerance);
  EXPECT_NEAR(a.terms.objective(), b.terms.objective(),
              tolerance * (std::abs(a.terms.objective()) + 1e-3));
}

// Everything a run reports but its seconds.
inline std::string digest_of(const Result& result) {
  Digest digest;
  digest.add(status_name(result.status));
  digest.add(result.terms.objective());
  for (const Record& record : result.trace) {
    digest.add(record.objective);
    digest.add(record.gap);
  }
  for (const RestartSummary& restart : result.restarts) digest.add(restart.objective);
  for (const NamedArray& array : result.model.arrays)
    digest.add(std::get<Matrix>(array.values).values());
  for (const UsedValues& used : result.model.used) digest.add(std::span<const double>(used.values));
  return digest.hex();
}

// n_items lines of n_groups groups of neighbours: g0 g0 g1 g1 ...
inline std::vector<std::string> runs_of_groups(Index n_items, Index n_groups) {
  std::vector<std::string> lines;
  for (Index i = 0; i < n_items; ++i) lines.push_back("g" + std::to_string(i * n_groups / n_items));
  return lines;
}

inline std::vector<std::string> singletons(Index n_items) {
  return runs_of_groups(n_items, n_items);
}

}  // namespace gingham::testing
