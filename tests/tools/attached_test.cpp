// Files of options on their way to a method: compare and path, on a method made up here.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/fake_method.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/engine/run.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/io/write.hpp"
#include "gingham/tools/compare.hpp"
#include "gingham/tools/path.hpp"
#include "gingham/tools/transform.hpp"
#include "gingham/tools/verify.hpp"
#include "io/temporary_folder.hpp"
#include "tools/table_access.hpp"

namespace gingham {
namespace {

using test::expect_error;
using test::FakeMethod;
using testing::column;

// Its objective is the number of lines.
class Counting {
 public:
  Counting() {
    info_.name = "counting";
    info_.traits.accepts_sparse = true;
    info_.options = {lines_option("groups", "Groups of rows."),
                     real_option("step", "1", 0, 9, "A number.")};
    info_.make = [this](const Options& options) {
      const auto n = static_cast<double>(options.lines("groups").size());
      plan_.objective = [n](const test::At&) { return n; };
      return std::make_unique<FakeMethod>(plan_);
    };
    info_.check = [](const Dataset& data, const Options& options) {
      if (std::ssize(options.lines("groups")) == data.block(0).shape()[0]) return;
      throw Error(ErrorCode::input, "--groups", "one line per row is needed");
    };
  }
  const MethodInfo& info() const { return info_; }

 private:
  test::Plan plan_;
  MethodInfo info_;
};

struct Files {
  TemporaryFolder folder;
  std::string x = folder.write("x.csv", "1,2\n3,4\n5,6\n");
  std::string groups = folder.write("groups.txt", "a\n\nb\n");
  std::string few = folder.write("few.txt", "a\n");
};

TEST(AttachedFiles, ReachEveryEntryOfAComparison) {
  const Files files;
  const Counting method;
  CompareRequest request{
      .methods = parse_method_list(
          "counting:groups=" + files.groups + ",counting:groups=" + files.few, {method.info()}),
      .input = {.files = {files.x}},
      .output = files.folder / "out"};
  for (MethodChoice& choice : request.methods) choice.info = &method.info();
  const CompareOutcome outcome = compare(request);
  EXPECT_EQ(column(outcome.table, "objective", 0), "3");
  EXPECT_EQ(column(outcome.table, "options", 0), "groups=" + files.groups);
  EXPECT_EQ(column(outcome.table, "status", 1), "refused");
  EXPECT_NE(column(outcome.table, "message", 1).find("one line per row"), std::string::npos);
  const std::string record = TemporaryFolder::read(files.folder / "out/compare.json");
  EXPECT_NE(record.find("groups_digest"), std::string::npos);
  request.methods.resize(1);
  request.methods[0].settings = {{"groups", files.folder / "none.txt"}};
  request.output = files.folder / "other";
  expect_error(ErrorCode::input, {"--groups", "none.txt"}, [&] { compare(request); });
  request.methods[0].settings.clear();
  request.options = {{"groups", files.groups}};  // for all of them
  EXPECT_EQ(column(compare(request).table, "objective", 0), "3");
}

TEST(AttachedFiles, ReachEveryPointOfAPathAndMustBeTheSameToGoOn) {
  const Files files;
  const Counting method;
  PathRequest request{.info = &method.info(),
                      .input = {.files = {files.x}},
                      .options = {{"groups", files.groups}},
                      .vary = {"step=1,2"},
                      .output = files.folder / "out"};
  const PathOutcome outcome = path(request);
  EXPECT_EQ(column(outcome.table, "objective", 1), "3");
  request.resume = true;
  request.options["groups"] = files.folder.write("moved.txt", "a\r\n\r\nb");
  EXPECT_NO_THROW(path(request));
  files.folder.write("moved.txt", "a\nb\nb\n");
  expect_error(ErrorCode::usage, {"--resume", "groups"}, [&] { path(request); });
  request.vary = {"groups=" + files.groups};
  expect_error(ErrorCode::usage, {"--vary", "cannot be varied"}, [&] { path(request); });
}

TEST(AttachedInMemory, ReachesEveryPointOfAPath) {
  const Files files;
  const Counting method;
  std::vector<Index> seen;
  PathRequest request{.info = &method.info(),
                      .data = Dataset(Matrix(3, 2)),
                      .contents = {{"groups", std::vector<std::string>{"a", "", "b"}}},
                      .vary = {"step=1,2"},
                      .done = [&](Index, const Result& result) {
                        seen.push_back(std::ssize(result.options.lines("groups")));
                      }};
  EXPECT_EQ(column(path(request).table, "objective", 1), "3");
  EXPECT_EQ(seen, (std::vector<Index>{3, 3}));
  const auto refused = [&](ErrorCode code, const std::vector<std::string>& parts) {
    expect_error(code, parts, [&] { path(request); });
  };
  request.contents = {{"groups", Matrix(3, 1)}};
  refused(ErrorCode::usage, {"--groups", "not a matrix"});
  request.contents = {{"groups", std::vector<std::string>{"a\nb"}}};
  refused(ErrorCode::input, {"--groups", "line 1"});
  request.contents = {{"none", std::vector<std::string>{"a"}}};
  refused(ErrorCode::usage, {"--none", "no such option"});
  request.contents = {{"groups", std::vector<std::string>{"a"}}};
  refused(ErrorCode::input, {"one line per row"});
  request.options = {{"groups", files.groups}};
  refused(ErrorCode::usage, {"--groups", "as a file and as content"});
}

TEST(AttachedInMemory, BelongsToItsEntryOfAComparison) {
  const Files files;
  const Counting method;
  const std::vector<std::string> three{"a", "", "b"}, one{"a"};
  CompareRequest request{.methods = {{.info = &method.info(), .contents = {{"groups", three}}},
                                     {.info = &method.info(), .contents = {{"groups", one}}},
                                     {.info = &method.info()}},
                         .data = Dataset(Matrix(3, 2)),
                         .options = {{"groups", files.groups}}};  // for who has none of its own
  const CompareOutcome outcome = compare(request);
  EXPECT_EQ(column(outcome.table, "objective", 0), "3");
  EXPECT_EQ(column(outcome.table, "options", 0), "groups=<3 lines>");
  EXPECT_EQ(column(outcome.table, "status", 1), "refused");
  EXPECT_EQ(column(outcome.table, "options", 2), "groups=" + files.groups);
  EXPECT_EQ(column(outcome.table, "objective", 2), "3");
  request.methods[0].settings = {{"groups", files.groups}};
  expect_error(ErrorCode::usage, {"--groups", "as a file and as content"},
               [&] { compare(request); });
}

TEST(AttachedInMemory, APathGoesOnWithTheSameContentOnly) {
  const TemporaryFolder folder;
  const std::vector<std::string> groups{"a", "a", "b", "b"};
  Matrix x(6, 4);
  Rng rng(4, 0);
  for (double& value : x.values()) value = rng.uniform();
  Index n_lines = 0;
  PathRequest request{.info = &find_method("groupnmf"),
                      .data = Dataset(std::move(x)),
                      .options = {{"rank", "2"}},
                      .contents = {{"groups", groups}},
                      .vary = {"beta=0.1,0.2"},
                      .output = folder / "out",
                      .done = [&](Index, const Result& result) {
                        n_lines += std::ssize(result.options.lines("groups"));
                      }};
  path(request);
  request.resume = true;
  EXPECT_EQ(path(request).n_kept, 2);
  EXPECT_EQ(n_lines, 16);
  request.contents["groups"] = std::vector<std::string>{"a", "a", "b", "c"};
  expect_error(ErrorCode::usage, {"--resume", "groups"}, [&] { path(request); });
}

// Fitted in memory, stored, and looked at as a file of the data and a directory.
void expect_complete(const std::string& method, const Options& options, const std::string& file) {
  const TemporaryFolder folder;
  Matrix x(12, 8);
  Rng rng(3, 0);
  for (double& value : x.values()) value = rng.uniform();
  write_block(Block("x", x), folder / "x.npy");
  const Dataset data(Block(folder / "x.npy", std::move(x)));
  const Result result = run(find_method(method), data, options);
  ReadingRecord reading = record_of(DataFiles{.files = {folder / "x.npy"}});
  write_result(folder / "fit", result, reading, false);
  ASSERT_TRUE(std::filesystem::exists(folder / ("fit/attached/" + file)));
  const Verification seen = verify_directory(folder / "fit");
  EXPECT_TRUE(seen.passed()) << seen.differences.front();
  reading.files = {folder / "x.npy"};
  const TransformOutcome applied =
      transform({.result = folder / "fit", .reading = reading, .output = folder / "new"});
  EXPECT_EQ(applied.found.terms.objective(),
            apply_fit(result, {data.block(0)}, {}).found.terms.objective());
  std::filesystem::remove(folder / ("fit/attached/" + file));
  expect_error(ErrorCode::input, {file, "--attached"}, [&] { verify_directory(folder / "fit"); });
}

TEST(AttachedInMemory, AStoredResultHasAllThatItNeeds) {
  Options grouped = find_method("groupnmf").make_options();
  grouped.set("rank", "2");
  grouped.attach("groups", {"a", "a,b ", "", "b", "b", "a", "a", "c"});
  expect_complete("groupnmf", grouped, "groups.txt");
  Options started = find_method("dictionary").make_options();
  Matrix atoms(8, 3);
  for (Index i = 0; i < 8; ++i) atoms(i, i % 3) = 1.0;
  started.set("atoms", "3");
  started.attach_matrix("init", std::move(atoms));
  expect_complete("dictionary", started, "init.npy");
}

}  // namespace
}  // namespace gingham
