// Co-trained spectral clustering against its steps written out with Eigen's dense solver.
#include <gtest/gtest.h>

#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/methods/kernel_views/kernel.hpp"
#include "methods/views/planted_views.hpp"
#include "support/dense.hpp"

namespace gingham::methods {
namespace {

using Dense = Eigen::MatrixXd;

Dense normalized(const Dense& k) {
  const Eigen::VectorXd scale = k.cwiseAbs().rowwise().sum().cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * k * scale.asDiagonal();
}

Dense leading(const Dense& m, Index k) { return testing::dense_eigenpairs(m).vectors.rightCols(k); }

Dense trained(const Dense& kernel, const Dense& other) {
  const Dense s = other * other.transpose() * kernel;
  return normalized(0.5 * (s + s.transpose()));
}

TEST(Cotrained, TakesTheStepsOfThePaper) {
  const Index n = 50;
  const Dataset data = testing::planted_views(n, 3, 1.5, 3).data;
  ThreadPool pool(1);
  std::vector<Dense> kernels, u;
  for (const Block& block : data.blocks()) {
    const PreparedMatrix view(block, Scale::center, pool);
    const Matrix k = kernel_views::make_kernel(
                         view, kernel_views::KernelKind::gaussian,
                         {.kind = PenaltyValue::Kind::word, .number = 0, .word = "auto"}, [] {})
                         .values;
    kernels.emplace_back(Eigen::Map<const Dense>(k.data(), n, n));
    u.push_back(leading(normalized(kernels.back()), 3));
  }
  const MethodInfo& info = find_method("cotrained");
  for (int iterations = 1; iterations <= 3; ++iterations) {
    u[0] = leading(trained(kernels[0], u[1]), 3);
    u[1] = leading(trained(kernels[1], u[0]), 3);
    Options options = info.make_options();
    options.set("max-iterations", std::to_string(iterations));
    options.set("tolerance", "1e-12");
    const Result result = run(info, data, options);
    double loss = 0.0;
    for (Index v = 0; v < 2; ++v) {
      const Matrix& found = result.matrix("embedding_" + std::to_string(v));
      const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> mine(found.data(), n,
                                                                                  3);
      EXPECT_NEAR((mine.transpose() * u[v]).squaredNorm(), 3.0, 1e-9) << iterations;
      loss += 3.0 - (u[v].transpose() * trained(kernels[v], u[1 - v]) * u[v]).trace();
    }
    EXPECT_NEAR(result.terms.loss, loss, 1e-9);
  }
}

}  // namespace
}  // namespace gingham::methods
