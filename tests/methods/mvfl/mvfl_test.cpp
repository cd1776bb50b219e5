// Feature learning: what the penalties make small, and the start.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/views/planted_views.hpp"

namespace gingham {
namespace {

using testing::planted_views;

Result fit(const Dataset& data, std::vector<std::pair<const char*, const char*>> settings) {
  const MethodInfo& info = find_method("mvfl");
  Options options = info.make_options();
  for (const auto& [name, text] : settings) options.set(name, text);
  const Result result = run(info, data, options);
  const Verification verified = verify_result(data, result);
  EXPECT_TRUE(verified.passed()) << (verified.passed() ? "" : verified.differences[0]);
  return result;
}

double squares(const Matrix& x) {
  double total = 0.0;
  for (const double value : x.values()) total += value * value;
  return total;
}

// The planted views and one of noise: its weights vanish beside theirs.
TEST(Mvfl, MakesTheWeightsOfAViewOfNoiseSmall) {
  const auto planted = planted_views(120, 3, 3.0, 1);
  std::vector<Block> blocks = planted.data.blocks();
  Rng rng = Rng::named(1, "noise");
  Matrix noise(120, 6);
  for (double& cell : noise.values()) cell = rng.normal();
  blocks.emplace_back("noise", std::move(noise));
  const Result result = fit(Dataset(blocks), {{"view-sparsity", "5%"}});
  EXPECT_GT(testing::agreement(planted.labels, result.labels("rows")), 0.95);
  EXPECT_LT(squares(result.matrix("weights_2")), 1e-6 * squares(result.matrix("weights_0")));
}

TEST(Mvfl, MakesTheWeightsOfFeaturesOfNoiseSmall) {
  const auto planted = planted_views(120, 3, 3.0, 2);
  std::vector<Block> blocks;
  Rng rng = Rng::named(2, "noise");
  for (const Block& block : planted.data.blocks()) {
    const Matrix& x = *block.dense_matrix();
    Matrix wide(x.rows(), x.cols() + 4);
    for (double& cell : wide.values()) cell = rng.normal();
    for (Index i = 0; i < x.rows(); ++i)
      std::copy(x.row(i).begin(), x.row(i).end(), wide.row(i).begin());
    blocks.emplace_back(block.name(), std::move(wide));
  }
  const Result result = fit(Dataset(blocks), {{"view-sparsity", "0"}, {"feature-sparsity", "3%"}});
  for (Index v = 0; v < 2; ++v) {
    const Matrix& w = result.matrix("weights_" + std::to_string(v));
    double kept = 0.0, noise = 0.0;
    for (Index j = 0; j < w.rows(); ++j) {
      double row = 0.0;
      for (Index k = 0; k < 3; ++k) row += w(j, k) * w(j, k);
      (j < w.rows() - 4 ? kept : noise) += row;
    }
    EXPECT_LT(noise, 1e-6 * kept);
  }
}

TEST(Mvfl, FullPenaltyLeavesWhatIsSmoothedAway) {
  const auto planted = planted_views(60, 3, 3.0, 3);
  const Result result = fit(planted.data, {{"view-sparsity", "100%"}});
  EXPECT_EQ(result.status, Status::converged);
  const double e = 1e-3;  // where the penalty turns smooth, for views of norm 1
  EXPECT_LT(squares(result.matrix("weights_0")), 3.0 * e * e);
  // Small, and not 0: the help promises no zeros.
  const ConstVec weights = result.matrix("weights_0").values();
  EXPECT_EQ(std::count(weights.begin(), weights.end(), 0.0), 0);
  for (const OptionRecord& option : find_method("mvfl").options) {
    if (!option.name.ends_with("sparsity")) continue;
    EXPECT_NE(option.help.find("not to 0"), std::string::npos);
  }
}

// Without penalties W and b are the least squares of F on X, here by another road: the residual is
// orthogonal to every column of X and to 1.
TEST(Mvfl, WithoutPenaltiesItIsLeastSquares) {
  const auto planted = planted_views(60, 3, 3.0, 4);
  const Result result = fit(planted.data, {{"view-sparsity", "0"},
                                           {"feature-sparsity", "0"},
                                           {"scale", "none"},
                                           {"tolerance", "1e-9"},
                                           {"max-iterations", "5000"}});
  EXPECT_EQ(result.status, Status::converged);
  const std::vector<Index> labels = result.labels("rows");
  for (Index k = 0; k < 3; ++k) {
    const auto count = static_cast<double>(std::count(labels.begin(), labels.end(), k));
    std::vector<double> residual(60);
    for (Index i = 0; i < 60; ++i) {
      residual[i] = (labels[i] == k ? 1.0 / std::sqrt(count) : 0.0) - result.vector("intercept")[k];
      for (Index v = 0; v < 2; ++v) {
        const Matrix& x = *planted.data.block(v).dense_matrix();
        const Matrix& w = result.matrix("weights_" + std::to_string(v));
        for (Index j = 0; j < x.cols(); ++j) residual[i] -= x(i, j) * w(j, k);
      }
    }
    for (Index v = 0; v < 2; ++v) {
      const Matrix& x = *planted.data.block(v).dense_matrix();
      for (Index j = 0; j < x.cols(); ++j) {
        double dot = 0.0;
        for (Index i = 0; i < 60; ++i) dot += residual[i] * x(i, j);
        EXPECT_NEAR(dot, 0.0, 1e-6);
      }
    }
    double sum = 0.0;
    for (const double one : residual) sum += one;
    EXPECT_NEAR(sum, 0.0, 1e-7);
  }
}

}  // namespace
}  // namespace gingham
