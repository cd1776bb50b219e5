#include "gingham/tools/path.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/fake_method.hpp"
#include "gingham/io/write.hpp"
#include "gingham/tools/simulate.hpp"
#include "gingham/tools/verify.hpp"
#include "io/temporary_folder.hpp"
#include "tools/table_access.hpp"

namespace gingham {
namespace {

namespace fs = std::filesystem;

using testing::column;

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
