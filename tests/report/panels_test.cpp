#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gingham/base/rng.hpp"
#include "gingham/engine/registry.hpp"
#include "report/page.hpp"
#include "report/page_data.hpp"

namespace gingham {
namespace {

using test::Json;

// The first method that has a panel of this kind.
const MethodInfo& method_with(PanelKind kind) {
  for (const MethodInfo& info : all_methods()) {
    for (const PanelInfo& panel : info.panels) {
      if (panel.kind == kind) return info;
    }
  }
  throw std::runtime_error("no method has such a panel");
}

std::string array_of(const MethodInfo& info, PanelKind kind) {
  for (const PanelInfo& panel : info.panels) {
    if (panel.kind == kind) return panel.array;
  }
  return "";
}

Json panels_of(const MethodInfo& info, const Dataset& data, std::vector<NamedArray> arrays,
               Index components) {
  Result result;
  result.method = info.name;
  result.options = info.make_options();
  result.model.arrays = std::move(arrays);
  result.model.components.resize(static_cast<std::size_t>(components));
  return test::data_of(report_page(data, result, "")).at("results").at(0).at("panels");
}

Json of_kind(const Json& panels, const char* kind, std::size_t number = 0) {
  for (const Json& panel : panels) {
    if (panel.at("kind") == kind && number-- == 0) return panel;
  }
  throw std::runtime_error(std::string("no panel ") + kind);
}

// Every value is counted in the one bin whose edges hold it; the last edge counts too.
void check_histogram(const Json& panel, const std::vector<double>& values) {
  const auto edges = panel.at("edges").get<std::vector<double>>();
  const auto counts = panel.at("counts").get<std::vector<Index>>();
  ASSERT_EQ(edges.size(), counts.size() + 1);
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    const bool is_last = bin + 1 == counts.size();
    const auto expected = std::count_if(values.begin(), values.end(), [&](double x) {
      return x >= edges[bin] && (is_last ? x <= edges[bin + 1] + 1e-12 : x < edges[bin + 1]);
    });
    EXPECT_EQ(counts[bin], expected) << bin;
  }
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), Index{0}), std::ssize(values));
}

Matrix noise(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed, 0);
  Matrix matrix(rows, columns);
  for (double& x : matrix.values()) x = rng.normal();
  return matrix;
}

// Each copy is a + b D z with the least squares to its sample: the residual has no mean and is
// orthogonal to D z.
void check_copies(const Json& panel, const Matrix& samples, const Matrix& atoms,
                  const Matrix& codes) {
  const auto originals = test::unpacked<float>(panel.at("originals"));
  const auto copies = test::unpacked<float>(panel.at("copies"));
  const auto length = static_cast<std::size_t>(atoms.rows());
  for (std::size_t k = 0; k < panel.at("names").size(); ++k) {
    const std::string name = panel.at("names").at(k);
    const Index i = std::stol(name.substr(7));
    double sum = 0.0, product = 0.0;
    std::vector<double> made(length, 0.0);
    for (Index d = 0; d < atoms.rows(); ++d) {
      for (Index j = 0; j < atoms.cols(); ++j) made[d] += atoms(d, j) * codes(i, j);
      EXPECT_EQ(originals[k * length + d], static_cast<float>(samples(i, d)));
    }
    for (Index d = 0; d < atoms.rows(); ++d) {
      const double residual = originals[k * length + d] - copies[k * length + d];
      sum += residual;
      product += residual * made[d];
    }
    EXPECT_NEAR(sum, 0.0, 1e-5) << name;
    EXPECT_NEAR(product, 0.0, 1e-4) << name;
  }
}

TEST(ReportPanels, ShowAtomsUsageAndCodes) {
  const MethodInfo& info = method_with(PanelKind::codes);
  const Index n = 40, length = 9, atoms = 6;
  const Matrix samples = noise(n, length, 1), dictionary = noise(length, atoms, 2);
  Matrix codes(n, atoms);
  Rng rng(3, 0);
  std::vector<double> usage(static_cast<std::size_t>(atoms), 0.0), sizes, numbers;
  for (Index i = 0; i < n; ++i) {
    double number = 0.0;
    for (Index j = 0; j < atoms && i % 10 != 3; ++j) {
      if (rng.uniform() > 0.3) continue;
      codes(i, j) = rng.normal();
      sizes.push_back(codes(i, j));
      usage[j] += 1.0;
      number += 1.0;
    }
    numbers.push_back(number);
  }
  Matrix turned(length, n);
  for (Index i = 0; i < n; ++i) {
    for (Index d = 0; d < length; ++d) turned(d, i) = samples(i, d);
  }
  for (const bool by_rows : {true, false}) {
    const Json panels =
        panels_of(info, Dataset(by_rows ? samples : turned),
                  {{array_of(info, PanelKind::atoms), dictionary},
                   {array_of(info, PanelKind::usage), usage},
                   {array_of(info, PanelKind::codes), SparseMatrix::from_dense(codes)}},
                  atoms);
    const Json images = of_kind(panels, "images");
    EXPECT_EQ(images.at("height"), 3);
    const auto values = test::unpacked<float>(images.at("values"));
    for (std::size_t k = 0; k < images.at("names").size(); ++k) {
      const Index atom = std::stol(images.at("names").at(k).get<std::string>().substr(5));
      EXPECT_EQ(images.at("numbers").at(k), usage[atom]);
      if (k > 0) {
        EXPECT_LE(images.at("numbers").at(k), images.at("numbers").at(k - 1));
      }
      for (Index d = 0; d < length; ++d)
        EXPECT_EQ(values[k * 9 + static_cast<std::size_t>(d)],
                  static_cast<float>(dictionary(d, atom)));
    }
    check_histogram(of_kind(panels, "histogram", 0), usage);
    check_histogram(of_kind(panels, "histogram", 1), numbers);
    check_histogram(of_kind(panels, "histogram", 2), sizes);
    check_copies(of_kind(panels, "pairs"), samples, dictionary, codes);
  }
}

TEST(ReportPanels, MarkThePointOfACurveThatWasTaken) {
  const MethodInfo& info = method_with(PanelKind::curve);
  Matrix curve(4, 3);
  for (Index i = 0; i < 4; ++i) {
    curve(i, 0) = static_cast<double>(i + 1);
    curve(i, 1) = 1.0 / static_cast<double>(i + 1);
    curve(i, 2) = 0.25;
  }
  curve(3, 1) = std::nan("");
  const Dataset data(noise(5, 4, 4));
  const std::string name = array_of(info, PanelKind::curve);
  const Json panel = of_kind(panels_of(info, data, {{name, curve}}, 3), "curve");
  EXPECT_EQ(panel.at("x"), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(panel.at("y").at(1), 0.5);
  EXPECT_EQ(panel.at("y").at(3), "nan");
  EXPECT_EQ(panel.at("error").at(0), 0.25);
  EXPECT_EQ(panel.at("chosen"), 2);
  EXPECT_TRUE(of_kind(panels_of(info, data, {{name, curve}}, 9), "curve").at("chosen").is_null());
  EXPECT_TRUE(panels_of(info, data, {}, 3).empty());
}

TEST(ReportPanels, ShowWhichGroupUsesWhat) {
  const MethodInfo& info = method_with(PanelKind::matrix);
  const Matrix norms = noise(1, 3, 5);
  const Json panel = of_kind(
      panels_of(info, Dataset(noise(5, 4, 6)), {{array_of(info, PanelKind::matrix), norms}}, 3),
      "matrix");
  ASSERT_EQ(panel.at("rows").size(), 1u);
  ASSERT_EQ(panel.at("columns").size(), 3u);
  for (Index j = 0; j < 3; ++j)
    EXPECT_EQ(panel.at("values").at(0).at(static_cast<std::size_t>(j)), norms(0, j));
}

}  // namespace
}  // namespace gingham
