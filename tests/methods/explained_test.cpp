// What a model of cells explains, from its stored factors, cell by cell.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "gingham/engine/run.hpp"
#include "methods/contract_data.hpp"

namespace gingham {
namespace {

// Value of component k in cell (i, j).
using Term = std::function<double(Index i, Index j, Index k)>;

Term term_of(const Result& result) {
  const auto has = [&](const char* name) {
    for (const NamedArray& array : result.model.arrays) {
      if (array.name == name) return true;
    }
    return false;
  };
  if (has("W")) {
    return [&](Index i, Index j, Index k) {
      return result.matrix("W")(i, k) * result.matrix("H")(k, j);
    };
  }
  if (has("mode_0")) {
    return [&](Index i, Index j, Index k) {
      return result.vector("weights")[static_cast<std::size_t>(k)] * result.matrix("mode_0")(i, k) *
             result.matrix("mode_1")(j, k);
    };
  }
  return [&](Index i, Index j, Index k) {
    return result.vector("levels")[static_cast<std::size_t>(k)] * result.matrix("u")(i, k) *
           result.matrix("v")(j, k);
  };
}

class Explained : public ::testing::TestWithParam<std::string> {};

TEST_P(Explained, IsOneLessTheResidualAndAShareIsWhatIsLostWithoutIt) {
  for (const bool has_holes : {false, true}) {
    Matrix x = testing::planted_matrix(11, 8, 5);
    for (Index i = 0; has_holes && i < x.rows(); ++i) x(i, (3 * i) % x.cols()) = std::nan("");
    const MethodInfo& info = find_method(GetParam());
    Options options = info.make_options();
    options.set(options.has("rank") ? "rank" : "clusters", "3");
    options.set("restarts", "1");
    options.set("max-iterations", "40");
    const Result result = run(info, Dataset(x), options);
    const Term term = term_of(result);
    const Index n = std::ssize(result.model.components);
    double total = 0.0, residual = 0.0, sum = 0.0;
    std::vector<double> without(static_cast<std::size_t>(n), 0.0);
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < x.cols(); ++j) {
        if (std::isnan(x(i, j))) continue;
        double left = x(i, j);
        for (Index k = 0; k < n; ++k) left -= term(i, j, k);
        total += x(i, j) * x(i, j);
        residual += left * left;
        for (Index k = 0; k < n; ++k) without[k] += std::pow(left + term(i, j, k), 2);
      }
    }
    EXPECT_NEAR(result.model.explained, 1.0 - residual / total, 1e-12);
    for (Index k = 0; k < n; ++k) {
      EXPECT_NEAR(result.model.components[k].explained, (without[k] - residual) / total, 1e-11)
          << k;
      sum += result.model.components[k].explained;
    }
    const bool overlap = GetParam() == "nmf" || GetParam() == "parafac";
    EXPECT_GT(std::abs(sum - result.model.explained), overlap ? 1e-4 : -1.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Factors, Explained,
                         ::testing::Values("nmf", "groupnmf", "parafac", "tensor", "ssvd"));

TEST(ExplainedShare, IsUnknownWithoutAModelOfCellsAndOfNothing) {
  const Dataset data =
      testing::dataset_for(find_method("spectral"), testing::planted_matrix(9, 6, 1));
  const Result result = run(find_method("spectral"), data, find_method("spectral").make_options());
  EXPECT_TRUE(std::isnan(result.model.explained));
  for (const Component& one : result.model.components) EXPECT_TRUE(std::isnan(one.explained));
  const Result zero =
      run(find_method("nmf"), Dataset(Matrix(5, 4)), find_method("nmf").make_options());
  EXPECT_TRUE(std::isnan(zero.model.explained));
}

}  // namespace
}  // namespace gingham
