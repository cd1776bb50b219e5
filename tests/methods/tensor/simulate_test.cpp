#include "gingham/methods/tensor/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "gingham/methods/tensor/simulate_emails.hpp"
#include "gingham/methods/tensor/simulate_organisation.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using methods::tensor::email_simulator;
using methods::tensor::organisation_simulator;
using methods::tensor::simulator;
using test::expect_error;
using Given = std::vector<std::pair<std::string, std::string>>;

Simulation simulate_with(const Simulator& simulator, const Given& given, std::uint64_t seed) {
  Options options(simulator.options);
  for (const auto& [name, text] : given) options.set(name, text);
  return simulator.make(options, Rng::named(seed, "test"));
}

Simulation blocks(const Given& given = {}, std::uint64_t seed = 0) {
  return simulate_with(simulator(), given, seed);
}

Simulation emails(const Given& given = {}, std::uint64_t seed = 0) {
  return simulate_with(email_simulator(), given, seed);
}

Simulation organisation(const Given& given = {}, std::uint64_t seed = 0) {
  return simulate_with(organisation_simulator(), given, seed);
}

std::vector<Index> items_of(const Simulation& made, Index mode, Index block) {
  std::vector<Index> items;
  for (const Member& member : made.memberships[mode].members) {
    if (member.component == block) items.push_back(member.item);
  }
  return items;
}

double value_in(const Simulation& made, Index mode, Index item, Index block) {
  for (const Member& member : made.memberships[mode].members) {
    if (member.component == block && member.item == item) return member.value;
  }
  return 0.0;
}

// What the truth says a cell holds.
double planted(const Simulation& made, std::span<const Index> cell) {
  const auto& levels = std::get<std::vector<double>>(made.truth[0].values);
  double sum = 0.0;
  for (Index k = 0; k < std::ssize(levels); ++k) {
    double value = levels[k];
    for (Index n = 0; n < std::ssize(made.memberships); ++n) value *= value_in(made, n, cell[n], k);
    sum += value;
  }
  return sum;
}

TEST(TensorSimulator, IsThePapersArrayByDefault) {
  const Simulation made = blocks({{"noise", "none"}});
  const Tensor& x = *made.blocks[0].dense_tensor();
  ASSERT_EQ(x.shape(), (Shape{80, 80, 8}));
  const auto within = [](Index i, Index first, Index last) { return i >= first && i <= last; };
  for (Index i = 1; i <= 80; ++i) {
    for (Index j = 1; j <= 80; ++j) {
      for (Index t = 1; t <= 8; ++t) {
        double expected = 0.0;
        if (within(i, 20, 24) && within(j, 20, 24) && within(t, 1, 3)) expected += 4.0;
        if (within(i, 40, 44) && within(j, 70, 74) && within(t, 2, 5)) expected += 2.0;
        if (within(i, 37, 41) && within(j, 73, 77) && within(t, 4, 8)) expected += 4.0;
        EXPECT_EQ(x.data()[((i - 1) * 80 + j - 1) * 8 + t - 1], expected);
      }
    }
  }
  EXPECT_EQ(made.memberships[2].mode, "mode_2");
  EXPECT_EQ(items_of(made, 0, 2), (std::vector<Index>{36, 37, 38, 39, 40}));
  EXPECT_EQ(std::get<std::vector<double>>(made.truth[0].values), (std::vector<double>{4, 2, 4}));
}

TEST(TensorSimulator, ATenthOfTheCellsHasNoiseOfUnitVariance) {
  const Simulation exact = blocks({{"noise", "none"}}), noisy = blocks();
  const Tensor &x = *exact.blocks[0].dense_tensor(), &y = *noisy.blocks[0].dense_tensor();
  double hit = 0.0, sum = 0.0, squares = 0.0;
  for (Index cell = 0; cell < x.size(); ++cell) {
    const double noise = y.data()[cell] - x.data()[cell];
    hit += noise != 0.0;
    sum += noise;
    squares += noise * noise;
  }
  const double expected = 0.1 * static_cast<double>(x.size());
  EXPECT_NEAR(hit, expected, 5.0 * std::sqrt(0.9 * expected));
  EXPECT_NEAR(sum / hit, 0.0, 5.0 / std::sqrt(hit));
  EXPECT_NEAR(squares / hit, 1.0, 5.0 * std::sqrt(2.0 / hit));
}

TEST(TensorSimulator, DenseNoiseHasItsLevelEverywhere) {
  const Simulation made = blocks({{"clusters", "0"}, {"noise", "dense"}, {"noise-level", "0.5"}});
  double squares = 0.0;
  const Tensor& x = *made.blocks[0].dense_tensor();
  for (const double value : x.values()) {
    EXPECT_NE(value, 0.0);
    squares += value * value;
  }
  const auto n = static_cast<double>(x.size());
  EXPECT_NEAR(squares / n, 0.25, 5.0 * 0.25 * std::sqrt(2.0 / n));
}

TEST(TensorSimulator, CountsHaveThePlantedMean) {
  const Simulation made = blocks({{"noise", "poisson"}});
  const Tensor& x = *made.blocks[0].dense_tensor();
  std::array<double, 2> sums{}, means{};
  for_each_entry(made.blocks[0], [&](std::span<const Index> cell, double value) {
    EXPECT_TRUE(value >= 0.0 && value == std::round(value));
    const double mean = planted(made, cell);
    sums[mean > 0.0] += value;
    means[mean > 0.0] += mean + 0.1;
  });
  EXPECT_EQ(x.size(), 51200);
  for (const int side : {0, 1}) EXPECT_NEAR(sums[side], means[side], 5.0 * std::sqrt(means[side]));
}

TEST(TensorSimulator, OutliersComeOnTopOfTheSparseNoise) {
  const Simulation plain = blocks(), made = blocks({{"noise", "outliers"}, {"outliers", "7"}});
  const Tensor &x = *plain.blocks[0].dense_tensor(), &y = *made.blocks[0].dense_tensor();
  Index differ = 0;
  for (Index cell = 0; cell < x.size(); ++cell) {
    if (x.data()[cell] == y.data()[cell]) continue;
    EXPECT_EQ(y.data()[cell], 20.0);
    ++differ;
  }
  EXPECT_EQ(differ, 7);
}

TEST(TensorSimulator, WithoutNoiseTheTruthExplainsEveryCellInAnyNumberOfModes) {
  const std::vector<Given> cases = {
      {{"size", "30,20"}, {"clusters", "2"}, {"overlap", "0.4"}},
      {{"size", "12,14,9"}, {"block", "4,3,6"}, {"signed", "yes"}, {"overlap", "0.5"}},
      {{"size", "9,8,7,6"}, {"block", "2"}, {"clusters", "4"}},
      {{"size", "5,6,7,4,16"}, {"block", "3"}, {"signed", "yes"}, {"clusters", "5"}},
      {{"place", "random"}, {"level", "2.5"}},
      {{"signed", "yes"}}};
  for (const Given& given : cases) {
    Given exact = given;
    exact.push_back({"noise", "none"});
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const Simulation made = blocks(exact, seed);
      Index cells_planted = 0;
      for_each_entry(made.blocks[0], [&](std::span<const Index> cell, double value) {
        EXPECT_EQ(value, planted(made, cell));
        cells_planted += value != 0.0;
      });
      EXPECT_GT(cells_planted, 0);
    }
  }
}

TEST(TensorSimulator, BlocksShareCellsOnlyWhereTheyAreToldTo) {
  const auto shared = [](const Simulation& made, Index mode) {
    const std::vector<Index> a = items_of(made, mode, 0), b = items_of(made, mode, 1);
    std::vector<Index> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return std::ssize(both);
  };
  const Simulation apart = blocks({{"size", "40,40,6"}, {"clusters", "8"}, {"noise", "none"}});
  for (const double value : apart.blocks[0].dense_tensor()->values())
    EXPECT_TRUE(value == 0.0 || value == 4.0);
  const Simulation near = blocks({{"size", "40,40,40"}, {"overlap", "0.4"}});
  for (Index mode = 0; mode < 3; ++mode) {
    EXPECT_EQ(shared(apart, mode) > 0, mode == 2);
    EXPECT_EQ(shared(near, mode), 2);
  }
}

TEST(TensorSimulator, SignedBlocksGoDownInEveryModeButTheLast) {
  const Simulation made = blocks({{"signed", "yes"}});
  EXPECT_EQ(value_in(made, 0, 19, 0), 1.0);
  EXPECT_EQ(value_in(made, 0, 20, 0), -1.0);
  EXPECT_EQ(value_in(made, 1, 70, 1), -1.0);
  for (const Member& member : made.memberships[2].members) EXPECT_EQ(member.value, 1.0);
}

TEST(TensorSimulator, FlattenedIsTheAbsoluteSumOverTime) {
  const Simulation whole = blocks(), flat = blocks({{"flatten", "yes"}});
  const Tensor& x = *whole.blocks[0].dense_tensor();
  const Matrix& y = *flat.blocks[0].dense_matrix();
  ASSERT_EQ(flat.blocks[0].shape(), (Shape{80, 80}));
  for (Index cell = 0; cell < y.size(); ++cell) {
    double sum = 0.0;
    for (Index t = 0; t < 8; ++t) sum += x.data()[cell * 8 + t];
    EXPECT_NEAR(y.values()[cell], std::abs(sum), 1e-12);
  }
  ASSERT_EQ(flat.memberships.size(), 2u);
  EXPECT_EQ(flat.memberships[0].mode, "rows");
  EXPECT_EQ(flat.memberships[1].mode, "columns");
  EXPECT_EQ(items_of(flat, 1, 2), items_of(whole, 1, 2));
}

TEST(TensorSimulator, SparseStorageHoldsTheSameValues) {
  for (const std::string size : {"30,20", "12,11,10", "6,5,4,3"}) {
    const Given given = {{"size", size}, {"missing", "0.2"}, {"block", "2"}};
    Given sparse = given;
    sparse.push_back({"sparse", "yes"});
    const Simulation a = blocks(given), b = blocks(sparse);
    ASSERT_TRUE(b.blocks[0].is_sparse());
    EXPECT_EQ(b.blocks[0].summary().missing, a.blocks[0].summary().missing);
    EXPECT_EQ(b.blocks[0].summary().nonzeros, a.blocks[0].summary().nonzeros);
    std::map<std::vector<Index>, double> listed;
    for_each_entry(b.blocks[0], [&](std::span<const Index> cell, double value) {
      listed[{cell.begin(), cell.end()}] = value;
    });
    for_each_entry(a.blocks[0], [&](std::span<const Index> cell, double value) {
      const auto found = listed.find({cell.begin(), cell.end()});
      if (value == 0.0) {
        EXPECT_EQ(found, listed.end());
      } else {
        ASSERT_NE(found, listed.end());
        EXPECT_TRUE(found->second == value || (std::isnan(found->second) && std::isnan(value)));
      }
    });
  }
}

TEST(TensorSimulator, NoiseAndMissingCellsLeaveThePlantedAlone) {
  const Given given = {{"place", "random"}};
  const Simulation plain = blocks(given);
  for (const Given& more : {Given{{"noise", "dense"}}, Given{{"missing", "0.4"}},
                            Given{{"noise", "poisson"}, {"missing", "0.1"}}}) {
    Given both = given;
    both.insert(both.end(), more.begin(), more.end());
    const Simulation other = blocks(both);
    for (Index mode = 0; mode < 3; ++mode) {
      for (Index k = 0; k < 3; ++k) EXPECT_EQ(items_of(plain, mode, k), items_of(other, mode, k));
    }
  }
  const auto missing =
      static_cast<double>(blocks({{"missing", "0.4"}}).blocks[0].summary().missing);
  EXPECT_NEAR(missing / 51200.0, 0.4, 5.0 * std::sqrt(0.24 / 51200.0));
}

TEST(TensorSimulator, TheSameSeedGivesTheSameBits) {
  for (const std::string noise : {"sparse", "dense", "poisson", "outliers"}) {
    const Given given = {{"noise", noise}, {"place", "random"}, {"missing", "0.1"}};
    const std::string first = blocks(given, 4).blocks[0].digest();
    EXPECT_EQ(first, blocks(given, 4).blocks[0].digest());
    EXPECT_NE(first, blocks(given, 5).blocks[0].digest());
  }
}

TEST(TensorSimulator, RefusesWhatMakesNoSense) {
  const auto refused = [](const Given& given, const std::vector<std::string>& parts) {
    expect_error(ErrorCode::usage, parts, [&] { blocks(given); });
  };
  refused({{"size", "80"}}, {"--size", "2 to 5"});
  refused({{"size", "2,2,2,2,2,2"}}, {"--size", "2 to 5"});
  refused({{"size", "80,0,8"}}, {"--size", "80,0,8"});
  refused({{"size", "80,80,"}}, {"--size"});
  refused({{"size", "80x80"}}, {"--size", "80x80"});
  refused({{"size", "20,20,20"}, {"block", "2,3"}}, {"--block", "3 modes"});
  refused({{"size", "20,20,20"}, {"clusters", "5"}}, {"do not fit", "--overlap"});
  refused({{"size", "40,40,8"}, {"place", "paper"}}, {"--place", "80 x 80 x 8"});
  refused({{"signed", "yes"}, {"noise", "poisson"}}, {"--noise"});
  refused({{"size", "9,9"}, {"block", "2"}, {"flatten", "yes"}}, {"--flatten"});
  refused({{"size", "3,3"}, {"block", "1"}, {"noise", "outliers"}}, {"--outliers"});
}

TEST(EmailSimulator, CliquesWriteToEachOtherInTheirMonths) {
  const Simulation made =
      emails({{"people", "60"}, {"entries", "0"}, {"level", "40"}, {"cliques", "3"}});
  const Block& block = made.blocks[0];
  EXPECT_EQ(block.shape(), (Shape{60, 60, 44}));
  EXPECT_EQ(block.summary().nonzeros, 3 * 10 * 10 * 8);
  for_each_entry(block, [&](std::span<const Index> cell, double value) {
    EXPECT_EQ(planted(made, cell), 40.0);
    EXPECT_EQ(value, std::round(value));
  });
  EXPECT_NEAR(block.summary().sum, 2400.0 * 40.0, 5.0 * std::sqrt(2400.0 * 40.0));
  for (Index k = 0; k < 3; ++k) {
    EXPECT_EQ(items_of(made, 0, k), items_of(made, 1, k));
    const std::vector<Index> months = items_of(made, 2, k);
    EXPECT_EQ(months.back() - months.front(), 7);
  }
}

TEST(EmailSimulator, MayHaveMoreCliquesThanPeopleToThemselves) {
  const Simulation made = emails({{"people", "25"}, {"cliques", "9"}, {"entries", "0"}});
  for (Index k = 0; k < 9; ++k) {
    const std::vector<Index> people = items_of(made, 0, k);
    EXPECT_EQ((std::set<Index>(people.begin(), people.end()).size()), 10u);
  }
}

TEST(EmailSimulator, AFewPeopleAndMonthsAreBusy) {
  const Simulation made = emails({{"cliques", "0"}, {"entries", "200000"}, {"people", "1000"}});
  const Summary& summary = made.blocks[0].summary();
  EXPECT_LE(summary.nonzeros, 200000);
  EXPECT_GT(summary.nonzeros, 100000);
  std::vector<double> senders(1000), months(44);
  for_each_entry(made.blocks[0], [&](std::span<const Index> cell, double) {
    senders[cell[0]] += 1.0;
    months[cell[2]] += 1.0;
  });
  std::sort(senders.rbegin(), senders.rend());
  std::sort(months.rbegin(), months.rend());
  EXPECT_GT(senders[0], 10.0 * senders[500]);
  EXPECT_GT(months[1], 3.0 * months[2]);
}

TEST(EmailSimulator, DrawsPeopleInProportionToTheirActivity) {
  const Simulation made = emails({{"cliques", "0"},
                                  {"entries", "100000"},
                                  {"people", "4"},
                                  {"months", "1000"},
                                  {"activity", "1"}});
  // E-mails, not cells, which fill up: the mean number per draw is the same for everybody.
  std::vector<double> senders(4);
  for_each_entry(made.blocks[0], [&](std::span<const Index> cell, double x) {
    senders[cell[0]] += x / made.blocks[0].summary().sum;
  });
  std::sort(senders.rbegin(), senders.rend());
  for (Index rank = 0; rank < 4; ++rank)
    EXPECT_NEAR(senders[rank], 12.0 / 25.0 / static_cast<double>(rank + 1), 0.03);
}

TEST(EmailSimulator, LogarithmsAreOfTheSums) {
  const Simulation counts = emails(), logs = emails({{"log", "yes"}});
  const SparseTensor &x = *counts.blocks[0].sparse_tensor(), &y = *logs.blocks[0].sparse_tensor();
  ASSERT_EQ(x.entries(), y.entries());
  for (Index k = 0; k < x.entries(); ++k) EXPECT_EQ(y.values()[k], std::log2(x.values()[k]) + 1.0);
}

TEST(EmailSimulator, TheSameSeedGivesTheSameBits) {
  const std::string first = emails({}, 4).blocks[0].digest();
  EXPECT_EQ(first, emails({}, 4).blocks[0].digest());
  EXPECT_NE(first, emails({}, 5).blocks[0].digest());
}

TEST(EmailSimulator, RefusesWhatDoesNotFit) {
  expect_error(ErrorCode::usage, {"--clique-size", "--people"}, [] { emails({{"people", "9"}}); });
  expect_error(ErrorCode::usage, {"--clique-months", "--months"}, [] {
    emails({{"months", "3"}});
  });
}

TEST(EmailSimulator, TakesOnePersonInOneMonth) {
  const Simulation made =
      emails({{"people", "1"}, {"months", "1"}, {"cliques", "0"}, {"entries", "5"}});
  EXPECT_EQ(made.blocks[0].summary().nonzeros, 1);
}

TEST(OrganisationSimulator, DepartmentsWriteWhileTheirProjectLasts) {
  for (const std::uint64_t seed : {0, 1, 2}) {
    const Simulation made = organisation({{"entries", "0"}, {"level", "40"}}, seed);
    const Block& block = made.blocks[0];
    EXPECT_EQ(block.shape(), (Shape{150, 150, 24}));
    Index cells = 0;
    std::set<Index> people;
    for (Index d = 0; d < 5; ++d) {
      const std::vector<Index> members = items_of(made, 0, d), months = items_of(made, 2, d);
      EXPECT_EQ(members, items_of(made, 1, d));
      EXPECT_GE(std::ssize(members), 10);
      EXPECT_LE(std::ssize(members), 20);
      EXPECT_GE(std::ssize(months), 6);
      EXPECT_LE(std::ssize(months), 12);
      EXPECT_EQ(months.back() - months.front() + 1, std::ssize(months));
      cells += std::ssize(members) * std::ssize(members) * std::ssize(months);
      people.insert(members.begin(), members.end());
      // Everybody of a department, and nobody else, has its name.
      const std::string& one = block.labels(0)[members[0]];
      const std::string department = one.substr(one.find(" ("));
      Index called = 0;
      for (const std::string& label : block.labels(0)) called += label.ends_with(department);
      EXPECT_EQ(called, std::ssize(members)) << department;
      for (const Index i : members) EXPECT_TRUE(block.labels(0)[i].ends_with(department));
    }
    EXPECT_EQ(block.summary().nonzeros, cells);
    EXPECT_EQ(std::ssize(people), std::ssize(made.memberships[0].members)) << "nobody is in two";
  }
}

TEST(OrganisationSimulator, NamesAreAllDifferent) {
  const Simulation made = organisation({{"people", "4000"},
                                        {"departments", "30"},
                                        {"months", "40"},
                                        {"share", "0.1"},
                                        {"entries", "10"}});
  const Block& block = made.blocks[0];
  EXPECT_EQ(block.labels(0), block.labels(1));
  for (Index mode = 0; mode < 3; ++mode) {
    std::set<std::string> names;  // without the department
    for (const std::string& label : block.labels(mode))
      names.insert(label.substr(0, label.find(" (")));
    EXPECT_EQ(std::ssize(names), block.shape()[mode]);
  }
  EXPECT_EQ(block.labels(2).front(), "Jan 2024");
  EXPECT_EQ(block.labels(2)[13], "Feb 2025");
}

TEST(OrganisationSimulator, HolidaysAreQuiet) {
  const Simulation made = organisation({{"level", "0"}, {"entries", "100000"}});
  std::vector<double> months(24);
  for_each_entry(made.blocks[0],
                 [&](std::span<const Index> cell, double) { months[cell[2]] += 1.0; });
  for (const Index quiet : {7, 11, 19, 23}) EXPECT_LT(2.0 * months[quiet], months[0]);
}

TEST(OrganisationSimulator, TakesExtremes) {
  for (const Given& given : {Given{{"people", "1"}, {"departments", "1"}, {"months", "1"}},
                             Given{{"people", "5"}, {"share", "1"}}, Given{{"share", "0"}},
                             Given{{"people", "7"}, {"departments", "7"}, {"share", "1"}}}) {
    const Simulation made = organisation(given);
    for (Index d = 0; d < std::ssize(std::get<std::vector<double>>(made.truth[0].values)); ++d)
      EXPECT_GE(std::ssize(items_of(made, 0, d)), 1);
  }
  expect_error(ErrorCode::usage, {"--departments", "--people"}, [] {
    organisation({{"people", "4"}});
  });
}

}  // namespace
}  // namespace gingham
