#include "gingham/tools/evaluate.hpp"

#include <gtest/gtest.h>

#include <map>

#include "io/temporary_folder.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

// A series of two blocks: the first is found exactly, in the second half of the rows are mixed up.
Result series() {
  Result result;
  result.model.components.resize(2);
  result.model.memberships = {membership_of("rows", 0, std::vector<Index>{0, 0, 1, 1}),
                              membership_of("rows", 1, std::vector<Index>{0, 1, 0, 1}),
                              membership_of("columns", std::nullopt, std::vector<Index>{1, 0})};
  return result;
}

std::map<std::string, double> scores(const std::vector<std::string>& truth,
                                     const std::string& mode = "") {
  std::map<std::string, double> named;
  for (const NamedValue& score : score_result(series(), truth, mode))
    named[score.name] = score.value;
  return named;
}

TEST(Evaluate, OneTruthPerBlockIsAveraged) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.txt", "x\nx\ny\ny\n");
  const std::string b = folder.write("b.txt", "p\np\nq\nq\n");
  for (const char* mode : {"", "rows"}) {
    const auto named = scores({a, b}, mode);
    EXPECT_EQ(named.at("accuracy_0"), 1.0);
    EXPECT_EQ(named.at("accuracy_1"), 0.5);
    EXPECT_EQ(named.at("accuracy"), 0.75);
    EXPECT_EQ(named.at("nmi"), (named.at("nmi_0") + named.at("nmi_1")) / 2);
    EXPECT_EQ(named.size(), 12);
  }
  EXPECT_EQ(scores({a}), scores({a, a}));  // one truth for all blocks
  EXPECT_EQ(scores({b}, "rows_1").at("accuracy"), 0.5);
  EXPECT_EQ(scores({b}, "rows_1").size(), 4);
}

TEST(Evaluate, AClustersFileScoresEveryBlock) {
  const TemporaryFolder folder;
  std::string text = "component\tmode\tblock\tindex\tlabel\tvalue\n";
  for (int block = 0; block < 2; ++block) {
    for (int row = 0; row < 4; ++row)
      text += std::to_string(row / 2) + "\trows\t" + std::to_string(block) + "\t" +
              std::to_string(row) + "\t\t1\n";
  }
  const auto named = scores({folder.write("clusters.tsv", text)});
  EXPECT_EQ(named.at("accuracy_0"), 1.0);
  EXPECT_EQ(named.at("accuracy_1"), 0.5);
  EXPECT_EQ(named.at("accuracy"), 0.75);
}

// A line of clusters.tsv per row of a factor that is not zero.
std::string truth_text(const std::vector<std::string>& modes) {
  std::string text = "component\tmode\tblock\tindex\tlabel\tvalue\n";
  for (const std::string& mode : modes) {
    for (int item = 0; item < 2; ++item)
      text += "0\t" + mode + "\t\t" + std::to_string(item) + "\t\t1\n";
  }
  return text;
}

std::map<std::string, double> cell_scores(const std::vector<std::string>& modes,
                                          const std::string& truth) {
  Result result;
  result.model.components.resize(1);
  for (const std::string& mode : modes)  // items 0 and 1 of 4; the last mode finds item 0 only
    result.model.memberships.push_back(membership_of(
        mode, std::nullopt, std::vector<Index>{0, &mode == &modes.back() ? -1 : 0, -1, -1}));
  std::map<std::string, double> named;
  for (const NamedValue& score : score_result(result, {truth})) named[score.name] = score.value;
  return named;
}

TEST(Evaluate, CellsInExactlyTheirCoclusters) {
  const TemporaryFolder folder;
  const std::string three = folder.write("3.tsv", truth_text({"mode_0", "mode_1", "mode_2"}));
  const auto cube = cell_scores({"mode_0", "mode_1", "mode_2"}, three);
  EXPECT_EQ(cube.at("planted_right"), 0.5);
  EXPECT_EQ(cube.at("background_right"), 1.0);
  EXPECT_EQ(cube.at("cells_right"), 1.0 - 4.0 / 64);
  // A matrix result against the truth of the tensor it is a sum of; the names of modes are
  // synonyms.
  const auto flat = cell_scores({"rows", "columns"}, three);
  EXPECT_EQ(flat.at("planted_right"), 0.5);
  EXPECT_EQ(flat.at("cells_right"), 1.0 - 2.0 / 16);
  EXPECT_EQ(flat, cell_scores({"mode_0", "mode_1"},
                              folder.write("2.tsv", truth_text({"rows", "columns"}))));
  // Rows only: labels are scored, there are no cells.
  const auto rows = cell_scores({"rows"}, three);
  EXPECT_EQ(rows.size(), 4);
  // The truth says nothing about the third mode: no cells either.
  EXPECT_FALSE(cell_scores({"mode_0", "mode_1", "mode_2"}, folder.path() + "/2.tsv")
                   .contains("cells_right"));
  test::expect_error(ErrorCode::input, {"4.tsv", "no members of the modes"}, [&] {
    cell_scores({"rows", "columns"}, folder.write("4.tsv", truth_text({"mode_2"})));
  });
}

TEST(Evaluate, SaysWhatDoesNotFit) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.txt", "x\nx\ny\ny\n");
  const std::string shorter = folder.write("b.txt", "p\np\n");
  using test::expect_error;
  expect_error(ErrorCode::usage, {"3 files for 2 sets"}, [&] { scores({a, a, a}); });
  expect_error(ErrorCode::usage, {"no labels for 'views'", "rows_0", "columns"},
               [&] { scores({a}, "views"); });
  expect_error(ErrorCode::input, {"b.txt", "has 2 labels, expected 4"}, [&] {
    scores({a, shorter});
  });
}

}  // namespace
}  // namespace gingham
