// What every method that groups the rows of several views must find.
#include <gtest/gtest.h>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/views/planted_views.hpp"

namespace gingham {
namespace {

using testing::agreement;
using testing::planted_views;
using testing::with_rows;

class ViewCompanion : public ::testing::TestWithParam<std::string> {
 protected:
  const MethodInfo& info() const { return find_method(GetParam()); }
  Result fit(const Dataset& data, const Options& options) const {
    const Result result = run(info(), data, options);
    EXPECT_TRUE(verify_result(data, result).passed());
    return result;
  }
};

TEST_P(ViewCompanion, FindsPlantedGroups) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    for (const bool sparse : {false, true}) {
      const auto planted = planted_views(90, 3, 3.0, seed, sparse);
      const Result result = fit(planted.data, info().make_options());
      EXPECT_GT(agreement(planted.labels, result.labels("rows")), 0.95) << seed << sparse;
    }
  }
}

TEST_P(ViewCompanion, FindsThemWithEveryScaleThatCentres) {
  const auto planted = planted_views(90, 3, 3.0, 5);
  for (const char* scale : {"center", "unit", "rows"}) {
    Options options = info().make_options();
    options.set("scale", scale);
    EXPECT_GT(agreement(planted.labels, fit(planted.data, options).labels("rows")), 0.95) << scale;
  }
}

TEST_P(ViewCompanion, PermutedRowsGiveThePermutedPartition) {
  const auto planted = planted_views(80, 3, 3.0, 6);
  const std::vector<Index> order = Rng::named(1, "order").permutation(80);
  const std::vector<Index> plain = fit(planted.data, info().make_options()).labels("rows");
  const std::vector<Index> turned =
      fit(with_rows(planted.data, order), info().make_options()).labels("rows");
  std::vector<Index> expected(80);
  for (Index i = 0; i < 80; ++i) expected[i] = plain[order[i]];
  EXPECT_NEAR(agreement(expected, turned), 1.0, 1e-12);
}

TEST_P(ViewCompanion, TakesOneViewAndThree) {
  const auto planted = planted_views(60, 2, 4.0, 7);
  std::vector<Block> three = planted.data.blocks();
  three.push_back(planted_views(60, 2, 4.0, 8).data.block(0));
  Options options = info().make_options();
  options.set("clusters", "2");
  EXPECT_GT(agreement(planted.labels, fit(Dataset(three), options).labels("rows")), 0.95);
  EXPECT_GT(agreement(planted.labels, fit(Dataset(planted.data.block(0)), options).labels("rows")),
            0.95);
}

// Views where what is left after centring is small beside what was taken away.
TEST_P(ViewCompanion, TakesViewsThatAreMostlyOffset) {
  Rng rng = Rng::named(9, "offset");
  const Index rows = 14;
  Matrix offset(rows, 4), tiny(rows, 3), around(rows, 2), equal(rows, 2);
  for (double& cell : offset.values()) cell = 1e5 + rng.normal();
  for (double& cell : tiny.values()) cell = 1e-8 * rng.normal();
  for (Index i = 0; i < rows; ++i) {
    tiny(i, 1) = 2.5;                                     // constant
    around(i, 0) = 0.1 + static_cast<double>(i % 3 - 1);  // every third row is the mean, nearly
    around(i, 1) = around(i, 0);
  }
  for (const char* scale : {"none", "center", "standardize", "unit", "rows"}) {
    for (const bool sparse : {false, true}) {
      std::vector<Block> blocks;
      for (const Matrix& x : {offset, tiny, around, equal}) {
        if (sparse) {
          blocks.emplace_back("X", SparseMatrix::from_dense(x));
        } else {
          blocks.emplace_back("X", x);
        }
      }
      Options options = info().make_options();
      options.set("scale", scale);
      SCOPED_TRACE(std::string(scale) + (sparse ? " sparse" : ""));
      EXPECT_NE(fit(Dataset(std::move(blocks)), options).status, Status::numerical_failure);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, ViewCompanion,
                         ::testing::Values("kernel-sum", "kernel-product", "coregularized",
                                           "cotrained", "mvcca", "mvfl"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace gingham
