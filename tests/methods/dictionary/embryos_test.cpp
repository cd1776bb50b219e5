#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "gingham/methods/dictionary/embryo_patterns.hpp"
#include "gingham/methods/dictionary/simulate_embryos.hpp"

namespace gingham::methods::dictionary {
namespace {

Simulation simulated(const std::map<std::string, std::string>& given, std::uint64_t seed = 1) {
  const Simulator simulator = embryo_simulator();
  Options options(simulator.options);
  for (const auto& [name, text] : given) options.set(name, text);
  return simulator.make(options, Rng::named(seed, "embryos"));
}

std::vector<std::string> fields(const std::string& line, char delimiter) {
  std::vector<std::string> found;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, delimiter);) found.push_back(field);
  return found;
}

TEST(Embryos, TheTableNamesEveryPictureAndOneBagHasOneSetOfTerms) {
  const Simulation made = simulated({{"bags", "60"}});
  ASSERT_EQ(made.lines.size(), 1u);
  EXPECT_EQ(made.lines[0].file(), "bags.tsv");
  const std::vector<std::string>& lines = made.lines[0].lines;
  EXPECT_EQ(lines[0], "image\tbag\tterms");
  ASSERT_EQ(std::ssize(lines), made.images.count + 1);
  std::map<std::string, std::string> terms;
  for (Index i = 0; i < made.images.count; ++i) {
    const std::vector<std::string> row = fields(lines[static_cast<std::size_t>(i) + 1], '\t');
    ASSERT_EQ(row.size(), 3u);
    EXPECT_EQ(row[0], "images/" + made.images.make(i).name + ".bmp");
    EXPECT_EQ(terms.try_emplace(row[1], row[2]).first->second, row[2]);
  }
  EXPECT_EQ(terms.size(), 60u);
}

TEST(Embryos, EveryTermOfABagShowsInOneOfItsPicturesAndNoOtherDoes) {
  const Simulation made = simulated({{"bags", "150"}, {"shown", "0.3"}});
  std::vector<Index> bag_of;  // per picture
  std::map<std::string, Index> numbers;
  for (std::size_t i = 1; i < made.lines[0].lines.size(); ++i) {
    const std::string bag = fields(made.lines[0].lines[i], '\t')[1];
    bag_of.push_back(numbers.try_emplace(bag, std::ssize(numbers)).first->second);
  }
  std::set<std::pair<Index, Index>> planted, shown;
  for (const Member& member : made.memberships[0].members)
    planted.emplace(member.item, member.component);
  for (const Member& member : made.memberships[1].members)
    shown.emplace(bag_of[static_cast<std::size_t>(member.item)], member.component);
  EXPECT_EQ(planted, shown);
  EXPECT_LT(made.memberships[1].members.size(),
            planted.size() * bag_of.size() / numbers.size());  // not in every picture
}

TEST(Embryos, TermsGetRarer) {
  const Simulation made = simulated({{"bags", "4000"}});
  const Membership& bags = made.memberships[0];
  std::vector<double> expected;
  double none = 1.0, total = 0.0;
  for (std::size_t t = 0; t < all_patterns().size(); ++t) {
    expected.push_back(0.45 * std::pow(0.85, static_cast<double>(t)));
    none *= 1.0 - expected.back();
    total += expected.back();
  }
  for (std::size_t t = 0; t < expected.size(); ++t) {
    const double share = static_cast<double>(size_of(bags, static_cast<Index>(t))) / 4000.0;
    const double wanted = expected[t] * (1.0 + none / total);  // a bag without terms gets one
    EXPECT_NEAR(share, wanted, 5.0 * std::sqrt(wanted / 4000.0)) << t;
  }
}

TEST(Embryos, APictureDependsOnItsNumberAlone) {
  const Simulation made = simulated({{"bags", "5"}}), again = simulated({{"bags", "5"}});
  const Index last = made.images.count - 1;
  again.images.make(0);
  EXPECT_EQ(made.images.make(last).image.pixels, again.images.make(last).image.pixels);
  const Simulation other = simulated({{"bags", "5"}}, 2);
  EXPECT_NE(made.images.make(0).image.pixels, other.images.make(0).image.pixels);
}

TEST(Embryos, PatternsAreSharesAndStainSomewhereButNotEverywhere) {
  Rng rng(1, 2);
  for (const Pattern& pattern : all_patterns()) {
    for (int round = 0; round < 20; ++round) {
      const Variant variant = draw_variant(rng);
      double least = 1.0, most = 0.0;
      for (double u = -0.995; u < 1.0; u += 0.01) {
        for (double angle = 0.01; angle < 3.14; angle += 0.02) {
          const double stain = pattern.stain(u, angle, variant);
          ASSERT_TRUE(stain >= 0.0 && stain <= 1.0) << pattern.term;
          least = std::min(least, stain);
          most = std::max(most, stain);
        }
      }
      EXPECT_LT(least, 0.01) << pattern.term;
      EXPECT_GT(most, 0.4) << pattern.term;
    }
  }
}

TEST(Embryos, SmallAndSinglePicturesCanBeMade) {
  const Simulation made = simulated({{"bags", "1"},
                                     {"images-per-bag", "1"},
                                     {"terms", "1"},
                                     {"height", "16"},
                                     {"width", "16"},
                                     {"noise", "0"}});
  ASSERT_EQ(made.images.count, 1);
  const NamedImage one = made.images.make(0);
  EXPECT_EQ(one.name, "gene_0_0");
  EXPECT_EQ(std::ssize(one.image.pixels), 256);
  EXPECT_THROW(simulated({{"height", "99999"}, {"width", "99999"}}), Error);
}

}  // namespace
}  // namespace gingham::methods::dictionary
