#include "report/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gingham/base/rng.hpp"
#include "gingham/engine/registry.hpp"
#include "report/html_tree.hpp"
#include "report/page_data.hpp"
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

using test::Json;

void check_stretches(const Json& list, const Json& axis) {
  for (const Json& one : list) {
    EXPECT_GE(one.at("begin"), 0);
    EXPECT_LT(one.at("begin"), one.at("end"));
    EXPECT_LE(one.at("end"), axis.at("bins"));
  }
}

// Every item once, segments that cover all bins, bins that begin where they say.
void check_axis(const Json& axis) {
  const auto n = axis.at("n").get<std::size_t>();
  if (!axis.at("order").is_null()) {
    std::vector<std::int32_t> order = test::unpacked<std::int32_t>(axis.at("order"));
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order.size(), n);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(order[i], static_cast<std::int32_t>(i));
  }
  if (axis.at("starts").is_null()) {
    EXPECT_EQ(axis.at("bins"), n);
  } else {
    const auto starts = test::unpacked<std::int32_t>(axis.at("starts"));
    EXPECT_EQ(axis.at("bins"), starts.size());
    EXPECT_TRUE(std::is_sorted(starts.begin(), starts.end()));
    EXPECT_LT(static_cast<std::size_t>(starts.back()), n);
  }
  std::size_t at = 0;
  for (const Json& segment : axis.at("segments")) {
    EXPECT_EQ(segment.at("begin"), at);
    at = segment.at("end");
  }
  EXPECT_EQ(axis.at("bins"), at);
}

void check_block(const Json& page, const Json& block) {
  const Json& rows = page.at("axes").at(block.at("rows").get<std::size_t>());
  const Json& columns = page.at("axes").at(block.at("columns").get<std::size_t>());
  const Json& field = page.at("fields").at(block.at("field").get<std::size_t>());
  check_stretches(block.at("row_stretches"), rows);
  check_stretches(block.at("column_stretches"), columns);
  const bool is_arranged = block.at("arranged").get<bool>();
  EXPECT_EQ(field.at("rows"), rows.at(is_arranged ? "bins" : "n"));
  EXPECT_EQ(field.at("columns"), columns.at(is_arranged ? "bins" : "n"));
  EXPECT_EQ(block.at("given_field").is_null(), !is_arranged);
}

// What page/data.ts promises of the data of any page.
void check_data(const Json& page) {
  for (const Json& axis : page.at("axes")) check_axis(axis);
  for (const Json& field : page.at("fields")) {
    EXPECT_EQ(field.at("values").at("length"),
              field.at("rows").get<Index>() * field.at("columns").get<Index>());
    EXPECT_LT(field.at("scale").at("low"), field.at("scale").at("high"));
  }
  for (const Json& set : page.at("labels")) {
    EXPECT_EQ(set.at("text").size(),
              set.at("items").is_null() ? set.at("n").get<std::size_t>() : set.at("items").size());
  }
  for (const Json& result : page.at("results")) {
    for (const Json& block : result.at("picture").at("blocks")) check_block(page, block);
    for (const Json& one : result.at("picture").at("component_slices"))
      check_block(page, one.at("block"));
    for (const Json& mode : result.at("modes")) {
      EXPECT_EQ(mode.at("item").size(), mode.at("component").size());
      EXPECT_EQ(mode.at("item").size(), mode.at("value").size());
      EXPECT_TRUE(mode.at("labels").is_null() || mode.at("labels") < page.at("labels").size());
    }
  }
}

struct Checked {
  test::HtmlTree tree;
  Json data;
};

Checked check_page(const std::string& page) {
  EXPECT_LE(page.size(), kMaxBytes);
  EXPECT_FALSE(page.find("Content-Security-Policy") == std::string::npos);
  Checked checked{test::read_html(page), test::data_of(page)};
  EXPECT_TRUE(checked.tree.references.empty());
  check_data(checked.data);
  return checked;
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
    const std::string page =
        report_page(data, make_result(data, 3, names), "gingham " + names.make(0));
    shapes.push_back(check_page(page).tree.shape);
    const std::size_t begin = page.find("id=\"data\">") + 10;
    const std::string block = page.substr(begin, page.find("</script>", begin) - begin);
    EXPECT_EQ(block.find('<'), std::string::npos);
  }
  EXPECT_EQ(shapes[0], shapes[1]);
}

TEST(ReportPage, ShowsWhatWasFound) {
  const Dataset data({named_block(kPlain, noise(40, 30))});
  Result result = make_result(data, 3, kPlain);
  const Json page = check_page(report_page(data, result, "gingham fit 'a b'")).data;
  const Json& shown = page.at("results").at(0);
  EXPECT_EQ(shown.at("status").at("title"), "Converged");
  EXPECT_EQ(shown.at("command"), "gingham fit 'a b'");
  EXPECT_EQ(shown.at("objective"), result.terms.objective());
  EXPECT_EQ(shown.at("components").size(), 3u);
  EXPECT_EQ(shown.at("components").at(1).at("weight"), result.model.components[1].weight);
  EXPECT_EQ(shown.at("options").size(), result.options.records().size());
  EXPECT_EQ(shown.at("gaps").at(1).at("value"), "nan");
  for (const Status status :
       {Status::iteration_limit, Status::time_limit, Status::cancelled, Status::cycle}) {
    result.status = status;
    const std::string meaning = check_page(report_page(data, result, ""))
                                    .data.at("results")
                                    .at(0)
                                    .at("status")
                                    .at("meaning");
    EXPECT_NE(meaning.find(status == Status::cycle ? "repeat" : "not converged"),
              std::string::npos);
  }
}

TEST(ReportPage, ListsTheStrongestMembersOfAll) {
  constexpr Index kItems = 30'000;
  const Dataset data(Matrix(kItems, 1));
  Result result = make_result(data, 0, kPlain);
  Matrix factor(kItems, 1);
  for (Index i = 0; i < kItems; ++i)
    factor(i, 0) = static_cast<double>(i % 2 == 0 ? i + 1 : -i - 1);
  result.model.components = {{1.0, 0.5}};
  result.model.memberships = {membership_of("rows", std::nullopt, factor)};
  const Json page = check_page(report_page(data, result, "")).data;
  const Json& mode = page.at("results").at(0).at("modes").at(0);
  const auto listed = mode.at("item").size();
  EXPECT_EQ(mode.at("sizes").at(0), kItems);
  EXPECT_EQ(mode.at("left_out"), kItems - static_cast<Index>(listed));
  EXPECT_GT(listed, 10'000u);
  for (std::size_t i = 0; i < listed; ++i)
    ASSERT_EQ(mode.at("item").at(i), kItems - 1 - static_cast<Index>(i));
}

TEST(ReportPage, HoldsTheCellsOfASmallMatrix) {
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
  const Json page = check_page(report_page(data, result, "")).data;
  const Json& block = page.at("results").at(0).at("picture").at("blocks").at(0);
  const auto values = test::unpacked<float>(
      page.at("fields").at(block.at("field").get<std::size_t>()).at("values"));
  EXPECT_EQ(values[0], 4.0f);
  EXPECT_EQ(values[1], -4.0f);
  EXPECT_TRUE(std::isnan(values[3]));
  EXPECT_EQ(values[5], 2.0f);
  const Json& rows = page.at("axes").at(block.at("rows").get<std::size_t>());
  EXPECT_EQ(test::unpacked<std::int32_t>(rows.at("order")), (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(block.at("row_stretches").at(0).at("end"), 1);
}

// Means of a tensor's cells against plain loops, per slice and per component.
TEST(ReportPage, DrawsSlicesOfATensor) {
  const Index a = 6, b = 5, c = 3;
  Tensor tensor({a, b, c});
  Rng rng(11, 0);
  for (double& x : tensor.values()) x = rng.uniform() < 0.1 ? kMissing : rng.normal();
  const Dataset data(Block("T", tensor));
  const Result result = make_result(data, 2, kPlain);
  const Json page = check_page(report_page(data, result, "")).data;
  const Json& picture = page.at("results").at(0).at("picture");
  EXPECT_EQ(picture.at("arrangement"), "slices");
  EXPECT_EQ(picture.at("profile_mode"), "mode_2");
  ASSERT_EQ(picture.at("blocks").size(), static_cast<std::size_t>(c));
  ASSERT_EQ(picture.at("component_slices").size(), 2u);
  const auto cells = [&](const Json& block) {
    return test::unpacked<float>(
        page.at("fields").at(block.at("field").get<std::size_t>()).at("values"));
  };
  std::vector<std::vector<double>> weight(2, std::vector<double>(static_cast<std::size_t>(c), 0.0));
  for (const Member& member : result.membership("mode_2").members)
    weight[member.component][member.item] = std::abs(member.value);
  for (Index i = 0; i < a; ++i) {
    for (Index j = 0; j < b; ++j) {
      const auto at = static_cast<std::size_t>(i * b + j);
      std::vector<double> sum(2, 0.0), seen(2, 0.0);
      for (Index k = 0; k < c; ++k) {
        const double x = tensor.values()[static_cast<std::size_t>((i * b + j) * c + k)];
        const float found = cells(picture.at("blocks").at(static_cast<std::size_t>(k)))[at];
        EXPECT_TRUE(std::isnan(x) ? std::isnan(found) : found == static_cast<float>(x));
        for (std::size_t q = 0; q < 2 && !std::isnan(x); ++q) {
          sum[q] += weight[q][k] * x;
          seen[q] += weight[q][k];
        }
      }
      for (std::size_t q = 0; q < 2; ++q) {
        const float found = cells(picture.at("component_slices").at(q).at("block"))[at];
        if (seen[q] > 0.0) {
          EXPECT_NEAR(found, sum[q] / seen[q], 1e-5);
        } else {
          EXPECT_TRUE(std::isnan(found));
        }
      }
    }
  }
}

// Who goes where, item by item.
TEST(ReportPage, CountsTheFlowOfASeries) {
  std::vector<Block> blocks;
  for (int t = 0; t < 3; ++t) blocks.push_back(named_block(kPlain, noise(12, 9)));
  const Dataset data(std::move(blocks));
  const Result result = make_result(data, 3, kPlain);
  const Json page = check_page(report_page(data, result, "")).data;
  const Json& flows = page.at("results").at(0).at("picture").at("flows");
  ASSERT_EQ(flows.size(), 2u);
  for (const Json& link : flows.at(0).at("links")) {
    const Index t = link.at("block");
    const auto now = strongest(result.membership("rows_" + std::to_string(t))),
               next = strongest(result.membership("rows_" + std::to_string(t + 1)));
    Index n = 0;
    for (std::size_t i = 0; i < now.size(); ++i)
      n += now[i] == link.at("from").get<Index>() && next[i] == link.at("to").get<Index>() ? 1 : 0;
    EXPECT_EQ(link.at("count"), n);
  }
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

TEST(ReportPage, TakesOddTensors) {
  for (const Shape& shape :
       std::vector<Shape>{{1, 1, 1}, {3, 4, 5}, {2, 3, 4, 5}, {40, 1, 30, 2, 2}}) {
    for (const Index components : {0, 2}) {
      const Dataset data(Block("T", Tensor(shape)));
      const Json page =
          check_page(report_page(data, make_result(data, components, kPlain), "")).data;
      EXPECT_FALSE(page.at("results").at(0).at("picture").at("blocks").empty());
    }
  }
}

TEST(ReportPage, SaysThatStreamedDataAreNotDrawn) {
  const Dataset data(test::streamed_block(Matrix(30, 4)));
  const Json page = check_page(report_page(data, make_result(data, 2, kPlain), "")).data;
  const std::string message = page.at("results").at(0).at("picture").at("message");
  EXPECT_NE(message.find("read piece by piece"), std::string::npos);
  EXPECT_TRUE(page.at("fields").empty());
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
  const Json data_of_page = check_page(page).data;
  for (const Json& field : data_of_page.at("fields")) {
    EXPECT_LE(field.at("rows"), 600);
    EXPECT_EQ(field.at("columns"), 20);
  }
}

TEST(ReportPage, TakesTenThousandComponents) {
  const Dataset data(noise(300, 200));
  Result result = make_result(data, 0, kPlain);
  result.model.components.assign(10'000, {1.0, 1e-4});
  std::vector<Index> labels(300);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<Index>(33 * i);
  result.model.memberships = {membership_of("rows", std::nullopt, labels)};
  const Json page = check_page(report_page(data, result, "")).data;
  EXPECT_EQ(page.at("results").at(0).at("n_components"), 10'000);
  EXPECT_EQ(page.at("results").at(0).at("components").size(), 200u);
}

}  // namespace
}  // namespace gingham
