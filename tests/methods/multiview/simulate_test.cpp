#include "gingham/methods/multiview/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "support/arrays.hpp"

namespace gingham {
namespace {

using methods::multiview::simulator;
using test::bits_of;
using test::expect_error;
using Given = std::vector<std::pair<std::string, std::string>>;

Simulation study(const Given& given = {}, std::uint64_t seed = 0) {
  Options options(simulator().options);
  for (const auto& [name, text] : given) options.set(name, text);
  return simulator().make(options, Rng::named(seed, "test"));
}

const Matrix& view(const Simulation& made, Index k) { return *made.blocks[k].dense_matrix(); }

// Labels of the rows, of the markers, of the features.
std::vector<Index> labels(const Simulation& made, Index which) {
  return strongest(made.memberships[which]);
}

const Matrix& truth(const Simulation& made, const std::string& name) {
  for (const NamedArray& array : made.truth) {
    if (array.name == name) return std::get<Matrix>(array.values);
  }
  throw Error(ErrorCode::internal, "", "no truth " + name);
}

double share_of(const Matrix& x, Index column, double least,
                const std::function<bool(Index)>& which) {
  double count = 0.0, all = 0.0;
  for (Index i = 0; i < x.rows(); ++i) {
    if (!which(i)) continue;
    all += 1.0;
    count += x(i, column) >= least ? 1.0 : 0.0;
  }
  return count / all;
}

double correlation(const Matrix& x, Index a, Index b) {
  const auto n = static_cast<double>(x.rows());
  double sa = 0.0, sb = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
  for (Index i = 0; i < x.rows(); ++i) {
    sa += x(i, a);
    sb += x(i, b);
    aa += x(i, a) * x(i, a);
    bb += x(i, b) * x(i, b);
    ab += x(i, a) * x(i, b);
  }
  return (ab - sa * sb / n) / std::sqrt((aa - sa * sa / n) * (bb - sb * sb / n));
}

TEST(MultiviewStudy, HasThePapersSizes) {
  double first = 0.0, second = 0.0;
  constexpr int kSeeds = 10;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Simulation made = study({}, seed);
    ASSERT_EQ(made.blocks.size(), 2u);
    EXPECT_EQ(made.blocks[0].shape(), (Shape{1092, 1000}));
    EXPECT_EQ(made.blocks[1].shape(), (Shape{1092, 10}));
    first += static_cast<double>(size_of(made.memberships[0], 0)) / kSeeds;
    second += static_cast<double>(size_of(made.memberships[0], 1)) / kSeeds;
    for (Index c = 0; c < 2; ++c) {
      EXPECT_EQ(size_of(made.memberships[1], c), 10);
      EXPECT_EQ(size_of(made.memberships[2], c), 3);
    }
  }
  EXPECT_NEAR(first, 247.0, 15.0);  // three standard errors
  EXPECT_NEAR(second, 167.0, 12.0);
}

TEST(MultiviewStudy, SharesAreWhatWasAskedForWhateverTheLinkage) {
  for (const char* linkage : {"0.9", "1"}) {
    const Simulation made = study({{"subjects", "20000"},
                                   {"markers", "40"},
                                   {"linkage", linkage},
                                   {"background", "0.1"},
                                   {"shares", "0.3,20%,0.1"}});
    const std::vector<double> wanted{0.3, 0.2, 0.1};
    for (Index c = 0; c < 3; ++c) {
      EXPECT_NEAR(static_cast<double>(size_of(made.memberships[0], c)) / 20000.0, wanted[c], 0.011);
    }
  }
}

TEST(MultiviewStudy, TheMarkersTellTheClusters) {
  const Simulation made = study({}, 3);
  const Matrix& x = view(made, 0);
  const std::vector<Index> rows = labels(made, 0), markers = labels(made, 1);
  for (Index i = 0; i < x.rows(); ++i) {
    std::vector<Index> counts(2);
    for (Index j = 0; j < x.cols(); ++j) {
      EXPECT_TRUE(x(i, j) == 0.0 || x(i, j) == 1.0 || x(i, j) == 2.0);
      if (markers[j] >= 0 && x(i, j) > 0.0) ++counts[markers[j]];
    }
    EXPECT_EQ(rows[i], counts[0] > 8 ? 0 : counts[1] > 8 ? 1 : -1);
    for (Index c = 0; c < 2; ++c)
      EXPECT_EQ(truth(made, "variants")(i, c), static_cast<double>(counts[c]));
  }
}

TEST(MultiviewStudy, RiskMarkersAreLinkedOthersLittle) {
  const Simulation made = study({{"subjects", "4000"}, {"markers", "60"}, {"block-linkage", "0"}});
  const std::vector<Index> markers = labels(made, 1);
  for (Index a = 0; a < 60; ++a) {
    for (Index b = 0; b < a; ++b) {
      const double r = correlation(view(made, 0), a, b);
      const bool together = markers[a] >= 0 && markers[a] == markers[b];
      EXPECT_TRUE(together ? r > 0.2 : std::abs(r) < 0.09) << r;
    }
  }
}

TEST(MultiviewStudy, BlocksOfOtherMarkersAreLinkedAsAskedFor) {
  const Simulation made = study({{"subjects", "4000"},
                                 {"markers", "18"},
                                 {"risk-markers", "2"},
                                 {"over", "1"},
                                 {"shares", "0.2"},
                                 {"block", "4"},
                                 {"block-linkage", "1"}});
  std::vector<Index> others;
  for (Index j = 0; j < 18; ++j) {
    if (labels(made, 1)[j] < 0) others.push_back(j);
  }
  for (std::size_t a = 0; a < others.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      // Frequencies 0.05 and 0.5 of one uniform number: the least correlation there can be is 0.23.
      const double r = correlation(view(made, 0), others[a], others[b]);
      EXPECT_TRUE(a / 4 == b / 4 ? r > 0.15 : std::abs(r) < 0.09) << r;
    }
  }
}

TEST(MultiviewStudy, OtherMarkersAreAsCommonAsRealOnes) {
  const Simulation made = study({{"subjects", "2000"}, {"markers", "400"}});
  const std::vector<Index> markers = labels(made, 1);
  double rare = 0.0, others = 0.0;
  for (Index j = 0; j < 400; ++j) {
    if (markers[j] >= 0) continue;
    double sum = 0.0;
    for (Index i = 0; i < 2000; ++i) sum += view(made, 0)(i, j) / 4000.0;
    EXPECT_GT(sum, 0.03);
    EXPECT_LT(sum, 0.55);
    others += 1.0;
    rare += sum < std::sqrt(0.05 * 0.5) ? 1.0 : 0.0;
  }
  EXPECT_NEAR(rare / others, 0.5, 0.1);
}

TEST(MultiviewStudy, SignsFollowTheVariants) {
  const Simulation made = study({{"subjects", "20000"}, {"markers", "20"}, {"e", "0.6"}});
  const Matrix &variants = truth(made, "variants"), &signs = truth(made, "signs");
  for (const double r : {4.0, 9.0, 10.0}) {
    const double found = share_of(signs, 0, 1.0, [&](Index i) { return variants(i, 0) == r; });
    const double expected = 0.5 * std::erfc(-0.6 * (r - 7.5) / std::sqrt(2.0));
    EXPECT_NEAR(found, expected, 0.04);
  }
}

TEST(MultiviewStudy, FeaturesFollowSignsAndDecoys) {
  const Simulation made =
      study({{"subjects", "20000"}, {"markers", "20"}, {"other-features", "2"}});
  const Matrix &x = view(made, 1), &signs = truth(made, "signs"), &decoys = truth(made, "decoys");
  ASSERT_EQ(x.cols(), 12);
  const std::vector<double> own{0.6, 0.5, 0.4, 0.6, 0.5, 0.4, 0.6, 0.5, 0.6, 0.5};
  for (Index j = 0; j < 12; ++j) {
    const auto has = [&](Index i) {
      return j < 6 ? signs(i, j / 3) > 0.0 : j < 10 && decoys(i, (j - 6) / 2) > 0.0;
    };
    if (j < 10) {
      EXPECT_NEAR(share_of(x, j, 1.0, has), own[j], 0.04);
    }
    EXPECT_NEAR(share_of(x, j, 1.0, [&](Index i) { return !has(i); }), 0.1, 0.015);
  }
  for (Index d = 0; d < 2; ++d)
    EXPECT_EQ(share_of(decoys, d, 1.0, [](Index) { return true; }), 3664.0 / 20000.0);
}

TEST(MultiviewStudy, NeitherENorWhatIsMissingChangesWhatIsPlanted) {
  const Simulation plain = study({{"subjects", "100"}, {"markers", "50"}});
  const Simulation noisy = study({{"subjects", "100"}, {"markers", "50"}, {"e", "0.4"}});
  const Simulation holed =
      study({{"subjects", "100"}, {"markers", "50"}, {"missing", "0.2"}, {"missing-views", "0.5"}});
  EXPECT_EQ(bits_of(view(plain, 0).values()), bits_of(view(noisy, 0).values()));
  EXPECT_EQ(bits_of(truth(plain, "decoys").values()), bits_of(truth(noisy, "decoys").values()));
  for (Index k = 0; k < 2; ++k) {
    const Matrix &whole = view(plain, k), &left = view(holed, k);
    for (Index at = 0; at < whole.rows() * whole.cols(); ++at) {
      if (std::isnan(left.data()[at])) continue;
      EXPECT_EQ(left.data()[at], whole.data()[at]);
    }
    EXPECT_EQ(labels(plain, k), labels(noisy, k));
    EXPECT_EQ(labels(plain, k), labels(holed, k));
  }
}

TEST(MultiviewStudy, ASubjectMissesOneViewAtMost) {
  const Simulation made =
      study({{"subjects", "2000"}, {"markers", "20"}, {"missing-views", "0.3"}});
  const auto misses = [&](Index k, Index i) {
    Index count = 0;
    for (Index j = 0; j < view(made, k).cols(); ++j)
      count += std::isnan(view(made, k)(i, j)) ? 1 : 0;
    EXPECT_TRUE(count == 0 || count == view(made, k).cols());
    return count > 0;
  };
  Index incomplete = 0;
  for (Index i = 0; i < 2000; ++i) {
    const bool first = misses(0, i), second = misses(1, i);
    EXPECT_FALSE(first && second);
    incomplete += first || second ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(incomplete) / 2000.0, 0.3, 0.035);
  const Simulation cells = study({{"missing", "0.1"}});
  EXPECT_NEAR(static_cast<double>(cells.blocks[0].summary().missing) / 1092000.0, 0.1, 0.002);
}

TEST(MultiviewStudy, TheSameSeedGivesTheSameData) {
  const Given small{{"subjects", "60"}, {"markers", "40"}, {"missing", "0.1"}};
  const Simulation one = study(small, 5), same = study(small, 5), other = study(small, 6);
  for (Index k = 0; k < 2; ++k)
    EXPECT_EQ(bits_of(view(one, k).values()), bits_of(view(same, k).values()));
  EXPECT_NE(bits_of(view(one, 0).values()), bits_of(view(other, 0).values()));
}

TEST(MultiviewStudy, TakesTheSmallestSizes) {
  const Simulation made = study({{"subjects", "1"},
                                 {"markers", "1"},
                                 {"risk-markers", "1"},
                                 {"over", "0"},
                                 {"shares", "50%"},
                                 {"decoys", "0"}});
  EXPECT_EQ(made.blocks[0].shape(), (Shape{1, 1}));
  EXPECT_EQ(made.blocks[1].shape(), (Shape{1, 3}));
}

TEST(MultiviewStudy, RefusesWhatCannotBe) {
  expect_error(ErrorCode::usage, {"--over"}, [] { study({{"over", "10"}}); });
  expect_error(ErrorCode::usage, {"--risk-markers"}, [] { study({{"markers", "19"}}); });
  expect_error(ErrorCode::usage, {"--linkage"}, [] { study({{"linkage", "0.1"}}); });
  expect_error(ErrorCode::usage, {"--shares"}, [] { study({{"shares", "0.6,0.4"}}); });
  expect_error(ErrorCode::usage, {"--shares"}, [] { study({{"shares", "0"}}); });
  expect_error(ErrorCode::usage, {"--shares"}, [] {
    study({{"shares", "0.9"}, {"linkage", "0.5"}});
  });
}

TEST(MultiviewStudy, NamesChangeNothingElse) {
  const Simulation plain = study({{"other-features", "30"}}),
                   made = study({{"other-features", "30"}, {"names", "yes"}});
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_EQ(made.blocks[b].digest(), plain.blocks[b].digest());
    EXPECT_EQ(made.blocks[b].labels(0), made.blocks[0].labels(0));
    for (Index mode = 0; mode < 2; ++mode) {
      const Labels& names = made.blocks[b].labels(mode);
      EXPECT_EQ(std::ssize(names), made.blocks[b].shape()[mode]);
      EXPECT_EQ((std::set<std::string>(names.begin(), names.end()).size()), names.size());
    }
  }
}

}  // namespace
}  // namespace gingham
