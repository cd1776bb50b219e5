#include "gingham/methods/evolving/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/arrays.hpp"

namespace gingham {
namespace {

using methods::evolving::group_simulator;
using methods::evolving::simulator;
using test::bits_of;
using test::expect_error;
using Given = std::vector<std::pair<std::string, std::string>>;

Simulation simulate_with(const Simulator& simulator, const Given& given, std::uint64_t seed = 0) {
  Options options(simulator.options);
  for (const auto& [name, text] : given) options.set(name, text);
  return simulator.make(options, Rng::named(seed, "test"));
}

Simulation brain(const Given& given = {}, std::uint64_t seed = 0) {
  return simulate_with(simulator(), given, seed);
}

Simulation groups(const Given& given = {}, std::uint64_t seed = 0) {
  return simulate_with(group_simulator(), given, seed);
}

const Membership& membership(const Simulation& made, const std::string& key) {
  for (const Membership& one : made.memberships) {
    if (one.key() == key) return one;
  }
  throw Error(ErrorCode::internal, "", "no membership " + key);
}

std::vector<Index> labels(const Simulation& made, const std::string& key) {
  return strongest(membership(made, key));
}

const Given kSmall = {{"ages", "3"},   {"voxels", "20"}, {"growth", "2"},
                      {"genes", "30"}, {"regions", "3"}, {"programme", "6"}};

Given small_and(const Given& more) {
  Given all = kSmall;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(EvolvingBrain, HasUnregisteredVoxelsAndSharedGenes) {
  const Simulation made = brain();
  ASSERT_EQ(made.blocks.size(), 7u);
  std::set<Index> sizes;
  for (Index i = 0; i < 7; ++i) {
    const Block& block = made.blocks[i];
    EXPECT_EQ(block.shape()[1], 900);
    sizes.insert(block.shape()[0]);
    EXPECT_EQ(membership(made, "rows_" + std::to_string(i)).n_items, block.shape()[0]);
    EXPECT_EQ(membership(made, "columns_" + std::to_string(i)).n_items, 900);
  }
  EXPECT_EQ(sizes.size(), 7u);
  EXPECT_EQ(made.blocks.front().shape()[0], 100);
  EXPECT_EQ(made.blocks.back().shape()[0], 300);
}

TEST(EvolvingBrain, EveryVoxelHasARegionAndEveryRegionAVoxel) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Simulation made = brain({{"voxels", "6"}, {"growth", "1"}}, seed);
    for (Index i = 0; i < 7; ++i) {
      std::vector<Index> regions = labels(made, "rows_" + std::to_string(i));
      std::sort(regions.begin(), regions.end());
      EXPECT_EQ(regions, (std::vector<Index>{0, 1, 2, 3, 4, 5}));
    }
  }
}

TEST(EvolvingBrain, ProgrammesKeepTheirGenes) {
  const Simulation made = brain(kSmall);
  const auto genes = [&](Index age) {
    std::set<std::pair<Index, Index>> pairs;
    for (const Member& member : membership(made, "columns_" + std::to_string(age)).members)
      pairs.insert({member.component, member.item});
    return pairs;
  };
  EXPECT_EQ(genes(0).size(), 18u);
  EXPECT_EQ(genes(1), genes(0));
  EXPECT_EQ(genes(2), genes(0));
}

// Without noise a cell is depth * (background b_j + strength * level * p), so what is planted can
// be read off: cells outside the programme repeat from voxel to voxel, cells inside stand above.
TEST(EvolvingBrain, WithoutNoiseTheLabelsExplainEveryCell) {
  const Simulation made = brain(small_and({{"noise", "0"}, {"level", "1"}}));
  for (Index i = 0; i < 3; ++i) {
    const Matrix& x = *made.blocks[i].dense_matrix();
    const std::vector<Index> regions = labels(made, "rows_" + std::to_string(i));
    Matrix programme(30, 3);
    for (const Member& member : membership(made, "columns_" + std::to_string(i)).members)
      programme(member.item, member.component) = member.value;
    const double depth = std::get<std::vector<double>>(made.truth[0].values)[i];
    const double strength = std::get<std::vector<double>>(made.truth[1].values)[i];
    EXPECT_GE(strength, 0.3);
    EXPECT_LE(strength, 1.0);
    for (Index j = 0; j < 30; ++j) {
      std::vector<double> base;
      for (Index v = 0; v < x.rows(); ++v)
        base.push_back(x(v, j) / depth - strength * programme(j, regions[v]));
      for (const double one : base) EXPECT_NEAR(one, base[0], 1e-12);
      EXPECT_GT(base[0], 0.0);
    }
  }
}

TEST(EvolvingBrain, AGainScalesWholeVoxels) {
  const Simulation plain = brain(small_and({{"noise", "0"}}));
  const Simulation scaled = brain(small_and({{"noise", "0"}, {"gain", "0.7"}}));
  const Matrix &x = *plain.blocks[0].dense_matrix(), &y = *scaled.blocks[0].dense_matrix();
  // Programmes and regions are drawn before the gains, the background after them.
  EXPECT_EQ(labels(plain, "rows_0"), labels(scaled, "rows_0"));
  std::set<double> gains;
  for (Index v = 0; v < y.rows(); ++v) {
    const Index other = (v + 1) % y.rows();
    if (labels(scaled, "rows_0")[v] != labels(scaled, "rows_0")[other]) continue;
    const double ratio = y(v, 0) / y(other, 0);
    gains.insert(ratio);
    for (Index j = 1; j < y.cols(); ++j) EXPECT_NEAR(y(v, j) / y(other, j), ratio, 1e-12 * ratio);
  }
  EXPECT_EQ(x.rows(), y.rows());
  EXPECT_GT(gains.size(), 1u);
}

TEST(EvolvingBrain, MeanAndVarianceAreAsPromised) {
  // One gene, one region, nothing that varies from voxel to voxel but the noise.
  const Given given = {{"ages", "1"},    {"voxels", "40000"}, {"genes", "1"},
                       {"regions", "1"}, {"programme", "1"},  {"noise", "0.5"}};
  for (const std::string counts : {"no", "yes"}) {
    Given exact = given, noisy = given;
    exact.back().second = "0";
    noisy.push_back({"counts", counts});
    const double unit = counts == "yes" ? 0.5 : 1.0;
    const Simulation made = brain(noisy);
    const double mean = (*brain(exact).blocks[0].dense_matrix())(0, 0);
    double sum = 0.0, squares = 0.0;
    for_each_entry(made.blocks[0], [&](std::span<const Index>, double x) {
      sum += x * unit;
      squares += x * unit * x * unit;
    });
    const double found = sum / 40000.0;
    EXPECT_NEAR(found, mean, 5.0 * std::sqrt(0.5 * mean / 40000.0)) << counts;
    EXPECT_NEAR(squares / 40000.0 - found * found, 0.5 * mean, 0.05 * mean) << counts;
  }
}

TEST(EvolvingBrain, SumsArePositiveWhateverTheSeed) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const Block& block : brain(kSmall, seed).blocks) {
      const Matrix& x = *block.dense_matrix();
      std::vector<double> columns(30, 0.0);
      for (Index v = 0; v < x.rows(); ++v) {
        double row = 0.0;
        for (Index j = 0; j < 30; ++j) {
          EXPECT_GE(x(v, j), 0.0);
          row += x(v, j);
          columns[j] += x(v, j);
        }
        EXPECT_GT(row, 0.0);
      }
      for (const double column : columns) EXPECT_GT(column, 0.0);
    }
  }
}

TEST(EvolvingBrain, CountsAreSparseWholeNumbers) {
  const Simulation made = brain({{"counts", "yes"}});
  for (const Block& block : made.blocks) {
    ASSERT_NE(block.sparse_matrix(), nullptr);
    EXPECT_LT(block.sparse_matrix()->entries(), block.shape()[0] * block.shape()[1] / 3);
    for (const double value : block.sparse_matrix()->values()) {
      EXPECT_GE(value, 1.0);
      EXPECT_EQ(value, std::round(value));
    }
  }
}

TEST(EvolvingBrain, NoiseAndMissingCellsLeaveThePlantedAlone) {
  const Simulation plain = brain(kSmall);
  const Simulation noisy = brain(small_and({{"noise", "3"}}));
  const Simulation holes = brain(small_and({{"missing", "0.3"}}));
  for (Index i = 0; i < 3; ++i) {
    for (const std::string mode : {"rows_", "columns_"}) {
      const std::string key = mode + std::to_string(i);
      EXPECT_EQ(labels(plain, key), labels(noisy, key));
      EXPECT_EQ(labels(plain, key), labels(holes, key));
    }
    const Matrix& x = *plain.blocks[i].dense_matrix();
    const Matrix& y = *holes.blocks[i].dense_matrix();
    for (Index cell = 0; cell < x.size(); ++cell) {
      const double seen = y.values()[cell];
      EXPECT_TRUE(std::isnan(seen) || seen == x.values()[cell]);
    }
    const auto missing = static_cast<double>(holes.blocks[i].summary().missing);
    EXPECT_NEAR(missing / static_cast<double>(x.size()), 0.3, 0.1);
  }
}

TEST(EvolvingBrain, CountsMayHaveHolesToo) {
  const Simulation made = brain(small_and({{"counts", "yes"}, {"missing", "0.2"}}));
  for (const Block& block : made.blocks) EXPECT_TRUE(block.is_sparse() && block.has_missing());
}

TEST(EvolvingBrain, TheSameSeedGivesTheSameBits) {
  for (const std::string counts : {"no", "yes"}) {
    const Given given = small_and({{"counts", counts}, {"missing", "0.1"}});
    const Simulation first = brain(given, 4), again = brain(given, 4), other = brain(given, 5);
    for (std::size_t i = 0; i < first.blocks.size(); ++i) {
      EXPECT_EQ(first.blocks[i].digest(), again.blocks[i].digest());
      EXPECT_NE(first.blocks[i].digest(), other.blocks[i].digest());
    }
    EXPECT_EQ(bits_of(std::get<std::vector<double>>(first.truth[0].values)),
              bits_of(std::get<std::vector<double>>(again.truth[0].values)));
  }
}

TEST(EvolvingBrain, OptionsWorkAtTheirLimits) {
  const std::vector<Given> limits = {
      {{"ages", "1"}, {"voxels", "1"}, {"genes", "1"}, {"regions", "1"}, {"programme", "1"}},
      small_and({{"weakest", "0"}, {"background", "0"}}),
      small_and({{"weakest", "1"}, {"drift", "0"}, {"programme", "30"}}),
      small_and({{"drift", "1"}, {"level", "1e100"}}),
      small_and({{"level", "0"}}),
      small_and({{"noise", "1e100"}}),
      small_and({{"noise", "1e-300"}}),
      small_and({{"missing", "0.99"}, {"growth", "1"}}),
      small_and({{"counts", "yes"}, {"level", "0"}, {"background", "0"}})};
  for (const Given& given : limits) {
    const Simulation made = brain(given);
    EXPECT_FALSE(made.blocks.empty());
    for (const Block& block : made.blocks) EXPECT_GE(block.summary().nonzeros, 0);
  }
}

TEST(EvolvingBrain, RefusesWhatDoesNotFit) {
  const auto refused = [](const Given& given, const std::vector<std::string>& parts) {
    expect_error(ErrorCode::usage, parts, [&] { brain(given); });
  };
  refused({{"voxels", "5"}, {"regions", "6"}}, {"--regions", "--voxels"});
  refused({{"genes", "29"}}, {"--programme", "--genes"});
  refused({{"counts", "yes"}, {"noise", "0"}}, {"--counts", "--noise"});
  refused({{"counts", "yes"}, {"level", "1e9"}}, {"--counts", "--noise"});
  refused({{"ages", "0"}}, {"ages"});
  refused({{"missing", "1"}}, {"missing"});
  refused({{"growth", "0.5"}}, {"growth"});
}

TEST(EvolvingGroups, PersistGrowAppearAndVanish) {
  const Simulation made = groups();
  ASSERT_EQ(made.blocks.size(), 8u);
  std::vector<std::set<Index>> before(4);
  for (Index i = 0; i < 8; ++i) {
    EXPECT_EQ(made.blocks[i].shape(), (Shape{200, 120}));
    const Membership& rows = membership(made, "rows_" + std::to_string(i));
    const Membership& columns = membership(made, "columns_" + std::to_string(i));
    EXPECT_EQ(size_of(rows, 0), 24);
    EXPECT_EQ(size_of(rows, 1), 3 * (i + 1));
    EXPECT_EQ(size_of(rows, 2), i < 4 ? 0 : 24);
    EXPECT_EQ(size_of(rows, 3), i < 4 ? 24 : 0);
    for (Index g = 0; g < 4; ++g) EXPECT_EQ(size_of(columns, g), size_of(rows, g) > 0 ? 12 : 0);
    std::vector<std::set<Index>> now(4);
    for (const Member& member : rows.members) now[member.component].insert(member.item);
    if (i > 0) {
      EXPECT_EQ(now[0], before[0]);
      EXPECT_TRUE(std::includes(now[1].begin(), now[1].end(), before[1].begin(), before[1].end()));
    }
    before = now;
  }
}

TEST(EvolvingGroups, WithoutNoiseTheLabelsExplainEveryCell) {
  const Simulation made = groups({{"noise", "0"}, {"level", "3"}});
  for (Index i = 0; i < 8; ++i) {
    const Matrix& x = *made.blocks[i].dense_matrix();
    const std::vector<Index> rows = labels(made, "rows_" + std::to_string(i));
    const std::vector<Index> columns = labels(made, "columns_" + std::to_string(i));
    for (Index r = 0; r < x.rows(); ++r) {
      for (Index j = 0; j < x.cols(); ++j)
        EXPECT_EQ(std::abs(x(r, j)), rows[r] >= 0 && rows[r] == columns[j] ? 3.0 : 0.0);
    }
  }
}

TEST(EvolvingGroups, TheSameSeedGivesTheSameBits) {
  const Given given = {{"missing", "0.2"}, {"times", "3"}};
  const Simulation first = groups(given, 4), again = groups(given, 4), other = groups(given, 5);
  for (std::size_t i = 0; i < first.blocks.size(); ++i) {
    EXPECT_TRUE(first.blocks[i].has_missing());
    EXPECT_EQ(first.blocks[i].digest(), again.blocks[i].digest());
    EXPECT_NE(first.blocks[i].digest(), other.blocks[i].digest());
  }
}

// Names are all different, tell regions apart, and change nothing that is measured.
TEST(EvolvingBrain, NamesAgesVoxelsAndGenes) {
  for (const std::string ages : {"3", "12"}) {
    const Given given = {{"ages", ages}, {"voxels", "20"}, {"genes", "2000"}, {"regions", "9"}};
    Given named = given;
    named.emplace_back("names", "yes");
    const Simulation plain = brain(given), made = brain(named);
    std::string before;
    for (std::size_t i = 0; i < made.blocks.size(); ++i) {
      const Block& block = made.blocks[i];
      EXPECT_EQ(block.digest(), plain.blocks[i].digest());
      EXPECT_LT(before, block.name()) << "in alphabetical order";
      before = block.name();
      for (Index mode = 0; mode < 2; ++mode) {
        EXPECT_TRUE(plain.blocks[i].labels(mode).empty());
        const Labels& names = block.labels(mode);
        EXPECT_EQ((std::set<std::string>(names.begin(), names.end()).size()), names.size());
      }
      EXPECT_EQ(block.labels(1), made.blocks[0].labels(1));
      std::set<std::pair<Index, std::string>> regions;
      const std::vector<Index> of = labels(made, "rows_" + std::to_string(i));
      for (std::size_t v = 0; v < of.size(); ++v)
        regions.emplace(of[v], block.labels(0)[v].substr(block.labels(0)[v].find('(')));
      EXPECT_EQ(regions.size(), 9u);
    }
  }
}

TEST(EvolvingGroups, TakesNoGroupsAndASingleTime) {
  const Given none = {{"persist", "0"}, {"grow", "0"}, {"appear", "0"}, {"vanish", "0"}};
  for (const Membership& one : groups(none).memberships) EXPECT_TRUE(one.members.empty());
  const Simulation once = groups({{"times", "1"}, {"appear", "0"}, {"vanish", "0"}});
  EXPECT_EQ(size_of(membership(once, "rows_0"), 1), 24);
}

TEST(EvolvingGroups, RefusesWhatDoesNotFit) {
  const auto refused = [](const Given& given, const std::vector<std::string>& parts) {
    expect_error(ErrorCode::usage, parts, [&] { groups(given); });
  };
  refused({{"rows", "95"}}, {"do not fit", "group-rows"});
  refused({{"persist", "8"}}, {"do not fit", "group-columns"});
  refused({{"times", "1"}}, {"--times", "--appear 0"});
  refused({{"persist", "-1"}}, {"persist"});
}

}  // namespace
}  // namespace gingham
