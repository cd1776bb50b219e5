#include "gingham/io/result_directory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "gingham/base/rng.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/run.hpp"
#include "gingham/io/sink.hpp"
#include "gingham/io/whole_file.hpp"
#include "io/temporary_folder.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

// Component by component, then membership by membership, members as they come.
std::string plain_clusters(const Result& result) {
  std::string text = "component\tmode\tblock\tindex\tlabel\tvalue\n";
  for (Index k = 0; k < std::ssize(result.model.components); ++k) {
    for (const Membership& membership : result.model.memberships) {
      for (const Member& member : membership.members) {
        if (member.component != k) continue;
        text += to_text(k) + "\t" + membership.mode + "\t";
        if (membership.block) text += to_text(*membership.block);
        text += "\t" + to_text(member.item) + "\t";
        if (membership.mode == "rows") text += result.item_labels[0][0][member.item];
        text += "\t" + to_text(member.value) + "\n";
      }
    }
  }
  return text;
}

Result random_result(Index components, bool in_order, Rng& rng) {
  Result result;
  result.model.components.resize(static_cast<std::size_t>(components));
  result.item_labels = {{{"a", "b", "c", "d", "e"}, {}}};
  for (const auto& [mode, block] :
       {std::pair<std::string, std::optional<Index>>{"rows", std::nullopt}, {"columns", 2}}) {
    Membership membership{mode, block, mode == "rows" ? 5 : 7, {}};
    for (int i = 0; i < 20; ++i) {
      // Now and then of a component that is not there.
      membership.members.push_back(
          {rng.below(components + 1), rng.below(membership.n_items), rng.normal()});
    }
    const auto before = [](const Member& a, const Member& b) {
      return std::pair(a.component, a.item) < std::pair(b.component, b.item);
    };
    if (in_order) std::sort(membership.members.begin(), membership.members.end(), before);
    result.model.memberships.push_back(membership);
  }
  return result;
}

TEST(WriteClusters, ListsEveryMemberInItsPlace) {
  Rng rng(5, 0);
  for (const Index components : {0, 1, 4, 40}) {
    for (const bool in_order : {true, false}) {
      const Result result = random_result(components, in_order, rng);
      MemorySink sink;
      write_clusters(sink, result);
      EXPECT_EQ(sink.bytes(), plain_clusters(result));
    }
  }
}

TEST(WriteClusters, TakesTimeInProportionToTheMembers) {
  // 200 000 members of as many components: a pass for each would take hours.
  constexpr Index kMany = 200000;
  Result result;
  result.model.components.resize(kMany);
  Membership membership{"rows", std::nullopt, kMany, {}};
  for (Index i = 0; i < kMany; ++i) membership.members.push_back({i, kMany - 1 - i, 1.0});
  result.model.memberships.push_back(membership);
  MemorySink clusters, labels;
  write_clusters(clusters, result);
  write_labels(labels, membership);
  EXPECT_EQ(std::count(clusters.bytes().begin(), clusters.bytes().end(), '\n'), kMany + 1);
  EXPECT_TRUE(labels.bytes().starts_with("199999\n199998\n"));
  EXPECT_TRUE(labels.bytes().ends_with("\n1\n0\n"));
}

TEST(ReadClusters, FindsWhatWasWrittenAndNamesTheLineThatDoesNotFit) {
  const TemporaryFolder folder;
  Rng rng(6, 0);
  const Result result = random_result(9, true, rng);
  MemorySink sink;
  write_clusters(sink, result);
  std::vector<Membership> memberships = result.model.memberships;
  for (Membership& membership : memberships) membership.members.clear();
  const std::string path = folder.write("clusters.tsv", sink.bytes());
  read_clusters(path, memberships);
  for (std::size_t i = 0; i < memberships.size(); ++i) {
    std::vector<Member> expected = result.model.memberships[i].members;
    std::erase_if(expected, [](const Member& one) { return one.component >= 9; });
    ASSERT_EQ(memberships[i].members.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_EQ(memberships[i].members[k].component, expected[k].component);
      EXPECT_EQ(memberships[i].members[k].item, expected[k].item);
      EXPECT_EQ(memberships[i].members[k].value, expected[k].value);
    }
  }
  const std::string header = "component\tmode\tblock\tindex\tlabel\tvalue\n";
  using test::expect_error;
  for (const auto& [text, complaint] :
       {std::pair<std::string, std::string>{"other\n", ":1: is not the header"},
        {header + "0\trows\t\t1\ta\n", ":2: 5 fields found, expected 6"},
        {header + "0\trows\t\t1\ta\t1\n0\trows\t\t5\ta\t1\n", ":3: '0"},
        {header + "0\tmode_2\t\t1\ta\t1\n", "is not a member of this result"}}) {
    folder.write("clusters.tsv", text);
    expect_error(ErrorCode::input, {path, complaint}, [&] { read_clusters(path, memberships); });
  }
}

Result fitted(const std::vector<Setting>& settings) {
  Matrix x(9, 7);
  Rng rng(3, 0);
  for (double& value : x.values()) value = rng.uniform() < 0.4 ? 0.0 : rng.uniform();
  return run("nmf", Dataset(Block("x", std::move(x))), settings);
}

const ReadingRecord kReading{"zero", "error", "automatic"};

TEST(ResultDirectory, KeepsHowOftenMembersComeBack) {
  const TemporaryFolder folder;
  const std::string out = folder / "out", file = out + "/stability.tsv";
  const Result result =
      fitted({{"rank", 3}, {"restarts", 4}, {"start", "random"}, {"max-iterations", 5}});
  ASSERT_EQ(result.stability.size(), 2u);
  write_result(out, result, kReading, false);
  EXPECT_EQ(read_result(out).json.result.stability, result.stability);
  const std::string text = read_whole_file(file);
  const std::size_t second = text.find('\n') + 1, third = text.find('\n', second) + 1;
  const auto expect_refused = [&](const std::string& changed, const std::string& complaint) {
    std::ofstream(file) << changed;
    test::expect_error(ErrorCode::input, {file, complaint}, [&] { read_result(out); });
  };
  const std::string header = text.substr(0, second);
  expect_refused("other\n" + text.substr(second), ":1: is not the header of stability.tsv");
  expect_refused(header + text.substr(third), ":2: ");  // a member is left out
  expect_refused(text + text.substr(second, third - second), "is not a member");
  expect_refused(header, "has 0 members of rows");
  for (const char* share : {"1.5", "-0.25", "nan"}) {
    std::string line = text.substr(second, third - second - 1);
    line.replace(line.rfind('\t') + 1, std::string::npos, share);
    expect_refused(header + line + "\n" + text.substr(third), ":2: ");
  }
  std::filesystem::remove(file);
  EXPECT_TRUE(read_result(out).json.result.stability.empty());
}

TEST(ResultDirectory, HasNoStabilityOfOneRestart) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  write_result(out, fitted({{"rank", 3}, {"restarts", 1}}), kReading, false);
  EXPECT_FALSE(std::filesystem::exists(out + "/stability.tsv"));
  EXPECT_TRUE(read_result(out).json.result.stability.empty());
}

TEST(ResultDirectory, KeepsWhatIsExplainedOfEachBlock) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  Result result = fitted({{"rank", 2}, {"restarts", 1}});
  write_result(out, result, kReading, false);
  EXPECT_EQ(read_whole_file(out + "/result.json").find("explained_blocks"), std::string::npos);
  result.model.components[1].block_explained = {0.25, 1.0 / 3.0, 0.0};
  write_result(out, result, kReading, true);
  const std::vector<Component> components = read_result(out).json.result.model.components;
  EXPECT_TRUE(components[0].block_explained.empty());
  EXPECT_EQ(components[1].block_explained, result.model.components[1].block_explained);
}

TEST(ResultDirectory, KeepsWhatWasNotMeasuredApartFromWhatWas) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  Result result = fitted({{"rank", 2}, {"restarts", 1}});
  const double nan = std::nan("");
  result.model.explained = 0.75;
  result.model.components[0].level = 3.5;
  result.trace = {{0, 1, 2.0, nan, 0.5, 0.1}, {0, 2, 1.0, 1e-7, nan, 0.2}};
  result.iterations = 2;
  result.status = Status::finished;
  write_result(out, result, kReading, false);
  const Result back = read_result(out).json.result;
  EXPECT_EQ(back.status, Status::finished);
  EXPECT_EQ(back.model.explained, 0.75);
  EXPECT_EQ(back.model.components[0].level, 3.5);
  EXPECT_TRUE(std::isnan(back.model.components[1].level));
  ASSERT_EQ(back.trace.size(), 2u);
  EXPECT_TRUE(std::isnan(back.trace[0].gap));
  EXPECT_EQ(back.trace[0].moved, 0.5);
  EXPECT_EQ(back.trace[1].gap, 1e-7);
  EXPECT_TRUE(std::isnan(back.trace[1].moved));
  const std::string text = read_whole_file(out + "/result.json");
  EXPECT_NE(text.find("\"gap\": null"), std::string::npos);
  result.model.explained = nan;
  write_result(out, result, kReading, true);
  EXPECT_TRUE(std::isnan(read_result(out).json.result.model.explained));
}

TEST(ResultDirectory, SeesWhereParametersAreNotWhatWasRequested) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const Result result = fitted({{"rank", 2}, {"restarts", 1}});
  const std::string text = to_json(result, kReading);
  EXPECT_TRUE(from_json(text, "x").changed_parameters.empty());
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"restarts\": 1", "\"restarts\": 2"}, {"\"seed\": 0", "\"seed\": 1"}}) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    EXPECT_FALSE(from_json(changed, "x").changed_parameters.empty()) << from;
  }
}

TEST(ResultDirectory, GivesTheNamesOfItemsBack) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  Result result = fitted({{"rank", 2}, {"restarts", 1}});
  const Labels rows{"1", "2", "3", "4", "5", "6", "7", "", "9\t\n9"};
  const Labels shown{"1", "2", "3", "4", "5", "6", "7", "", "9??9"};
  result.item_labels = {{rows, {}}};
  write_result(out, result, kReading, false);
  using All = std::vector<std::vector<Labels>>;
  EXPECT_EQ(read_result(out).json.result.item_labels, (All{{shown, {}}}));
  result.inputs.push_back({"y", {2, 1, 3}, 0, 0, ""});
  result.item_labels.push_back({{"a", "b"}, {}, {"x", "y", "z"}});
  write_result(out, result, kReading, true);
  EXPECT_EQ(read_result(out).json.result.item_labels,
            (All{{shown, {}}, {{"a", "b"}, {}, {"x", "y", "z"}}}));
  EXPECT_EQ(read_whole_file(out + "/names/mode_2_1.txt"), "x\ny\nz\n");
  std::ofstream(out + "/names/mode_2_1.txt") << "x\ny\n";  // not as many as items: names of nothing
  std::filesystem::remove(out + "/names/rows_0.txt");
  EXPECT_EQ(read_result(out).json.result.item_labels, (All{{{}, {}}, {{"a", "b"}, {}, {}}}));
}

}  // namespace
}  // namespace gingham
