#include "gingham/tools/compare.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "gingham/base/text.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/tools/simulate.hpp"
#include "gingham/tools/verify.hpp"
#include "io/temporary_folder.hpp"
#include "support/arrays.hpp"
#include "tools/table_access.hpp"

namespace gingham {
namespace {

namespace fs = std::filesystem;

using testing::column;

double number(const Table& table, const std::string& name, Index row) {
  return parse_real(column(table, name, row)).value_or(-1.0);
}

// Takes a series whole, and gives every row of every block the label 0.
class OneGroup final : public Method {
 public:
  void start(const Dataset& data, Context& ctx) override { attach(data, ctx); }
  void attach(const Dataset& data, Context&) override {
    for (const Block& block : data.blocks()) rows_.push_back(block.shape()[0]);
  }
  Done step(Context&) override { return Done::iteration; }
  Terms terms(Context&, Accuracy) override {
    return {.loss = 7.0, .penalties = {}, .gaps = {{"u", 0.0}}};
  }
  bool conclude(Status, Context&) override { return false; }
  Model model(Context&) const override {
    Model model;
    model.components = {{1.0, 0.25}};
    model.arrays = {{"found", std::vector<double>{1.0}}};
    for (Index b = 0; b < std::ssize(rows_); ++b) {
      model.memberships.push_back(
          membership_of("rows", b, std::vector<Index>(static_cast<std::size_t>(rows_[b]), 0)));
    }
    return model;
  }
  void state(Archive&) override {}

 private:
  std::vector<Index> rows_;
};

// Two blocks of non-negative data with known row groups.
struct Series {
  TemporaryFolder folder;
  MethodInfo whole;
  CompareRequest request;
  Series() {
    for (const std::string block : {"0", "1"}) {
      SimulateRequest made;
      made.problem = "spectral";
      made.seed = block == "0" ? 1 : 2;
      made.output = folder / block;
      simulate(made);
      request.input.files.push_back(folder / (block + "/data.npy"));
      if (!fs::exists(request.input.files.back()))
        request.input.files.back() = folder / (block + "/data.mtx");
      request.truth.files.push_back(folder / (block + "/truth/rows.txt"));
    }
    whole.name = "one-group";
    whole.input = InputKind::series;
    whole.traits.accepts_sparse = true;
    whole.make = [](const Options&) { return std::make_unique<OneGroup>(); };
    request.output = folder / "out";
    request.methods = parse_method_list("spectral:clusters=4,ssvd");
    request.methods.push_back({.info = &whole});
  }
};

TEST(Compare, ASeriesIsTakenWholeOrBlockByBlock) {
  Series one;
  one.request.options = {{"clusters", "3"}, {"seed", "5"}};
  const CompareOutcome outcome = compare(one.request);
  ASSERT_EQ(outcome.table.rows(), 3);
  EXPECT_TRUE(outcome.is_complete);
  EXPECT_EQ(column(outcome.table, "options", 0), "seed=5:clusters=4");
  EXPECT_EQ(column(outcome.table, "options", 1), "clusters=3:seed=5");
  EXPECT_EQ(column(outcome.table, "options", 2), "seed=5");
  for (Index row = 0; row < 3; ++row) {
    EXPECT_NEAR(number(outcome.table, "nmi", row),
                (number(outcome.table, "nmi_0", row) + number(outcome.table, "nmi_1", row)) / 2,
                1e-15);
    EXPECT_GE(number(outcome.table, "accuracy_1", row), 0.0);
  }
  EXPECT_GT(number(outcome.table, "nmi", 0), 0.9);
  EXPECT_EQ(number(outcome.table, "nmi", 2), 0.0);
  EXPECT_EQ(number(outcome.table, "objective", 2), 7.0);
  for (const char* name : {"out/spectral/0", "out/spectral/1", "out/ssvd/0", "out/ssvd/1"}) {
    const Verification seen = verify_directory(one.folder / name);
    EXPECT_TRUE(seen.passed()) << name << ": " << seen.differences.front();
  }
  EXPECT_TRUE(fs::exists(one.folder / "out/one-group/result.json"));
  EXPECT_EQ(outcome.table.tsv(), TemporaryFolder::read(one.folder / "out/compare.tsv"));
}

TEST(Compare, WithoutTruthThereAreNoScores) {
  Series one;
  one.request.truth = {};
  const CompareOutcome outcome = compare(one.request);
  EXPECT_EQ(column(outcome.table, "nmi", 0), "no such column");
  EXPECT_GT(number(outcome.table, "objective", 0), 0.0);
  EXPECT_GT(number(outcome.table, "explained", 1), 0.0);
  EXPECT_GT(number(outcome.table, "component_0_rows", 0), 0.0);
}

TEST(Compare, ARefusalIsARow) {
  const TemporaryFolder folder;
  CompareRequest request{.methods = parse_method_list("spectral,ssvd,ssvd:clusters=2"),
                         .input = {.files = {folder.write("x.csv", "1,-2,3\n4,5,6\n7,8,1\n"),
                                             folder.write("y.csv", "1,2,3\n4,5,6\n7,8,1\n")}},
                         .output = folder / "out"};
  const CompareOutcome outcome = compare(request);
  ASSERT_EQ(outcome.table.rows(), 3);
  EXPECT_EQ(column(outcome.table, "status", 0), "refused");
  EXPECT_NE(column(outcome.table, "message", 0).find("negative value"), std::string::npos);
  EXPECT_EQ(column(outcome.table, "method", 2), "ssvd_2");
  EXPECT_FALSE(fs::exists(folder / "out/spectral"));
  EXPECT_TRUE(verify_directory(folder / "out/ssvd_2/1").passed());

  request.methods = parse_method_list("spectral");
  request.output = folder / "none";
  test::expect_error(ErrorCode::input, {"no method", "spectral", "negative value"},
                     [&] { compare(request); });
  EXPECT_FALSE(fs::exists(folder / "none"));
}

TEST(Compare, AMethodThatRefusesOnlyWhenItRunsIsARowToo) {
  Series one;
  one.whole.make = [](const Options&) -> std::unique_ptr<Method> {
    throw Error(ErrorCode::input, "", "cannot begin");
  };
  const CompareOutcome outcome = compare(one.request);
  EXPECT_EQ(column(outcome.table, "status", 2), "refused");
  EXPECT_EQ(column(outcome.table, "message", 2), "cannot begin");
  EXPECT_EQ(column(outcome.table, "status", 0), "converged");
}

TEST(Compare, AStoppedComparisonKeepsTheMethodsBefore) {
  Series one;
  std::atomic<bool> stop{false};
  int runs = 0;
  one.request.stop = &stop;
  one.request.begin_run = [&](const std::string&) { stop = ++runs == 4; };
  const CompareOutcome outcome = compare(one.request);
  EXPECT_FALSE(outcome.is_complete);
  EXPECT_EQ(outcome.table.rows(), 1);
  EXPECT_TRUE(fs::exists(one.folder / "out/spectral/1/result.json"));
  EXPECT_TRUE(fs::exists(one.folder / "out/compare.tsv"));
}

TEST(Compare, SlicesOfATensorAreBlocks) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 1; i <= 6; ++i)
    for (int j = 1; j <= 5; ++j)
      for (int t = 1; t <= 2; ++t)
        text += fmt::format("{} {} {} {}\n", i, j, t, (i < 4) == (j < 3) ? 5 + i * t : 1 + j);
  const CompareRequest request{
      .methods = parse_method_list("ssvd,spectral"),
      .input = {.files = {folder.write("cube.tns", text)}, .series_mode = 2},
      .options = {{"clusters", "2"}},
      .truth = {.files = {folder.write("rows.txt", "a\na\na\nb\nb\nb\n")}},
      .truth_mode = "rows",
      .output = folder / "out"};
  const CompareOutcome outcome = compare(request);
  EXPECT_GE(number(outcome.table, "accuracy_1", 1), 0.5);
  for (const char* name : {"out/ssvd/0", "out/ssvd/1", "out/spectral/1"})
    EXPECT_TRUE(verify_directory(folder / name).passed()) << name;
}

TEST(Compare, ViewsHaveARowEachForAMethodThatTakesOneMatrix) {
  Series one;
  one.whole.input = InputKind::views;
  one.request.methods = parse_method_list("spectral:clusters=4,ssvd:clusters=4");
  one.request.methods.push_back({.info = &one.whole});
  one.request.truth.files.pop_back();
  const CompareOutcome outcome = compare(one.request);
  ASSERT_EQ(outcome.table.rows(), 5);
  for (const Index row : {0, 2}) {
    const double first = number(outcome.table, "nmi", row);
    const double second = number(outcome.table, "nmi", row + 1);
    EXPECT_EQ(column(outcome.table, "view", row), "0");
    EXPECT_EQ(column(outcome.table, "view", row + 1), "1");
    EXPECT_EQ(column(outcome.table, "best_view", row), first >= second ? "yes" : "");
    EXPECT_EQ(column(outcome.table, "best_view", row + 1), first >= second ? "" : "yes");
    EXPECT_EQ(column(outcome.table, "method", row), column(outcome.table, "method", row + 1));
  }
  EXPECT_EQ(column(outcome.table, "view", 4), "");
  EXPECT_EQ(column(outcome.table, "best_view", 4), "");
  EXPECT_EQ(column(outcome.table, "folder", 3), "ssvd_view1");
  for (const char* name : {"out/spectral_view0", "out/spectral_view1", "out/ssvd_view1"})
    EXPECT_TRUE(verify_directory(one.folder / name).passed()) << name;
  EXPECT_TRUE(fs::exists(one.folder / "out/one-group/result.json"));
}

TEST(Compare, WithAMethodOfASeriesTheInputsAreOne) {
  Series one;
  MethodInfo views = one.whole;
  views.name = "views";
  views.input = InputKind::views;
  one.request.methods.push_back({.info = &views});
  const CompareOutcome outcome = compare(one.request);
  EXPECT_EQ(outcome.table.rows(), 4);
  EXPECT_EQ(column(outcome.table, "view", 0), "no such column");
  EXPECT_TRUE(fs::exists(one.folder / "out/spectral/1/result.json"));
}

// The same request with data and labels in memory and nothing to write.
CompareRequest in_memory(const CompareRequest& files) {
  CompareRequest request = files;
  request.data = read_dataset(files.input);
  request.input = {};
  request.truth = {};
  for (const std::string& file : files.truth.files)
    request.truth.labels.push_back(testing::numbers_of(file));
  request.output = "";
  return request;
}

// Everything that was handed over, by name and part.
struct Heard {
  std::map<std::pair<std::string, Index>, Result> results;
  void listen(CompareRequest& request) {
    request.done = [this](const std::string& name, Index part, const Result& result) {
      EXPECT_TRUE(results.try_emplace({name, part}, result).second);
    };
  }
  std::vector<std::string> places() const {
    std::vector<std::string> all;
    for (const auto& [place, result] : results)
      all.push_back(fmt::format("{} {}", place.first, place.second));
    return all;
  }
};

void expect_stored(const Result& result, const std::string& directory) {
  const Result stored = read_result(directory).json.result;
  EXPECT_EQ(result.terms.objective(), stored.terms.objective());
  ASSERT_EQ(result.scores.size(), stored.scores.size()) << directory;
  for (std::size_t i = 0; i < stored.scores.size(); ++i)
    EXPECT_EQ(result.scores[i].value, stored.scores[i].value);
  for (const Membership& one : stored.model.memberships)
    EXPECT_EQ(result.labels(one.key()), stored.labels(one.key()));
}

TEST(Compare, InMemoryItIsTheSame) {
  Series one;
  const CompareOutcome stored = compare(one.request);
  const auto before = one.folder.content();
  CompareRequest request = in_memory(one.request);
  Heard heard;
  heard.listen(request);
  const CompareOutcome outcome = compare(request);
  EXPECT_TRUE(outcome.is_complete && outcome.remarks.empty());
  EXPECT_EQ(testing::lasting_cells(outcome.table), testing::lasting_cells(stored.table));
  EXPECT_EQ(column(outcome.table, "folder", 0), "spectral");
  EXPECT_EQ(one.folder.content(), before);
  EXPECT_EQ(heard.places(), (std::vector<std::string>{"one-group -1", "spectral 0", "spectral 1",
                                                      "ssvd 0", "ssvd 1"}));
  for (const auto& [place, result] : heard.results) {
    if (place.second < 0) continue;  // no method that is known
    expect_stored(result, one.folder / fmt::format("out/{}/{}", place.first, place.second));
  }
  // Written all the same, with the blocks' names for files.
  request.output = one.folder / "written";
  heard.results.clear();
  EXPECT_EQ(testing::lasting_cells(compare(request).table), testing::lasting_cells(stored.table));
  EXPECT_EQ(read_result(one.folder / "written/ssvd/1").json.reading.files,
            std::vector<std::string>{request.data->block(1).name()});
  EXPECT_TRUE(verify_directory(one.folder / "written/ssvd/1").passed());
}

TEST(Compare, InMemoryViewsAreTheSame) {
  Series one;
  one.whole.input = InputKind::views;
  one.request.truth.files.pop_back();
  const CompareOutcome stored = compare(one.request);
  CompareRequest request = in_memory(one.request);
  Heard heard;
  heard.listen(request);
  EXPECT_EQ(testing::lasting_cells(compare(request).table), testing::lasting_cells(stored.table));
  EXPECT_EQ(heard.places(),
            (std::vector<std::string>{"one-group -1", "spectral_view0 0", "spectral_view1 1",
                                      "ssvd_view0 0", "ssvd_view1 1"}));
  expect_stored(heard.results.at({"ssvd_view1", 1}), one.folder / "out/ssvd_view1");
}

TEST(Compare, InMemoryItStopsAndSaysWhatIsWrong) {
  Series one;
  CompareRequest request = in_memory(one.request);
  std::atomic<bool> stop{false};
  int runs = 0;
  request.stop = &stop;
  request.begin_run = [&](const std::string&) { stop = ++runs == 4; };
  Heard heard;
  heard.listen(request);
  const CompareOutcome outcome = compare(request);
  EXPECT_FALSE(outcome.is_complete);
  EXPECT_EQ(outcome.table.rows(), 1);
  EXPECT_EQ(heard.places(), (std::vector<std::string>{"spectral 0", "spectral 1", "ssvd 0"}));
  // A callback that gives up ends it all; that is no refusal of the method's.
  stop = false;
  request.begin_run = {};
  request.done = [](const std::string&, Index, const Result&) {
    throw Error(ErrorCode::input, "", "enough");
  };
  test::expect_error(ErrorCode::input, {"enough"}, [&] { compare(request); });
  request.done = {};
  request.truth.labels.push_back(request.truth.labels[0]);
  test::expect_error(ErrorCode::usage, {"--truth", "3 lists for 2 blocks"},
                     [&] { compare(request); });
  request.truth.labels = {{0, 1}};
  const CompareOutcome unscored = compare(request);
  EXPECT_EQ(column(unscored.table, "nmi", 0), "no such column");
  EXPECT_NE(unscored.remarks.at(0).find("truth: has 2 labels"), std::string::npos);
  request.memory_limit_bytes = 1000.0;
  test::expect_error(ErrorCode::input, {"no method", "memory"}, [&] { compare(request); });
}

TEST(Compare, RefusesBeforeAnythingIsTouched) {
  Series one;
  using test::expect_error;
  const auto with = [&](auto change) {
    CompareRequest request = one.request;
    change(request);
    compare(request);
  };
  expect_error(ErrorCode::usage, {"--adaptive", "none of these"}, [&] {
    with([](CompareRequest& r) {
      r.methods = parse_method_list("spectral");
      r.options = {{"adaptive", "1"}};
    });
  });
  expect_error(ErrorCode::usage, {"--clusters"}, [&] {
    with([](CompareRequest& r) { r.options = {{"clusters", "many"}}; });
  });
  expect_error(ErrorCode::usage, {"a method is needed"},
               [&] { with([](CompareRequest& r) { r.methods.clear(); }); });
  expect_error(ErrorCode::usage, {"--truth", "3 files for 2 blocks"},
               [&] { with([](CompareRequest& r) { r.truth.files.push_back(r.truth.files[0]); }); });
  expect_error(ErrorCode::usage, {"is not a comparison"}, [&] {
    with([&](CompareRequest& r) {
      r.output = one.folder / "0";
      r.force = true;
    });
  });
  EXPECT_FALSE(fs::exists(one.folder / "out"));
}

}  // namespace
}  // namespace gingham
