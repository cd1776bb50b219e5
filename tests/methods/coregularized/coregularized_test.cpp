// Co-regularised spectral clustering against its definition with Eigen's dense solver.
#include <gtest/gtest.h>

#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/methods/kernel_views/affinity.hpp"
#include "gingham/methods/kernel_views/kernel.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/views/planted_views.hpp"
#include "support/dense.hpp"

namespace gingham::methods {
namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using testing::agreement;
using testing::planted_views;

std::vector<Dense> affinities(const Dataset& data) {
  ThreadPool pool(1);
  std::vector<Dense> all;
  for (const Block& block : data.blocks()) {
    const PreparedMatrix view(block, Scale::center, pool);
    Matrix k = kernel_views::make_kernel(
                   view, kernel_views::KernelKind::gaussian,
                   {.kind = PenaltyValue::Kind::word, .number = 0, .word = "auto"}, [] {})
                   .values;
    kernel_views::normalize(k, pool);
    all.emplace_back(Eigen::Map<const Dense>(k.data(), k.rows(), k.cols()));
  }
  return all;
}

Dense leading(const Dense& m, Index k) { return testing::dense_eigenpairs(m).vectors.rightCols(k); }

// The alternation written out, a fixed number of times.
double naive_objective(const Dataset& data, double lambda, Index k, int times) {
  const std::vector<Dense> l = affinities(data);
  std::vector<Dense> u;
  for (const Dense& one : l) u.push_back(leading(one, k));
  for (int t = 0; t < times; ++t) {
    for (std::size_t v = 0; v < l.size(); ++v) {
      Dense m = l[v];
      for (std::size_t w = 0; w < l.size(); ++w) {
        if (w != v) m += lambda * u[w] * u[w].transpose();
      }
      u[v] = leading(m, k);
    }
  }
  double total = 0.0;
  for (std::size_t v = 0; v < l.size(); ++v) {
    total += static_cast<double>(k) - (u[v].transpose() * l[v] * u[v]).trace();
    for (std::size_t w = 0; w < v; ++w)
      total += lambda * (static_cast<double>(k) - (u[v].transpose() * u[w]).squaredNorm());
  }
  return total;
}

TEST(Coregularized, ReachesWhatTheAlternationReaches) {
  for (const Index rows : {40, 130}) {
    const Dataset data = planted_views(rows, 3, 1.0, 4).data;
    const MethodInfo& info = find_method("coregularized");
    Options options = info.make_options();
    options.set("lambda", "0.2");
    options.set("tolerance", "1e-9");
    const Result result = run(info, data, options);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_NEAR(result.terms.objective(), naive_objective(data, 0.2, 3, 300), 1e-8);
  }
}

TEST(Coregularized, WithoutAWeightViewsKeepTheirOwnEigenvectors) {
  const Dataset data = planted_views(60, 3, 2.0, 5).data;
  const MethodInfo& info = find_method("coregularized");
  Options options = info.make_options();
  options.set("lambda", "0");
  const Result result = run(info, data, options);
  const std::vector<Dense> l = affinities(data);
  for (Index v = 0; v < 2; ++v) {
    const Matrix& found = result.matrix("embedding_" + std::to_string(v));
    const Eigen::Map<const Dense> u(found.data(), 60, 3);
    EXPECT_NEAR((leading(l[v], 3).transpose() * u).squaredNorm(), 3.0, 1e-9);
  }
}

TEST(Coregularized, ALargeWeightMakesTheViewsAgree) {
  const Dataset data = planted_views(60, 3, 0.7, 6).data;
  const MethodInfo& info = find_method("coregularized");
  double before = 1e9;
  for (const char* lambda : {"0.001", "0.1", "10"}) {
    Options options = info.make_options();
    options.set("lambda", lambda);
    const Result result = run(info, data, options);
    const double apart = result.terms.penalties[0].value / options.real("lambda");
    EXPECT_LT(apart, before);
    before = apart;
  }
  EXPECT_LT(before, 0.05);
}

TEST(Coregularized, TheCentroidFormFindsPlantedGroupsAndVerifies) {
  const auto planted = planted_views(90, 3, 3.0, 7);
  const MethodInfo& info = find_method("coregularized");
  Options options = info.make_options();
  options.set("form", "centroid");
  const Result result = run(info, planted.data, options);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_GT(agreement(planted.labels, result.labels("rows")), 0.95);
  EXPECT_EQ(result.matrix("centroid").cols(), 3);
  EXPECT_TRUE(verify_result(planted.data, result).passed());
}

}  // namespace
}  // namespace gingham::methods
