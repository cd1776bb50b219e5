// What single penalties are known to do, on examples small enough to check by hand.
#include <gtest/gtest.h>

#include "penalties/all_penalties.hpp"

namespace gingham {
namespace {

using contract::prox_of;
using Values = std::vector<double>;

TEST(NonnegGroupL2, RemovesAShortVectorWhole) {
  // The positive part has length 0.5.
  EXPECT_EQ(prox_of(NonnegGroupL2{1.0}, {0.3, -5.0, 0.4}, 0.5), (Values{0, 0, 0}));
  EXPECT_EQ(prox_of(NonnegGroupL2{1.0}, {0.3, -5.0, 0.4}, 0.25), (Values{0.15, 0, 0.2}));
}

TEST(GroupL2, NeitherOverflowsNorUnderflows) {
  const Values expected = prox_of(GroupL2{2.0}, {3.0, 4.0}, 1.0);
  for (const double scale : {1e-200, 1e-150, 1e150, 1e200}) {
    const Values scaled = prox_of(GroupL2{2.0 * scale}, {3.0 * scale, 4.0 * scale}, 1.0);
    for (int j = 0; j < 2; ++j) EXPECT_NEAR(scaled[j] / scale, expected[j], 1e-14);
    EXPECT_NEAR(GroupL2{2.0}.value(Values{3.0 * scale, 4.0 * scale}) / scale, 10.0, 1e-13);
  }
}

TEST(GroupLinf, LevelsTheLargestEntries) {
  // 5 and 4 come down to 3.5: 1.5 + 0.5 = 2.
  EXPECT_EQ(prox_of(GroupLinf{2.0}, {5, -4, 1}, 1.0), (Values{3.5, -3.5, 1}));
  EXPECT_EQ(prox_of(GroupLinf{10.0}, {5, -4, 1}, 1.0), (Values{0, 0, 0}));
  EXPECT_EQ(prox_of(NonnegGroupLinf{2.0}, {5, -4, 1}, 1.0), (Values{3, 0, 1}));
}

TEST(Groups, OfOneEntryAreL1) {
  Rng rng = Rng::named(1, "single");
  for (int k = 0; k < 1000; ++k) {
    const double x = rng.normal();
    const double lambda = std::abs(rng.normal());
    const double expected = prox_of(L1{lambda}, {x}, 0.7)[0];
    EXPECT_NEAR(prox_of(GroupL2{lambda}, {x}, 0.7)[0], expected, 1e-15);
    EXPECT_NEAR(prox_of(GroupLinf{lambda}, {x}, 0.7)[0], expected, 1e-15);
    EXPECT_NEAR(prox_of(Fused{3.0, lambda}, {x}, 0.7)[0], expected, 1e-15);
  }
}

TEST(TopK, BreaksTiesByIndex) {
  EXPECT_EQ(prox_of(TopK{2}, {1, -2, 2, 2, -2}, 1.0), (Values{0, -2, 2, 0, 0}));
  EXPECT_EQ(prox_of(NonnegTopK{2}, {1, -2, 2, 2, -2}, 1.0), (Values{0, 0, 2, 2, 0}));
  EXPECT_EQ(prox_of(TopK{0}, {1, 2}, 1.0), (Values{0, 0}));
  EXPECT_EQ(prox_of(TopK{9}, {1, 2}, 1.0), (Values{1, 2}));
}

TEST(TopK, GapsSayWhatTheyPromise) {
  const Values v{3, 0, 0}, gradient{4, 2, 0};
  EXPECT_EQ(TopK{1}.stationarity_gap(v, gradient), 4.0);
  EXPECT_EQ(TopK{2}.stationarity_gap(v, gradient), std::sqrt(20.0));
  EXPECT_EQ(TopK{0}.stationarity_gap(v, gradient), kInfinity);
  EXPECT_EQ(TopK{1}.swap_gap(v, gradient, 1.0), 0.0);
  EXPECT_EQ(TopK{1}.swap_gap(v, gradient, 2.0), 1.0);  // a step of 2 makes 4 where 3 was kept
  EXPECT_EQ(TopK{2}.swap_gap(v, gradient, 2.0), 0.0);
  EXPECT_EQ(NonnegTopK{1}.swap_gap(v, gradient, 2.0), 0.0);  // the step leads below 0
  EXPECT_EQ(NonnegTopK{2}.stationarity_gap(v, gradient), 4.0);
  EXPECT_EQ(NonnegTopK{2}.stationarity_gap(v, Values{0, -2, 1}), 2.0);
  EXPECT_EQ(NonnegTopK{2}.stationarity_gap(Values{-1, 0, 0}, gradient), kInfinity);
}

TEST(Gaps, AreInfiniteOutsideTheDomain) {
  const Values v{-1, 2}, gradient{0, 0};
  EXPECT_EQ(Nonneg{}.stationarity_gap(v, gradient), kInfinity);
  EXPECT_EQ(NonnegL1{1}.stationarity_gap(v, gradient), kInfinity);
  EXPECT_EQ(NonnegGroupL2{1}.stationarity_gap(v, gradient), kInfinity);
  EXPECT_EQ(NonnegGroupLinf{1}.stationarity_gap(v, gradient), kInfinity);
  EXPECT_EQ((BoxL1{1, -1, 1}.stationarity_gap(v, gradient)), kInfinity);
  EXPECT_EQ(L2Ball{1}.stationarity_gap(v, gradient), kInfinity);
  EXPECT_EQ((Sum<L1, L2Ball>{{1}, {1}}.stationarity_gap(v, gradient)), kInfinity);
  EXPECT_EQ((NonnegL2Ball{{}, {9}}.stationarity_gap(v, gradient)), kInfinity);
  EXPECT_EQ((BoxL1{1, -1, 1}.value(v)), kInfinity);
  EXPECT_EQ(NonnegGroupLinf{1}.value(v), kInfinity);
}

// Only pairs whose prox composes may be added.
template <class A, class B>
concept MayBeAdded = requires {
  typename Sum<A, B>;
};
static_assert(MayBeAdded<L1, GroupL2> && MayBeAdded<Fused, L2Ball> && MayBeAdded<GroupL2, Ridge>);
static_assert(!MayBeAdded<BoxL1, Ridge>);   // a box is no cone
static_assert(!MayBeAdded<L1, BoxL1>);      // a box is not round
static_assert(!MayBeAdded<TopK, L2Ball>);   // not convex
static_assert(!MayBeAdded<L1, GroupLinf>);  // not round

// The weighted prox against its own optimality condition and against the plain one.
template <class P>
void check_weighted(const char* name) {
  Rng rng = Rng::named(2, name);
  for (int k = 0; k < 10000; ++k) {
    const contract::Case c = contract::random_case(rng, 1 + rng.below(10), k % 2 == 0 ? 1.0 : 80.0);
    const std::size_t n = c.point.size();
    Values d(n), gradient(n);
    for (double& x : d) {
      x = std::exp((k % 5 == 0 ? 5.0 : 1.0) * rng.normal()) / c.step;
      if (k % 3 == 0 && rng.below(3) == 0) x = 0.0;
    }
    const P penalty{c.weight(rng)};
    Values z = c.point;
    penalty.prox_weighted(z, d);
    double size = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      if (d[j] == 0.0) {
        ASSERT_EQ(z[j], 0.0);
      }
      gradient[j] = d[j] * (z[j] - c.point[j]);
      size = std::max(size, d[j] * std::abs(c.point[j]));
    }
    ASSERT_TRUE(std::isfinite(penalty.value(z)));
    ASSERT_LE(penalty.stationarity_gap(z, gradient), 1e-10 * size)
        << contract::show(c.point) << contract::show(d) << penalty.lambda;

    Values same(n, 1.0 / c.step);
    z = c.point;
    penalty.prox_weighted(z, same);
    const Values plain = prox_of(penalty, c.point, c.step);
    for (std::size_t j = 0; j < n; ++j) {
      ASSERT_NEAR(z[j], plain[j], 1e-12 * norms::linf(c.point));
    }
  }
}
TEST(GroupL2, WeightedProxIsStationary) { check_weighted<GroupL2>("l2"); }
TEST(NonnegGroupL2, WeightedProxIsStationary) { check_weighted<NonnegGroupL2>("nonneg l2"); }
TEST(GroupLinf, WeightedProxIsStationary) { check_weighted<GroupLinf>("linf"); }
TEST(NonnegGroupLinf, WeightedProxIsStationary) { check_weighted<NonnegGroupLinf>("nonneg linf"); }

}  // namespace
}  // namespace gingham
