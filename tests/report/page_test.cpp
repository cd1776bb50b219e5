#include "report/page.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"
#include "gingham/engine/registry.hpp"
#include "report/html_tree.hpp"
#include "report/png_reader.hpp"
#include "support/arrays.hpp"
#include "support/matrix_rows.hpp"

namespace gingham {
namespace {

constexpr std::size_t kMaxBytes = 3'000'000;
const double kMissing = std::numeric_limits<double>::quiet_NaN();

// Everything that comes from outside, as `name` gives it.
struct Names {
  std::string (*make)(Index number);
  Labels list(Index n) const {
    Labels labels;
    for (Index i = 0; i < n; ++i) labels.push_back(make(i));
    return labels;
  }
};
const Names kPlain{[](Index i) { return "name" + std::to_string(i); }};
const Names kHostile{[](Index i) {
  const std::vector<std::string> all{"</script><script>alert(1)</script>",
                                     "\" onload=\"alert(1)",
                                     "' onerror='x",
                                     "<img src=x onerror=alert(1)>",
                                     "--><!--",
                                     "</style><style>*{display:none}",
                                     "&lt;&#60;&",
                                     "]]><![CDATA[",
                                     "</svg></title></textarea></pre></main>",
                                     "\u202Egnp.exe",
                                     std::string("\0\x1b[2J", 5),
                                     "\xff\xfe\xc0<",
                                     "{{7*7}}${7}",
                                     "javascript:alert(1)",
                                     "%s%n{}{0}",
                                     "</table></td><td>"};
  return all[static_cast<std::size_t>(i) % all.size()];
}};

Membership members(const std::string& mode, std::optional<Index> block, Index n, Index components,
                   Rng& rng) {
  Matrix factor(n, components);
  for (Index i = 0; i < n; ++i) factor(i, i % components) = i % 5 == 4 ? 0.0 : rng.normal();
  return membership_of(mode, block, factor);
}

// A result that has something of everything.
Result make_result(const Dataset& data, Index components, const Names& names) {
  Rng rng(5, 0);
  Result result;
  result.version = "0.1.0 " + names.make(0);
  result.method = all_methods().front().name;
  result.options = all_methods().front().make_options();
  result.status = Status::converged;
  result.terms = {
      3.0, {{names.make(1), 1.0}}, {{names.make(2), 1e-7}, {"columns", kMissing}}, false};
  for (Index k = 0; k < components; ++k) {
    result.model.components.push_back({rng.normal(), 0.1});
    for (Index i = 1; i < 6; ++i)
      result.trace.push_back({k, i, 4.0 + std::pow(0.1, i), std::pow(0.1, i), 0.1});
  }
  result.restarts = {{4.0, Status::converged, 5}, {5.0, Status::cycle, 6}};
  for (Index b = 0; b < data.size(); ++b) {
    const Block& block = data.block(b);
    result.inputs.push_back(
        {"/some/where/" + names.make(b), block.shape(), 1, 2, names.make(b + 1)});
    result.item_labels.emplace_back();
    for (Index mode = 0; mode < block.modes(); ++mode) {
      result.item_labels.back().push_back(names.list(block.shape()[mode]));
      const std::string name = block.modes() > 2 ? "mode_" + std::to_string(mode)
                               : mode == 0       ? "rows"
                                                 : "columns";
      if (components > 0) {
        result.model.memberships.push_back(
            members(name, data.size() > 1 ? std::optional<Index>(b) : std::nullopt,
                    block.shape()[mode], components, rng));
      }
    }
  }
  for (Index i = 0; i < 16; ++i) result.model.notes.push_back(names.make(i));
  result.truth = {names.make(3)};
  result.scores = {{names.make(4), 0.5}};
  result.seconds = {{"fit", 1.5}, {names.make(5), 0.1}};
  return result;
}

test::HtmlTree check_page(const std::string& page) {
  EXPECT_LE(page.size(), kMaxBytes);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_FALSE(page.find("Content-Security-Policy") == std::string::npos);
  const test::HtmlTree tree = test::read_html(page);
  for (const std::string& reference : tree.references)
    EXPECT_TRUE(reference.starts_with("data:image/png;base64,"));
  for (const test::Picture& picture : test::pictures_of(page))
    EXPECT_GE(picture.rows * picture.columns, 1);
  return tree;
}

Matrix noise(Index rows, Index columns, double scale = 1.0) {
  Rng rng(9, 0);
  Matrix matrix(rows, columns);
  for (double& x : matrix.values()) x = scale * rng.normal();
  return matrix;
}

Block named_block(const Names& names, Matrix matrix) {
  std::vector<Labels> labels{names.list(matrix.rows()), names.list(matrix.cols())};
  return Block(names.make(7), std::move(matrix), std::move(labels));
}

TEST(ReportPage, HasTheSameElementsWhateverTheLabels) {
  std::vector<std::string> shapes;
  for (const Names& names : {kPlain, kHostile}) {
    const Dataset data({named_block(names, noise(40, 30)), named_block(names, noise(40, 30))});
    shapes.push_back(
        check_page(report_page(data, make_result(data, 3, names), "gingham " + names.make(0)))
            .shape);
  }
  EXPECT_EQ(shapes[0], shapes[1]);
  EXPECT_GT(shapes[0].size(), 2000u);
}

TEST(ReportPage, AsksNothingOfTheOutside) {
  const Dataset data({named_block(kPlain, noise(40, 30))});
  const std::string page = report_page(data, make_result(data, 3, kPlain), "gingham fit");
  for (const char* word : {"http:", "https:", "//", "url(", "@import", "srcset", "href", "<link",
                           "<iframe", "<form", "<object"}) {
    std::size_t at = page.find(word);
    // Two slashes may be part of a picture's text.
    while (at != std::string::npos && page.rfind("base64,", at) != std::string::npos &&
           page.find('"', page.rfind("base64,", at)) > at) {
      at = page.find(word, at + 1);
    }
    EXPECT_EQ(at, std::string::npos) << word;
  }
}

TEST(ReportPage, ShowsWhatWasFound) {
  const Dataset data({named_block(kPlain, noise(40, 30))});
  Result result = make_result(data, 3, kPlain);
  const std::string text = check_page(report_page(data, result, "gingham fit 'a b'")).text;
  for (const char* words : {"Converged", "gingham fit &#39;a b&#39;", "name12", "Component 2",
                            "--tolerance", "0.1.0"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
  for (const Status status :
       {Status::iteration_limit, Status::time_limit, Status::cancelled, Status::cycle}) {
    result.status = status;
    EXPECT_NE(check_page(report_page(data, result, ""))
                  .text.find(status == Status::cycle ? "repeat" : "not converged"),
              std::string::npos);
  }
}

TEST(ReportPage, NamesAtMostThirtyMembers) {
  const Dataset data(noise(200, 2));
  Result result = make_result(data, 1, kPlain);
  Matrix factor(200, 1);
  for (Index i = 0; i < 200; ++i) factor(i, 0) = static_cast<double>(i + 1);
  result.model.memberships = {membership_of("rows", std::nullopt, factor)};
  const std::string text = check_page(report_page(data, result, "")).text;
  EXPECT_NE(text.find("and 170 more in clusters.tsv"), std::string::npos);
  EXPECT_NE(text.find("name199"), std::string::npos);
  EXPECT_NE(text.find("name170"), std::string::npos);
  EXPECT_EQ(text.find("name169"), std::string::npos);
}

TEST(ReportPage, DrawsTheRightPixels) {
  Matrix matrix(2, 3);
  matrix(0, 0) = 4.0;
  matrix(0, 1) = -4.0;
  matrix(1, 0) = kMissing;
  matrix(1, 2) = 2.0;
  const Dataset data(std::move(matrix));
  Result result = make_result(data, 0, kPlain);
  // Row 1 and column 2 come first.
  result.model.components = {{1.0, 0.5}};
  result.model.memberships = {{"rows", std::nullopt, 2, {{0, 1, 1.0}}},
                              {"columns", std::nullopt, 3, {{0, 2, 1.0}}}};
  const std::vector<test::Picture> pictures = test::pictures_of(report_page(data, result, ""));
  ASSERT_EQ(pictures.size(), 3u);
  const test::Picture& all = pictures[0];
  ASSERT_EQ(all.rows, 2);
  ASSERT_EQ(all.columns, 3);
  const auto at = [&](Index i, Index j) { return all.pixels[static_cast<std::size_t>(3 * i + j)]; };
  const auto is_red = [](report::Colour c) { return c.red > c.blue + 60; };
  const auto is_blue = [](report::Colour c) { return c.blue > c.red + 60; };
  const auto is_pale = [](report::Colour c) {
    return c.red > 240 && c.green > 240 && c.blue > 240;
  };
  EXPECT_TRUE(is_red(at(0, 0)));  // 2
  EXPECT_TRUE(is_red(at(1, 1)));  // 4
  EXPECT_LT(at(1, 1).red, at(0, 0).red);
  EXPECT_TRUE(is_blue(at(1, 2)));            // -4
  EXPECT_TRUE(is_pale(at(1, 0)));            // 0
  EXPECT_TRUE(is_pale(at(0, 2)));            // 0
  EXPECT_EQ(at(0, 1).blue, 140);             // missing
  ASSERT_EQ(pictures[1].pixels.size(), 1u);  // the members alone
  EXPECT_EQ(pictures[1].pixels[0].red, at(0, 0).red);
  EXPECT_TRUE(is_red(pictures[2].pixels[0]));  // as given
}

TEST(ReportPage, TakesOddData) {
  Matrix missing(4, 3);
  for (double& x : missing.values()) x = kMissing;
  Matrix largest(2, 2);
  for (double& x : largest.values()) x = std::numeric_limits<double>::max();
  largest(0, 0) = -largest(0, 0);
  Matrix tiny(2, 2);
  tiny(0, 0) = std::numeric_limits<double>::denorm_min();
  const std::vector<Matrix> all{
      noise(1, 1),    Matrix(1, 1), noise(1, 50),        noise(50, 1),
      Matrix(20, 30), missing,      noise(9, 9, 1e-150), noise(9, 9, 1e150),
      largest,        tiny,         noise(3000, 2),      noise(2, 3000)};
  for (const Matrix& matrix : all) {
    for (const Index components : {0, 1, 3}) {
      const Dataset data({Block("X", matrix), Block("Y", missing)});
      check_page(report_page(data, make_result(data, components, kPlain), "gingham"));
      const Dataset one(matrix);
      check_page(report_page(one, make_result(one, components, kPlain), "gingham"));
    }
  }
}

TEST(ReportPage, TakesOddResults) {
  const Dataset data(noise(6, 5));
  check_page(report_page(data, Result{}, ""));
  Result result = make_result(data, 3, kPlain);
  result.status = Status::numerical_failure;
  result.method = "no such method";
  result.trace = {{0, 1, kMissing, kMissing, 0.0},
                  {0, 2, INFINITY, 0.0, 0.0},
                  {1, 1, 0.0, 1e-300, 0.0},
                  {1, 2, 0.0, 1e300, 0.0}};
  result.model.components = {{kMissing, kMissing}, {INFINITY, -1.0}, {0.0, 7.0}};
  result.model.memberships[0].members = {{0, 1, INFINITY},
                                         {0, 2, kMissing}};  // components 1 and 2 have no rows
  check_page(report_page(data, result, ""));
  result.model.memberships[0].n_items = 3;  // of other data
  check_page(report_page(data, result, ""));
}

TEST(ReportPage, SaysThatTensorsAreNotDrawn) {
  const Dataset data(Block("T", Tensor({3, 4, 5})));
  const test::HtmlTree tree = check_page(report_page(data, make_result(data, 2, kPlain), ""));
  EXPECT_NE(tree.text.find("The picture is for matrices"), std::string::npos);
  EXPECT_TRUE(tree.references.empty());
}

TEST(ReportPage, SaysThatStreamedDataAreNotDrawn) {
  const Dataset data(test::streamed_block(Matrix(30, 4)));
  const test::HtmlTree tree = check_page(report_page(data, make_result(data, 2, kPlain), ""));
  EXPECT_NE(tree.text.find("read piece by piece"), std::string::npos);
  EXPECT_TRUE(tree.references.empty());
}

TEST(ReportPage, StaysSmallWhateverTheData) {
  // Noise does not compress, labels are long and need escaping, and there is much of everything.
  const Names wordy{[](Index i) { return std::string(500, "&<>\"'"[i % 5]); }};
  std::vector<Block> blocks;
  for (int b = 0; b < 14; ++b) blocks.push_back(named_block(wordy, noise(400, 300)));
  const Dataset data(std::move(blocks));
  Result result = make_result(data, 260, wordy);
  for (int i = 0; i < 400; ++i) {
    result.model.notes.push_back(wordy.make(i));
    result.scores.push_back({wordy.make(i), 0.123456});
    result.terms.gaps.push_back({wordy.make(i), 0.123456});
    result.terms.penalties.push_back({wordy.make(i), 0.123456});
    result.restarts.push_back(result.restarts.front());
    result.inputs.push_back(result.inputs.front());
    result.seconds.push_back({wordy.make(i), 1.0});
  }
  check_page(report_page(data, result, std::string(100'000, '"')));
  const Dataset one(noise(900, 900));
  check_page(report_page(one, make_result(one, 3, wordy), ""));
}

TEST(ReportPage, DrawsALargeSparseMatrixInAMoment) {
  constexpr Index kRows = 100'000, kColumns = 20;
  std::vector<std::int32_t> row, column;
  std::vector<double> value;
  for (std::int32_t i = 0; i < kRows; ++i) {
    row.push_back(i);
    column.push_back(i % 20);
    value.push_back(1.0 + i % 3);
  }
  const Dataset data(Block(
      "S", SparseMatrix::from_triplets(kRows, kColumns, test::to_array(row), test::to_array(column),
                                       test::to_array(value), Duplicates::error)));
  const std::string page = report_page(data, make_result(data, 4, kPlain), "");
  check_page(page);
  const test::Picture picture = test::pictures_of(page).front();
  EXPECT_LE(picture.rows, 600);
  EXPECT_EQ(picture.columns, 20);
}

}  // namespace
}  // namespace gingham
