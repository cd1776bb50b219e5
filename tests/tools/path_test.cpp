#include "gingham/tools/path.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/fake_method.hpp"
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
using testing::lasting_cells;
using testing::numbers_of;

// Begins from what it is given, and lets the test see it: found = 100 a + 10 b + c of its options.
class Follower final : public Method {
 public:
  Follower(const Options& options, std::vector<double>& begun)
      : found_(100 * options.real("a") + 10 * options.real("b") + options.real("c")),
        begun_(begun) {}
  void begin_from(const Model& earlier) override {
    from_ = std::get<std::vector<double>>(earlier.arrays[0].values)[0];
  }
  void start(const Dataset&, Context&) override { begun_.push_back(from_); }
  void attach(const Dataset&, Context&) override {}
  Done step(Context&) override { return Done::iteration; }
  Terms terms(Context&, Accuracy) override {
    return {.loss = found_, .penalties = {}, .gaps = {{"u", 0.0}}};
  }
  bool conclude(Status, Context&) override { return false; }
  Model model(Context&) const override {
    Model model;
    model.arrays = {{"found", std::vector<double>{found_}}};
    model.measures = {{"drift", found_ - from_}};
    return model;
  }
  void state(Archive&) override {}

 private:
  double found_, from_ = -1.0;
  std::vector<double>& begun_;
};

TEST(Path, APointBeginsFromItsNeighbourOrTheRowBefore) {
  const TemporaryFolder folder;
  std::vector<double> begun;
  MethodInfo info;
  info.name = "follower";
  for (const char* name : {"a", "b", "c"}) info.options.push_back(real_option(name, "9", 0, 9, ""));
  info.make = [&](const Options& options) { return std::make_unique<Follower>(options, begun); };
  PathRequest request{.info = &info,
                      .input = {.files = {folder.write("x.csv", "1,2\n3,4\n")}},
                      .vary = {"a=1,2", "b=1,2", "c=1,2,3"},
                      .output = folder / "warm"};
  const PathOutcome outcome = path(request);
  ASSERT_EQ(outcome.table.rows(), 12);
  EXPECT_TRUE(outcome.is_complete);
  EXPECT_EQ(begun, (std::vector<double>{-1, 111, 112, 111, 121, 122,      // a = 1
                                        111, 211, 212, 211, 221, 222}));  // a = 2
  EXPECT_EQ(column(outcome.table, "objective", 10), "222");
  EXPECT_EQ(column(outcome.table, "drift", 10), "1");
  EXPECT_EQ(column(outcome.table, "folder", 10), "10");
  EXPECT_EQ(outcome.table.tsv(), TemporaryFolder::read(folder / "warm/path.tsv"));

  begun.clear();
  request.cold = true;
  request.output = folder / "cold";
  path(request);
  EXPECT_EQ(begun, std::vector<double>(12, -1.0));
}

struct Ssvd {
  TemporaryFolder folder;
  PathRequest request;
  Ssvd() {
    SimulateRequest made;
    made.problem = "ssvd";
    made.output = folder / "data";
    simulate(made);
    request = {.info = &find_method("ssvd"),
               .input = {.files = {folder / "data/data.npy"}},
               .options = {{"clusters", "2"}},
               .vary = {"row-sparsity=20%:60%:3", "column-sparsity=0,auto"},
               .output = folder / "out",
               .truth = {.files = {folder / "data/truth/rows.txt"}}};
  }
};

TEST(Path, EveryPointIsAResultThatVerifies) {
  Ssvd one;
  const PathOutcome outcome = path(one.request);
  ASSERT_EQ(outcome.table.rows(), 6);
  EXPECT_EQ(column(outcome.table, "row_sparsity", 3), "40%");
  EXPECT_EQ(column(outcome.table, "column_sparsity", 3), "auto");
  EXPECT_NE(column(outcome.table, "nmi", 3), "no such column");
  EXPECT_NE(column(outcome.table, "component_1_columns", 3), "no such column");
  for (Index point = 0; point < 6; ++point) {
    const Verification seen = verify_directory(one.folder / ("out/0" + std::to_string(point)));
    EXPECT_TRUE(seen.passed()) << seen.differences.front();
  }
}

TEST(Path, ResumeKeepsWhatIsCompleteAndOnlyThat) {
  Ssvd one;
  const std::string all = path(one.request).table.tsv();
  const auto before = fs::last_write_time(one.folder / "out/00/u.npy");
  fs::remove_all(one.folder / "out/02");
  fs::remove(one.folder / "out/04/u.npy");
  fs::remove(one.folder / "out/path.tsv");
  one.request.resume = true;
  const PathOutcome outcome = path(one.request);
  EXPECT_EQ(outcome.n_kept, 4);
  EXPECT_EQ(outcome.table.rows(), 6);
  EXPECT_EQ(fs::last_write_time(one.folder / "out/00/u.npy"), before);
  EXPECT_TRUE(fs::exists(one.folder / "out/path.tsv"));
  EXPECT_TRUE(verify_directory(one.folder / "out/04").passed());
  one.request.options["clusters"] = "3";
  test::expect_error(ErrorCode::usage, {"--resume", "clusters"}, [&] { path(one.request); });
}

TEST(Path, AStoppedPathKeepsThePointsBefore) {
  Ssvd one;
  std::atomic<bool> stop{false};
  one.request.stop = &stop;
  one.request.begin_point = [&](Index point, Index n_points) {
    EXPECT_EQ(n_points, 6);
    if (point == 2) stop = true;
  };
  const PathOutcome outcome = path(one.request);
  EXPECT_FALSE(outcome.is_complete);
  EXPECT_EQ(outcome.table.rows(), 2);
  EXPECT_TRUE(fs::exists(one.folder / "out/01/result.json"));
  EXPECT_FALSE(fs::exists(one.folder / "out/02"));
  EXPECT_EQ(TemporaryFolder::read(one.folder / "out/path.tsv"), outcome.table.tsv());
  stop = false;
  one.request.begin_point = {};
  one.request.resume = true;
  one.request.options["time-limit"] = "0";  // limits may differ, and this one is over at once
  EXPECT_EQ(path(one.request).n_kept, 2);
  one.request.options.erase("time-limit");
  EXPECT_TRUE(path(one.request).is_complete);
}

TEST(Path, InMemoryItIsTheSame) {
  Ssvd one;
  const PathOutcome stored = path(one.request);
  const auto before = one.folder.content();
  std::vector<Result> results;
  const auto keep = [&](Index point, const Result& result) {
    EXPECT_EQ(point, std::ssize(results));
    results.push_back(result);
  };
  PathRequest memory = one.request;
  memory.input = {};
  memory.data = read_dataset(one.request.input);
  memory.truth = {.labels = {numbers_of(one.folder / "data/truth/rows.txt")}};
  memory.output = "";
  memory.done = keep;
  memory.report = [](const Dataset&, const Result&) -> std::string {
    throw Error(ErrorCode::internal, "", "no page is wanted");
  };
  const PathOutcome outcome = path(memory);
  EXPECT_TRUE(outcome.is_complete && outcome.remarks.empty());
  EXPECT_EQ(lasting_cells(outcome.table), lasting_cells(stored.table));
  EXPECT_EQ(one.folder.content(), before);
  ASSERT_EQ(results.size(), 6u);
  const auto expect_stored = [&](const std::string& folder) {
    for (std::size_t point = 0; point < 6; ++point) {
      const Result same =
          read_result(one.folder / (folder + "/0" + std::to_string(point))).json.result;
      EXPECT_EQ(test::bits_of(results[point].matrix("u").values()),
                test::bits_of(same.matrix("u").values()));
      ASSERT_EQ(results[point].scores.size(), same.scores.size());
      EXPECT_EQ(results[point].scores[1].value, same.scores[1].value);
    }
  };
  expect_stored("out");
  // Written all the same, and taken up again with the points that are there.
  memory.output = one.folder / "written";
  memory.report = {};
  results.clear();
  path(memory);
  EXPECT_EQ(read_result(one.folder / "written/03").json.reading.files,
            std::vector<std::string>{one.folder / "data/data.npy"});
  EXPECT_TRUE(verify_directory(one.folder / "written/03").passed());
  fs::remove_all(one.folder / "written/02");
  memory.resume = true;
  results.clear();
  EXPECT_EQ(path(memory).n_kept, 5);
  ASSERT_EQ(results.size(), 6u);
  expect_stored("written");
  memory.truth.labels[0][0] += 1;
  test::expect_error(ErrorCode::usage, {"--resume", "truth"}, [&] { path(memory); });
  memory.output = "";
  test::expect_error(ErrorCode::usage, {"--resume", "output"}, [&] { path(memory); });
}

TEST(Path, InMemoryItStopsAndSaysWhatIsWrong) {
  Ssvd one;
  one.request.data = read_dataset(one.request.input);
  one.request.input = {};
  one.request.output = "";
  std::atomic<bool> stop{false};
  one.request.stop = &stop;
  Index n_done = 0;
  one.request.done = [&](Index point, const Result&) {
    ++n_done;
    if (point == 1) stop = true;
  };
  const PathOutcome outcome = path(one.request);
  EXPECT_FALSE(outcome.is_complete);
  EXPECT_EQ(outcome.table.rows(), 2);
  EXPECT_EQ(n_done, 2);
  stop = false;
  one.request.done = [](Index, const Result&) { throw std::runtime_error("enough"); };
  EXPECT_THROW(path(one.request), std::runtime_error);
  one.request.done = {};
  one.request.truth = {.labels = {{0, 1}}};
  const PathOutcome unscored = path(one.request);
  ASSERT_EQ(unscored.remarks.size(), 6u);
  EXPECT_NE(unscored.remarks[0].find("truth: has 2 labels"), std::string::npos);
  one.request.memory_limit_bytes = 1000.0;
  test::expect_error(ErrorCode::memory, {"memory"}, [&] { path(one.request); });
  one.request.memory_limit_bytes = 0.0;
  one.request.options["time-limit"] = "0";
  EXPECT_FALSE(path(one.request).is_complete);
}

TEST(Path, RefusesBeforeAnythingIsTouched) {
  Ssvd one;
  using test::expect_error;
  const auto with = [&](auto change) {
    PathRequest request = one.request;
    change(request);
    path(request);
  };
  expect_error(ErrorCode::usage, {"varied twice"}, [&] {
    with([](PathRequest& r) { r.vary = {"clusters=1,2", "clusters=1,2"}; });
  });
  expect_error(ErrorCode::usage, {"--clusters", "also varied"},
               [&] { with([](PathRequest& r) { r.vary = {"clusters=1,2"}; }); });
  expect_error(ErrorCode::usage, {"points"}, [&] {
    with([](PathRequest& r) { r.vary = {"seed=0:999:1000lin", "adaptive=0:1:1000"}; });
  });
  expect_error(ErrorCode::usage, {"needed"}, [&] { with([](PathRequest& r) { r.vary.clear(); }); });
  expect_error(ErrorCode::input, {"nowhere"},
               [&] { with([](PathRequest& r) { r.truth.files = {"nowhere.txt"}; }); });
  EXPECT_FALSE(fs::exists(one.folder / "out"));
  expect_error(ErrorCode::usage, {"is not a path"}, [&] {
    with([&](PathRequest& r) {
      r.output = one.folder / "data";
      r.force = true;
    });
  });
}

}  // namespace
}  // namespace gingham
