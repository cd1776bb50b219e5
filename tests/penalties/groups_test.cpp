#include "gingham/penalties/groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

using Text = std::vector<std::string>;
using Indices = std::vector<Index>;

Groups groups_of(const Text& lines) {
  return Groups::from_lines(lines, std::ssize(lines), "g.txt", "column");
}
Indices members(const Groups& groups, std::string_view name) {
  const auto found = groups.members(groups.find(name));
  return {found.begin(), found.end()};
}
template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Groups, ReadsNamesAndTrees) {
  const Groups g = groups_of({"b", "", " a , b ", "t/x", "t/y\tb", "t / x", "b,b"});
  EXPECT_EQ(g.names(), (Text{"b", "a", "t", "t/x", "t/y"}));
  EXPECT_EQ(members(g, "b"), (Indices{0, 2, 4, 6}));
  EXPECT_EQ(members(g, "a"), (Indices{2}));
  EXPECT_EQ(members(g, "t"), (Indices{3, 4, 5}));
  EXPECT_EQ(members(g, "t/x"), (Indices{3, 5}));
  EXPECT_EQ(g.items_in_no_group(), (Indices{1}));
  EXPECT_EQ(g.find("c"), -1);
  EXPECT_FALSE(g.is_disjoint());
  EXPECT_FALSE(g.is_laminar());  // b and t share one item
  ASSERT_EQ(g.connected_sets().size(), 1u);
  EXPECT_EQ(g.connected_sets()[0].items, (Indices{0, 2, 3, 4, 5, 6}));
  EXPECT_EQ(g.connected_sets()[0].groups, (Indices{0, 1, 2, 3, 4}));
  EXPECT_EQ(g.items_of(Indices{1, 3}), (Indices{2, 3, 5}));
  EXPECT_EQ(groups_of({}).count(), 0);
  EXPECT_TRUE(groups_of({"", ""}).is_disjoint());
}

TEST(Groups, SaysWhatIsWrongAndWhere) {
  const auto error = [](const Text& lines) { return message_of([&] { groups_of(lines); }); };
  EXPECT_EQ(error({"a", "a,,b"}), "g.txt:2: a name is empty");
  EXPECT_EQ(error({"a//b"}), "g.txt:1: a name is empty");
  EXPECT_EQ(error({"/a"}), "g.txt:1: a name is empty");
  EXPECT_EQ(error({"a,"}), "g.txt:1: a name is empty");
  EXPECT_EQ(error({"a", "b", "\xff"}), "g.txt:3: not valid UTF-8");
  EXPECT_EQ(message_of([] {
              Groups::from_lines(Text{"a", "b"}, 3, "g.txt", "column");
            }),
            "g.txt: 2 lines found, expected 3, one per column");
}

TEST(Groups, ReadsWeightsAndFreeGroups) {
  const Groups g = groups_of({"a", "b c", "t/x"});
  EXPECT_EQ(parse_group_weights(g, Text{"b c  0.5", "", "t/x\t2 "}, "w"),
            (std::vector<double>{1, 0.5, 1, 2}));
  EXPECT_EQ(parse_group_names(g, "t/x, a,a", "--free"), (Indices{0, 3}));
  EXPECT_EQ(parse_group_names(g, "", "--free"), (Indices{}));
  const auto error = [&](const Text& lines) {
    return message_of([&] { parse_group_weights(g, lines, "w"); });
  };
  EXPECT_EQ(error({"a 1", "z 2"}), "w:2: there is no group 'z'; there are a, b c, t, t/x");
  EXPECT_EQ(error({"a"}), "w:1: 'a' found, expected a name and a factor");
  EXPECT_EQ(error({"a -1"}), "w:1: '-1' found, expected a factor that is 0 or more");
  EXPECT_EQ(error({"a nan"}), "w:1: 'nan' found, expected a factor that is 0 or more");
  EXPECT_EQ(error({"a inf"}), "w:1: 'inf' found, expected a factor that is 0 or more");
  EXPECT_EQ(error({"a 1", "a 1"}), "w:2: group 'a' has a factor already");
  EXPECT_EQ(message_of([&] { parse_group_names(g, "a,zz", "--free"); }),
            "--free: there is no group 'zz'; there are a, b c, t, t/x");
  Text many;
  for (int i = 0; i < 12; ++i) many.push_back("g" + std::to_string(i));
  EXPECT_EQ(message_of([&] { parse_group_names(groups_of(many), "x", "--free"); }),
            "--free: there is no group 'x'; there are g0, g1, g2, g3, g4, g5, g6, g7, g8, g9 and 2 "
            "more");
}

TEST(Groups, PutsItemsThatMissTheSameIntoOneClass) {
  const Groups g = groups_of({"a", "b", "c"});
  const MissingClasses m =
      parse_missing_groups(g, Text{"a,b", "", "b\ta", "c", "", "b,a,b"}, 6, "m", "row");
  EXPECT_EQ(m.class_of, (Indices{0, 1, 0, 2, 1, 0}));
  EXPECT_EQ(m.missing, (std::vector<Indices>{{0, 1}, {}, {2}}));
  EXPECT_EQ(message_of([&] { parse_missing_groups(g, Text{"a"}, 2, "m", "row"); }),
            "m: 1 lines found, expected 2, one per row");
  EXPECT_EQ(message_of([&] {
              parse_missing_groups(g, Text{"", "d"}, 2, "m", "row");
            }),
            "m:2: there is no group 'd'; there are a, b, c");
}

// Structure by comparing all pairs.
TEST(Groups, StructureAgreesWithAllPairs) {
  Rng rng = Rng::named(1, "groups");
  int laminar = 0, disjoint = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Text lines(static_cast<std::size_t>(1 + rng.below(6)));
    for (std::string& line : lines) {
      for (Index n = rng.below(trial % 2 == 0 ? 3 : 2); n > 0; --n) {
        line += (line.empty() ? "" : ",") + std::string(1, static_cast<char>('a' + rng.below(4)));
        for (Index depth = rng.below(3); depth > 0; --depth) {
          line += "/" + std::string(1, static_cast<char>('x' + rng.below(2)));
        }
      }
    }
    const Groups g = groups_of(lines);
    bool is_laminar = true, is_disjoint = true;
    std::vector<std::set<Index>> linked(static_cast<std::size_t>(g.count()));
    for (Index a = 0; a < g.count(); ++a) {
      for (Index b = 0; b < g.count(); ++b) {
        Indices shared;
        std::ranges::set_intersection(g.members(a), g.members(b), std::back_inserter(shared));
        if (!shared.empty()) linked[a].insert(b);
        if (a == b || shared.empty()) continue;
        is_disjoint = false;
        is_laminar &= shared.size() == std::min(g.members(a).size(), g.members(b).size());
      }
    }
    for (int pass = 0; pass < 10; ++pass) {  // neighbours of neighbours, until nothing is new
      for (std::set<Index>& own : linked) {
        for (const Index b : std::set<Index>(own)) own.insert(linked[b].begin(), linked[b].end());
      }
    }
    ASSERT_EQ(g.is_laminar(), is_laminar) << trial;
    ASSERT_EQ(g.is_disjoint(), is_disjoint) << trial;
    laminar += is_laminar && !is_disjoint;
    disjoint += is_disjoint;
    std::size_t n_items = g.items_in_no_group().size(), n_groups = 0;
    for (const ConnectedSet& set : g.connected_sets()) {
      ASSERT_EQ(set.groups, Indices(linked[set.groups[0]].begin(), linked[set.groups[0]].end()));
      ASSERT_EQ(set.items, g.items_of(set.groups));
      n_items += set.items.size();
      n_groups += set.groups.size();
    }
    ASSERT_EQ(n_items, lines.size());
    ASSERT_EQ(n_groups, g.names().size());
  }
  EXPECT_GT(laminar, 100);
  EXPECT_GT(disjoint, 100);
}

}  // namespace
}  // namespace gingham
