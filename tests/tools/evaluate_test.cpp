#include "gingham/tools/evaluate.hpp"

#include <gtest/gtest.h>

#include <map>

#include "gingham/base/rng.hpp"
#include "gingham/engine/run.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/tools/output.hpp"
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
  for (const NamedValue& score : score_result(series(), {.files = truth}, mode))
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
  for (const NamedValue& score : score_result(result, {.files = {truth}}))
    named[score.name] = score.value;
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

// A label file of these numbers.
std::string label_text(const std::vector<Index>& labels) {
  std::string text;
  for (const Index label : labels) text += std::to_string(label) + "\n";
  return text;
}

TEST(Evaluate, LabelsInMemoryAreThoseOfAFileToTheBit) {
  const TemporaryFolder folder;
  Rng rng(8, 0);
  for (int round = 0; round < 30; ++round) {
    Result result;
    result.model.components.resize(4);
    Truth files, memory;
    for (Index block = 0; block < 2; ++block) {
      std::vector<Index> found, known;
      for (int i = 0; i < 40; ++i) {
        found.push_back(rng.below(5) - 1);
        known.push_back(rng.below(5) == 0 ? -1 : 1000 * (3 - rng.below(7)));
      }
      result.model.memberships.push_back(membership_of("rows", block, found));
      files.files.push_back(folder.write("t" + std::to_string(block) + ".txt", label_text(known)));
      memory.labels.push_back(known);
    }
    const auto expect_same = [&] {
      const std::vector<NamedValue> a = score_result(result, files);
      const std::vector<NamedValue> b = score_result(result, memory);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].name, b[i].name);
        EXPECT_EQ(test::bits_of(std::vector{a[i].value}), test::bits_of(std::vector{b[i].value}));
      }
    };
    expect_same();
    files = files.of_block(1);  // one for all
    memory = memory.of_block(1);
    EXPECT_EQ(memory.size(), 1);
    expect_same();
  }
}

TEST(Evaluate, SaysWhatLabelsInMemoryDoNotFit) {
  using test::expect_error;
  const auto refused = [](ErrorCode code, const std::vector<std::string>& parts,
                          const Truth& truth) {
    expect_error(code, parts, [&] { score_result(series(), truth); });
  };
  const std::vector<Index> right{0, 0, 1, 1}, wrong{0, 0, 1};
  refused(ErrorCode::input, {"truth: has 3 labels, expected 4"}, {.labels = {wrong}});
  refused(ErrorCode::input, {"truth: has 0 labels, expected 4"}, {.labels = {{}}});
  refused(ErrorCode::input, {"truth[1]: has 3 labels, expected 4"}, {.labels = {right, wrong}});
  refused(ErrorCode::usage, {"3 lists for 2 sets"}, {.labels = {right, right, right}});
  refused(ErrorCode::usage, {"files or labels"}, {.files = {"x"}, .labels = {right}});
  expect_error(ErrorCode::usage, {"files or labels"},
               [&] { check_truth({.files = {"x"}, .labels = {right}}); });
  const auto identity = [](std::vector<std::vector<Index>> labels) {
    return Truth{.labels = std::move(labels)}.identity();
  };
  EXPECT_EQ(identity({right}), identity({right}));
  EXPECT_NE(identity({right}), identity({wrong}));
  EXPECT_EQ(identity({right, wrong}).size(), 2u);
}

TEST(Evaluate, AResultKeepsTheScoresOfLabelsInMemory) {
  const TemporaryFolder folder;
  Matrix x(6, 3);
  for (Index i = 0; i < 6; ++i) x(i, i / 2) = 1.0;
  const Dataset data(std::move(x));
  Result result = run("kmeans", data, {{"clusters", 3}});
  std::vector<std::string> remarks;
  write_run(folder / "out", data,
            {.reading = record_of(DataFiles{}), .truth = {.labels = {{0, 0, 1, 1, 2, 2}}}}, false,
            result, remarks);
  EXPECT_TRUE(remarks.empty());
  const Result stored = read_result(folder / "out").json.result;
  ASSERT_EQ(stored.scores.size(), 4u);
  EXPECT_EQ(stored.scores[1].name, "nmi");
  EXPECT_EQ(stored.scores[1].value, 1.0);
  EXPECT_TRUE(stored.truth.empty());
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
