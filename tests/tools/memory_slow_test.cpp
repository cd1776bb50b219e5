// The memory a method says it needs bounds what it takes: measured as the peak of a process of its
// own.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "gingham/engine/check.hpp"
#include "gingham/engine/run.hpp"
#include "methods/contract_data.hpp"

namespace gingham {
namespace {

constexpr double kTooMuch = 2e9;  // more is refused by the estimate before anything is taken

double peak_bytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024.0;
}

// Peak of a run beyond what was there before it, in a child so that runs do not see each other's
// peaks.
double measured(const MethodInfo& info, const std::function<Dataset()>& make,
                const Options& options, double* estimate) {
  int ends[2];
  if (pipe(ends) != 0) return -1.0;
  const pid_t child = fork();
  if (child == 0) {
    double numbers[2] = {-1.0, -1.0};
    try {
      const Dataset data = make();
      numbers[1] = estimate_bytes(info, data, options) - static_cast<double>(data.bytes());
      const double before = peak_bytes();
      if (numbers[1] < kTooMuch) run(info, data, options);
      numbers[0] = peak_bytes() - before;
    } catch (...) {
    }
    const ssize_t written = write(ends[1], numbers, sizeof numbers);
    _exit(written == sizeof numbers ? 0 : 1);
  }
  double numbers[2] = {-1.0, -1.0};
  const ssize_t got = read(ends[0], numbers, sizeof numbers);
  close(ends[0]);
  close(ends[1]);
  waitpid(child, nullptr, 0);
  *estimate = numbers[1];
  return got == sizeof numbers ? numbers[0] : -1.0;
}

TEST(Memory, TheEstimateBoundsThePeak) {
  struct Case {
    Index rows, columns;
    bool sparse;
  };
  for (const MethodInfo& info : all_methods()) {
    for (const Case& one :
         {Case{12000, 100, false}, Case{100, 12000, false}, Case{1200, 900, false},
          Case{1800, 1200, true}, Case{80000, 4, false}}) {
      if (one.sparse && !info.traits.accepts_sparse) continue;
      Matrix x = testing::planted_matrix(one.rows, one.columns, 1);
      if (one.sparse) {
        for (double& value : x.values()) value = value < 1.0 ? 0.0 : value;
      }
      Options options = info.make_options();
      options.set("max-iterations", "5");
      options.set("restarts", "2");
      options.set("threads", "2");
      double estimate = 0.0;
      const double peak = measured(
          info, [&] { return testing::dataset_for(info, x, one.sparse); }, options, &estimate);
      ASSERT_GE(peak, 0.0) << info.name;
      EXPECT_LE(peak, estimate) << info.name << " " << one.rows << " x " << one.columns;
    }
  }
}

TEST(Memory, TheEstimateBoundsThePeakOfRestartsThatRace) {
  for (const MethodInfo& info : all_methods()) {
    if (!info.race.bytes) continue;
    for (const bool sparse : {false, true}) {
      Matrix x = testing::planted_matrix(sparse ? 900 : 8000, sparse ? 700 : 12, 1);
      if (sparse) {
        for (double& value : x.values()) value = value < 1.0 ? 0.0 : value;
      }
      Options options = info.make_options();
      for (const auto& [name, value] : {std::pair{"max-iterations", "7"},
                                        {"tolerance", "0"},
                                        {"restarts", "16"},
                                        {"threads", "2"}}) {
        options.set(name, value);
      }
      options.set(options.has("rank") ? "rank" : "clusters", "12");
      double estimate = 0.0;
      const double peak = measured(
          info, [&] { return testing::dataset_for(info, x, sparse); }, options, &estimate);
      ASSERT_GE(peak, 0.0) << info.name;
      EXPECT_LE(peak, estimate) << info.name;
    }
  }
}

TEST(Memory, TheEstimateBoundsThePeakOfViewsSharedOutAndRefined) {
  const MethodInfo& info = find_method("multiview");
  for (const bool sparse : {false, true}) {
    Matrix x = testing::planted_matrix(30000, 40, 2);
    for (double& value : x.values()) value = sparse && value < 1.0 ? 0.0 : value;
    Options options = info.make_options();
    for (const auto& [name, value] : {std::pair{"clusters", "20"},
                                      {"rows", "5%"},
                                      {"columns", "50%"},
                                      {"restarts", "2"},
                                      {"swaps", "1"},
                                      {"max-iterations", "5"}}) {
      options.set(name, value);
    }
    double estimate = 0.0;
    const double peak = measured(
        info, [&] { return testing::dataset_for(info, x, sparse); }, options, &estimate);
    ASSERT_GE(peak, 0.0);
    EXPECT_LE(peak, estimate);
  }
}

// Peaks from here on; what making the data took is forgotten.
void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

// A matrix without negative entries, stored in one of the ways there are.
Block nonnegative_of(Index rows, Index columns, const std::string& kind) {
  Matrix x = testing::planted_matrix(rows, columns, 3);
  Rng rng = Rng::named(2, "memory");
  const double missing = kind == "holes" ? 0.1 : kind == "mostly missing" ? 0.8 : 0.0;
  const bool is_sparse = kind.starts_with("sparse");
  for (double& value : x.values()) {
    if (is_sparse && value < 1.0) value = 0.0;
    if (rng.uniform() < missing) value = std::nan("");
  }
  if (!is_sparse) return Block("X", std::move(x));
  return Block("X", SparseMatrix::from_dense(x), {},
               kind == "sparse, missing" ? Unlisted::missing : Unlisted::zero);
}

TEST(Memory, TheEstimateBoundsThePeakOfNonNegativeFactors) {
  struct Case {
    Index rows, columns;
    const char *kind, *rank;
  };
  for (const Case& one : {Case{4000, 600, "dense", "50"}, Case{600, 4000, "dense", "50"},
                          Case{2000, 700, "holes", "20"}, Case{2000, 700, "mostly missing", "20"},
                          Case{3000, 900, "sparse", "50"}, Case{2000, 900, "sparse, missing", "20"},
                          Case{60000, 12, "dense", "8"}, Case{900, 700, "dense", "auto"}}) {
    for (const char* setting :
         {"nmf", "nmf float", "nmf bpp", "groupnmf", "groupnmf matrix", "groupnmf missing"}) {
      const std::string words = setting;
      const MethodInfo& info = find_method(words.substr(0, words.find(' ')));
      Options options = info.make_options();
      options.set("rank", one.rank);
      options.set("max-rank", "4");
      options.set("max-iterations", "2");
      options.set("restarts", "2");
      options.set("threads", "2");
      if (words.ends_with("float")) options.set("precision", "float");
      if (words.ends_with("bpp")) options.set("solver", "bpp");
      if (words.ends_with("matrix")) options.set("solver", "matrix");
      if (info.name == "groupnmf") {
        std::vector<std::string> lines, missing;
        for (Index j = 0; j < one.columns; ++j) lines.push_back("g" + std::to_string(j % 5));
        for (Index i = 0; i < one.rows; ++i) missing.push_back(i % 3 == 0 ? "g1" : "");
        options.attach("groups", lines);
        if (words.ends_with("missing")) options.attach("missing-groups", missing);
      }
      double estimate = 0.0;
      const auto make = [&] {
        Dataset data(nonnegative_of(one.rows, one.columns, one.kind));
        forget_peak();
        return data;
      };
      const double peak = measured(info, make, options, &estimate);
      ASSERT_GE(peak, 0.0) << setting;
      EXPECT_LE(peak, estimate) << setting << " " << one.rows << " x " << one.columns << " "
                                << one.kind << " " << one.rank;
    }
  }
}

// Dense with or without holes, or sparse with a tenth of the cells, unlisted ones missing or zero.
Block array_of(const Shape& shape, const std::string& kind) {
  Rng rng = Rng::named(1, "memory");
  if (!kind.starts_with("sparse")) {
    Tensor x(shape);
    for (double& cell : x.values()) {
      cell = kind == "holes" && rng.uniform() < 0.2 ? std::nan("") : rng.uniform();
    }
    return Block("X", std::move(x));
  }
  const Index entries = cells(shape) / 10;
  std::vector<Array<std::int32_t>> coordinates;
  for (const Index size : shape) {
    Array<std::int32_t> index(entries);
    for (std::int32_t& i : index.span()) i = static_cast<std::int32_t>(rng.below(size));
    coordinates.push_back(std::move(index));
  }
  Array<double> values(entries);
  for (double& value : values.span()) value = rng.uniform();
  return Block("X",
               SparseTensor::from_coordinates(shape, std::move(coordinates), std::move(values),
                                              Duplicates::sum),
               {}, kind == "sparse, missing" ? Unlisted::missing : Unlisted::zero);
}

TEST(Memory, TheEstimateBoundsThePeakOfArraysWithMoreModes) {
  for (const MethodInfo& info : all_methods()) {
    if (info.input != InputKind::tensor) continue;
    for (const Shape& shape : {Shape{200, 100, 60}, Shape{30000, 20, 3}, Shape{30, 30, 30, 30}}) {
      for (const char* kind : {"dense", "holes", "sparse", "sparse, missing"}) {
        const char* start = shape.size() == 3 && shape[0] == 200 ? "random" : "svd";
        Options options = info.make_options();
        options.set("start", start);
        options.set("max-iterations", "3");
        options.set("restarts", "2");
        options.set("threads", "2");
        double estimate = 0.0;
        const double peak = measured(
            info, [&] { return Dataset(array_of(shape, kind)); }, options, &estimate);
        ASSERT_GE(peak, 0.0) << info.name;
        EXPECT_LE(peak, estimate) << info.name << " " << shape_text(shape) << " " << kind << " "
                                  << start;
      }
    }
  }
}

}  // namespace
}  // namespace gingham
