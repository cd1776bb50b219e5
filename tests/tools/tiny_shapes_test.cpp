// The smallest data there are, from files to a result directory and back.
#include <gtest/gtest.h>

#include "gingham/engine/registry.hpp"
#include "gingham/io/write.hpp"
#include "gingham/tools/fit.hpp"
#include "gingham/tools/verify.hpp"
#include "io/temporary_folder.hpp"

namespace gingham {
namespace {

Matrix filled(Index rows, Index cols, double (*value)(Index, Index)) {
  Matrix x(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) x(i, j) = value(i, j);
  }
  return x;
}

double zero(Index, Index) { return 0.0; }
double constant(Index, Index) { return 2.5; }
double different(Index i, Index j) { return static_cast<double>((5 * i + 3 * j) % 7 + 1); }

class TinyShapes : public ::testing::TestWithParam<std::string> {
 protected:
  const MethodInfo& info() const { return find_method(GetParam()); }

  // Fits, writes, reads and verifies; a method may refuse all zeros, in words.
  void expect_round_trip(const Matrix& x, const char* clusters) const {
    const TemporaryFolder folder;
    const std::string file = folder / "x.npy", out = folder / "out";
    write_block(Block("x", x), file);
    FitRequest request;
    request.method = GetParam();
    request.input.files = {file};
    if (info().input == InputKind::views) request.input.files.push_back(file);
    request.options = info().make_options();
    request.options.set(GetParam().ends_with("dictionary") ? "atoms" : "clusters", clusters);
    request.output = out;
    try {
      ASSERT_TRUE(fit(request).is_written);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input) << error.what();
      return;
    }
    const Verification seen = verify_directory(out);
    EXPECT_TRUE(seen.passed()) << (seen.passed() ? "" : seen.differences[0]);
  }
};

TEST_P(TinyShapes, AreWrittenReadAndVerified) {
  struct Case {
    Index rows, cols;
    double (*value)(Index, Index);
    const char* clusters;
  };
  constexpr Case kCases[] = {
      {1, 1, different, "3"}, {1, 2, different, "2"}, {2, 1, different, "2"},
      {1, 5, different, "3"}, {5, 1, different, "3"}, {2, 2, different, "3"},
      {1, 1, zero, "1"},      {2, 2, zero, "3"},      {1, 5, constant, "1"},
      {2, 2, constant, "2"},  {5, 1, different, "1"}, {2, 3, different, "1"}};
  for (const Case& one : kCases) {
    SCOPED_TRACE(std::to_string(one.rows) + " x " + std::to_string(one.cols) + " of " +
                 std::to_string(one.value(0, 0)) + " into " + one.clusters);
    expect_round_trip(filled(one.rows, one.cols, one.value), one.clusters);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, TinyShapes,
                         ::testing::Values("bregman", "coregularized", "cotrained", "dictionary",
                                           "itcc", "kernel-product", "kernel-sum", "kmeans",
                                           "kmeans-coclustering", "mvcca", "mvfl",
                                           "online-dictionary", "spectral"),
                         [](const auto& param) {
                           std::string name = param.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace gingham
