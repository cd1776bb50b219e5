// Eigenvectors that are not the leading ones: a gap, for whoever looks.
#include <gtest/gtest.h>

#include <algorithm>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/contract_data.hpp"
#include "methods/views/planted_views.hpp"

namespace gingham {
namespace {

using testing::planted_views;
using Settings = std::vector<std::pair<std::string, std::string>>;

Result fit(const MethodInfo& info, const Dataset& data, const Settings& settings) {
  Options options = info.make_options();
  for (const auto& [name, value] : settings) options.set(name, value);
  const Result result = run(info, data, options);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_TRUE(verify_result(data, result).passed());
  return result;
}

Matrix without_first_column(const Matrix& x) {
  Matrix rest(x.rows(), x.cols() - 1);
  for (Index i = 0; i < x.rows(); ++i)
    std::copy_n(x.row(i).begin() + 1, rest.cols(), rest.row(i).begin());
  return rest;
}

// The arrays named, each without its first column or entry.
void take_next(const std::vector<std::string>& names, const Result& wider, Result& result) {
  for (NamedArray& array : result.model.arrays) {
    if (std::find(names.begin(), names.end(), array.name) == names.end()) continue;
    if (Matrix* const matrix = std::get_if<Matrix>(&array.values)) {
      *matrix = without_first_column(wider.matrix(array.name));
    } else {
      auto& values = std::get<std::vector<double>>(array.values);
      values = wider.vector(array.name);
      values.erase(values.begin());
    }
  }
}

// Everything else the result says follows from what it holds: the gap alone can tell.
void expect_found(const MethodInfo& info, const Dataset& data, Result result,
                  const std::string& gap) {
  SCOPED_TRACE(info.name + " " + gap);
  const Recomputed found = info.recompute(data, result.options, result.model);
  const auto is_it = [&](const NamedValue& one) { return one.name == gap; };
  const auto seen = std::find_if(found.terms.gaps.begin(), found.terms.gaps.end(), is_it);
  ASSERT_NE(seen, found.terms.gaps.end());
  EXPECT_GT(seen->value, 1e-3);
  const std::vector<NamedValue> said = result.terms.gaps;
  result.terms = found.terms;
  result.terms.gaps = said;
  const Verification verified = verify_result(data, result);
  EXPECT_TRUE(std::any_of(verified.differences.begin(), verified.differences.end(),
                          [&](const std::string& one) { return one.starts_with("gap " + gap); }));
}

struct Case {
  const char* method;
  Settings settings;                // besides `count`
  const char* count;                // the option that says how many vectors there are
  Index n_blocks;                   // of the data
  std::vector<std::string> arrays;  // that hold them
  const char* gap;
};

TEST(Leading, VectorsThatComeAfterTheLeadingOnesAreNoOptimum) {
  const std::vector<Case> cases{
      {"kernel-sum", {}, "clusters", 2, {"embedding", "values"}, "embedding"},
      {"kernel-product", {}, "clusters", 2, {"embedding", "values"}, "embedding"},
      {"coregularized", {{"form", "pairwise"}}, "clusters", 1, {"embedding_0"}, "view_0"},
      {"coregularized", {{"form", "centroid"}}, "clusters", 2, {"centroid"}, "centroid"},
      {"cotrained", {}, "clusters", 1, {"embedding_0"}, "view_0"},
      {"mvcca", {}, "components", 1, {"scores_0", "singular_0"}, "view_0"},
      {"mvcca", {{"components", "5"}}, "dimensions", 2, {"embedding", "values"}, "embedding"}};
  const Dataset both = planted_views(40, 3, 1.0, 3).data, one(both.block(0));
  for (const Case& each : cases) {
    const MethodInfo& info = find_method(each.method);
    const Dataset& data = each.n_blocks == 1 ? one : both;
    Settings settings = each.settings, more = each.settings;
    settings.emplace_back(each.count, "3");
    more.emplace_back(each.count, "4");
    Result result = fit(info, data, settings);
    take_next(each.arrays, fit(info, data, more), result);
    expect_found(info, data, result, each.gap);
  }
}

TEST(Leading, NothingFoundAndTheSameTwiceAreNoOptimumEither) {
  const Dataset data = planted_views(30, 3, 1.0, 4).data;
  const MethodInfo& info = find_method("mvcca");
  const Result honest = fit(info, data, {{"dimensions", "2"}});
  Result nothing = honest, twice = honest;
  const auto edit = [](Result& result, const char* name, auto change) {
    for (NamedArray& array : result.model.arrays) {
      if (array.name == name) std::visit([&](auto& values) { change(values); }, array.values);
    }
  };
  edit(nothing, "embedding", [](auto& g) {
    if constexpr (std::is_same_v<std::decay_t<decltype(g)>, Matrix>) g = Matrix(g.rows(), g.cols());
  });
  edit(nothing, "values", [](auto& values) {
    if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::vector<double>>)
      values = {0.0, 0.0};
  });
  edit(twice, "embedding", [](auto& g) {
    if constexpr (std::is_same_v<std::decay_t<decltype(g)>, Matrix>) {
      for (Index i = 0; i < g.rows(); ++i) g(i, 1) = g(i, 0);
    }
  });
  edit(twice, "values", [](auto& values) {
    if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::vector<double>>)
      values[1] = values[0];
  });
  expect_found(info, data, nothing, "embedding");
  expect_found(info, data, twice, "embedding");
}

TEST(Leading, SingularVectorsOfSpectralCoclusteringToo) {
  const MethodInfo& info = find_method("spectral");
  const Dataset data(Block("X", testing::planted_matrix(30, 20, 5)));
  Result result = fit(info, data, {{"clusters", "4"}});       // three vectors
  const Result wider = fit(info, data, {{"clusters", "8"}});  // four
  take_next({"left", "right", "singular"}, wider, result);
  expect_found(info, data, result, "embedding");
}

// A gap that no arithmetic can reach: when all starts of k-means are done, so is the run, and no
// cycle is.
TEST(Leading, AGapThatCannotBeMetEndsWithTheLastStart) {
  const Dataset views = planted_views(40, 3, 1.0, 6).data;
  const Dataset matrix(Block("X", testing::planted_matrix(30, 20, 7)));
  for (const char* const name :
       {"kernel-sum", "kernel-product", "coregularized", "cotrained", "mvcca", "spectral"}) {
    SCOPED_TRACE(name);
    const MethodInfo& info = find_method(name);
    Options options = info.make_options();
    options.set("tolerance", "1e-300");
    options.set("max-iterations", "12");
    const Dataset& data = info.input == InputKind::views ? views : matrix;
    const Result result = run(info, data, options);
    // The eigenvectors that views agree on are looked for by iterations of their own.
    const bool iterates = name == std::string("coregularized") || name == std::string("cotrained");
    EXPECT_EQ(result.status, iterates ? Status::iteration_limit : Status::finished);
    EXPECT_EQ(result.trace.back().iteration, 1);  // of the last component: k-means
    EXPECT_TRUE(verify_result(data, result).passed());
  }
}

}  // namespace
}  // namespace gingham
