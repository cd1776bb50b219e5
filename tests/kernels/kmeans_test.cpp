#include "gingham/kernels/kmeans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace gingham {
namespace {

// Squared distance in more digits than the kernel has.
long double exact2(std::span<const double> x, std::span<const double> c) {
  long double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const long double difference = static_cast<long double>(x[j]) - c[j];
    sum += difference * difference;
  }
  return sum;
}

Index nearest(std::span<const double> x, const Matrix& centers) {
  Index best = 0;
  for (Index j = 1; j < centers.rows(); ++j) {
    if (exact2(x, centers.row(j)) < exact2(x, centers.row(best))) best = j;
  }
  return best;
}

// Lloyd's iteration as one would write it down; clusters keep their centre when empty.
std::vector<Index> plain_lloyd(const Matrix& points, Matrix& centers) {
  std::vector<Index> labels;
  for (Index i = 0; i < points.rows(); ++i) labels.push_back(nearest(points.row(i), centers));
  for (Index j = 0; j < centers.rows(); ++j) {
    const Index count = std::count(labels.begin(), labels.end(), j);
    for (Index t = 0; t < points.cols() && count > 0; ++t) {
      long double sum = 0;
      for (Index i = 0; i < points.rows(); ++i) {
        if (labels[i] == j) sum += points(i, t);
      }
      centers(j, t) = static_cast<double>(sum / static_cast<long double>(count));
    }
  }
  return labels;
}

double plain_inertia(const Matrix& points, const KMeansState& state) {
  long double sum = 0;
  for (Index i = 0; i < points.rows(); ++i) {
    sum += exact2(points.row(i), state.centers.row(state.labels[i]));
  }
  return static_cast<double>(sum);
}

Matrix gaussian(Index n, Index d, Rng& rng, double offset = 0.0, double scale = 1.0) {
  Matrix points(n, d);
  for (double& x : points.values()) x = offset + scale * rng.normal();
  return points;
}

// Points around `groups` places.
Matrix grouped(Index n, Index d, Index groups, double distance, Rng& rng) {
  const Matrix middle = gaussian(groups, d, rng, 0.0, distance);
  Matrix points = gaussian(n, d, rng);
  for (Index i = 0; i < n; ++i) {
    for (Index t = 0; t < d; ++t) points(i, t) += middle(i % groups, t);
  }
  return points;
}

TEST(KMeans, AssignsLikePlainLloydInEveryIteration) {
  Rng rng = Rng::named(1, "lloyd");
  ThreadPool pool(1);
  for (const Index d : {1, 2, 5, 31, 33, 64, 100, 2500}) {
    for (const Index k : {1, 2, 3, 7, 12}) {
      for (const double distance : {0.0, 0.3, 3.0}) {
        const Index n = d > 1000 ? 60 : 200;
        const Matrix points = grouped(n, d, 5, distance, rng);
        KMeansState state;
        kmeans_start(points, k, rng, state, pool);
        Matrix centers = state.centers;
        Index changed = 1;
        for (int iteration = 0; iteration < 60 && changed > 0; ++iteration) {
          const std::vector<Index> before = state.labels;
          changed = kmeans_iterate(points, state, pool);
          ASSERT_EQ(state.labels, plain_lloyd(points, centers))
              << d << " " << k << " " << iteration;
          Index differing = 0;
          for (Index i = 0; i < n; ++i) differing += before[i] != state.labels[i];
          ASSERT_EQ(changed, differing);
          for (Index e = 0; e < centers.size(); ++e) {
            ASSERT_NEAR(centers.values()[e], state.centers.values()[e], 1e-12 * (1 + distance));
          }
        }
        ASSERT_EQ(changed, 0);
        ASSERT_NEAR(kmeans_inertia(points, state, pool), plain_inertia(points, state),
                    1e-12 * plain_inertia(points, state));
      }
    }
  }
}

TEST(KMeans, IsRightFarFromTheOriginAndAtAnyScale) {
  Rng rng = Rng::named(2, "offset");
  ThreadPool pool(1);
  for (const Index d : {3, 70}) {
    for (const auto& [offset, scale] : std::vector<std::pair<double, double>>{
             {1e8, 1.0}, {-1e12, 1.0}, {1e3, 1e-7}, {0.0, 1e150}, {0.0, 1e-150}, {1e150, 1e145}}) {
      const Matrix points = gaussian(150, d, rng, offset, scale);
      KMeansState state;
      kmeans_start(points, 5, rng, state, pool);
      for (int iteration = 0; iteration < 100; ++iteration) {
        const Matrix centers = state.centers;
        const Index changed = kmeans_iterate(points, state, pool);
        for (Index i = 0; i < points.rows(); ++i) {
          ASSERT_EQ(state.labels[i], nearest(points.row(i), centers)) << offset << " " << scale;
        }
        if (changed == 0) break;
      }
      const double expected = plain_inertia(points, state);
      ASSERT_NEAR(kmeans_inertia(points, state, pool), expected, 1e-11 * expected);
    }
  }
}

TEST(KMeans, FarOutliersDoNotBlurTheOthers) {
  Rng rng = Rng::named(3, "outlier");
  ThreadPool pool(1);
  Matrix points = gaussian(300, 50, rng);
  for (double& x : points.row(117)) x = 1e9;
  for (double& x : points.row(211)) x = 1e60;
  KMeansState state;
  kmeans_start(points, 6, rng, state, pool);
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Matrix centers = state.centers;
    if (kmeans_iterate(points, state, pool) == 0) break;
    for (Index i = 0; i < points.rows(); ++i) {
      const Index expected = nearest(points.row(i), centers);
      // Differences of 1e60 with two centres agree in double: then any of them will do.
      ASSERT_TRUE(i == 211 || state.labels[i] == expected) << iteration << " " << i;
    }
  }
}

TEST(KMeans, TiesGoToTheLowestIndex) {
  Rng rng = Rng::named(4, "ties");
  ThreadPool pool(1);
  for (const Index d : {1, 2, 40}) {
    for (int trial = 0; trial < 30; ++trial) {
      Matrix points(120, d), centers(6, d);
      for (double& x : points.values()) x = static_cast<double>(rng.below(3)) + 1000.0;
      for (double& x : centers.values()) x = static_cast<double>(rng.below(3)) + 1000.0;
      const Matrix first = centers;
      KMeansState state;
      kmeans_start_from(points, std::move(centers), state, pool);
      kmeans_iterate(points, state, pool);
      // A point given to an empty cluster is the only one there
      Index moved = 0;
      for (Index i = 0; i < points.rows(); ++i) {
        if (state.labels[i] == nearest(points.row(i), first)) continue;
        ++moved;
        ASSERT_EQ(state.counts[state.labels[i]], 1);
      }
      ASSERT_LE(moved, 5);
    }
  }
}

TEST(KMeans, InertiaNeverRisesEvenWhereClustersRunEmpty) {
  Rng rng = Rng::named(5, "empty");
  ThreadPool pool(1);
  Index n_filled = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Index d = trial % 2 == 0 ? 2 : 36;
    const Matrix points = grouped(80, d, 4, 2.0, rng);
    Matrix centers = gaussian(8, d, rng, 0.0, trial % 3 == 0 ? 50.0 : 3.0);  // most of them useless
    KMeansState state;
    kmeans_start_from(points, std::move(centers), state, pool);
    double before = std::numeric_limits<double>::infinity();
    Index changed = 1;
    for (int iteration = 0; iteration < 200 && changed > 0; ++iteration) {
      Matrix assigned = state.centers;
      changed = kmeans_iterate(points, state, pool);
      const std::vector<Index> plain = plain_lloyd(points, assigned);
      double without = 0.0;
      for (Index i = 0; i < points.rows(); ++i) {
        without += static_cast<double>(exact2(points.row(i), assigned.row(plain[i])));
      }
      const double now = kmeans_inertia(points, state, pool);
      ASSERT_LE(now, without * (1 + 1e-12));
      ASSERT_LE(now, before * (1 + 1e-12));
      n_filled += plain != state.labels;
      before = now;
    }
    ASSERT_EQ(changed, 0);
    for (const Index count : state.counts) ASSERT_GT(count, 0);
  }
  EXPECT_GT(n_filled, 10);
}

TEST(KMeans, MorePartsThanDifferentPointsLeavesClustersEmpty) {
  Rng rng = Rng::named(6, "few");
  ThreadPool pool(1);
  for (const Index d : {1, 3, 50}) {
    const Matrix kinds = gaussian(3, d, rng, 0.1, 7.0);
    Matrix points(30, d);
    for (Index i = 0; i < 30; ++i) std::ranges::copy(kinds.row(i % 3), points.row(i).begin());
    KMeansState state;
    kmeans_start(points, 8, rng, state, pool);
    Index changed = 1, iterations = 0;
    while (changed > 0 && iterations++ < 50) changed = kmeans_iterate(points, state, pool);
    EXPECT_EQ(changed, 0);
    EXPECT_EQ(std::set<Index>(state.labels.begin(), state.labels.end()).size(), 3u);
    for (Index i = 0; i < 30; ++i) EXPECT_EQ(state.labels[i], state.labels[i % 3]);
    EXPECT_NEAR(kmeans_inertia(points, state, pool), 0.0, 1e-24 * static_cast<double>(d));
  }
}

TEST(KMeans, CopesWithTheSmallestProblems) {
  Rng rng = Rng::named(7, "small");
  ThreadPool pool(1);
  for (const Index d : {0, 1, 40}) {
    for (const Index n : {1, 2, 9}) {
      for (const Index k : {1, 2, 12}) {
        Matrix points(n, d);  // all zero
        KMeansState state;
        kmeans_start(points, k, rng, state, pool);
        EXPECT_EQ(kmeans_iterate(points, state, pool), n);
        EXPECT_EQ(kmeans_iterate(points, state, pool), 0);
        EXPECT_EQ(kmeans_inertia(points, state, pool), 0.0);
      }
    }
  }
}

TEST(KMeans, StartsAtPointsDrawnByTheirDistance) {
  Rng rng = Rng::named(8, "plus");
  ThreadPool pool(1);
  for (const Index d : {2, 40}) {
    const Matrix points =
        grouped(100, d, 4, 1e4, rng);  // four groups, far apart: one centre in each
    for (int trial = 0; trial < 20; ++trial) {
      KMeansState state;
      kmeans_start(points, 4, rng, state, pool);
      std::set<Index> groups;
      for (Index j = 0; j < 4; ++j) {
        for (Index i = 0; i < 100; ++i) {
          if (std::ranges::equal(points.row(i), state.centers.row(j))) groups.insert(i % 4);
        }
      }
      ASSERT_EQ(groups.size(), 4u);
    }
  }
}

TEST(KMeans, IsTheSameForAnyNumberOfThreads) {
  for (const Index d : {3, 90}) {
    Rng data_rng = Rng::named(9, "threads");
    const Matrix points = grouped(3000, d, 6, 0.5, data_rng);
    std::vector<KMeansState> runs;
    std::vector<double> inertia;
    for (const int threads : {1, 2, 3}) {
      ThreadPool pool(threads);
      Rng rng = Rng::named(1, "start");
      KMeansState& state = runs.emplace_back();
      kmeans_start(points, 6, rng, state, pool);
      for (int i = 0; i < 20; ++i) kmeans_iterate(points, state, pool);
      inertia.push_back(kmeans_inertia(points, state, pool));
    }
    for (std::size_t r = 1; r < runs.size(); ++r) {
      EXPECT_EQ(runs[r].labels, runs[0].labels);
      EXPECT_TRUE(std::ranges::equal(runs[r].centers.values(), runs[0].centers.values()));
      EXPECT_EQ(inertia[r], inertia[0]);
    }
  }
}

TEST(KMeans, ForgetsWhatWasPreparedForOtherPoints) {
  Rng rng = Rng::named(11, "reuse");
  ThreadPool pool(1);
  const Matrix first = gaussian(50, 40, rng), second = gaussian(50, 40, rng, 1e6, 1e-3);
  KMeansState used, fresh;
  kmeans_start(first, 3, rng, used, pool);
  Rng one = Rng::named(1, "x"), two = one;
  kmeans_start(second, 3, one, used, pool);
  kmeans_start(second, 3, two, fresh, pool);
  EXPECT_TRUE(std::ranges::equal(used.centers.values(), fresh.centers.values()));
}

// Copies every archived field from one state to another, and nothing else.
struct Fields {
  std::vector<const void*> from;
  std::size_t next = 0;
  bool saving = true;
  template <class T>
  Fields& operator()(const char*, T& field) {
    if (saving) {
      from.push_back(&field);
    } else {
      field = *static_cast<const T*>(from[next++]);
    }
    return *this;
  }
};

TEST(KMeans, ContinuesFromASavedState) {
  Rng rng = Rng::named(10, "saved");
  ThreadPool pool(1);
  const Matrix points = grouped(400, 45, 5, 0.4, rng);
  KMeansState state;
  kmeans_start(points, 5, rng, state, pool);
  for (int i = 0; i < 3; ++i) kmeans_iterate(points, state, pool);
  KMeansState copy;
  Fields fields;
  state.state(fields);
  fields.saving = false;
  copy.state(fields);
  Index changed = 1;
  while (changed > 0) {
    changed = kmeans_iterate(points, state, pool);
    EXPECT_EQ(kmeans_iterate(points, copy, pool), changed);
    EXPECT_EQ(copy.labels, state.labels);
    EXPECT_TRUE(std::ranges::equal(copy.centers.values(), state.centers.values()));
  }
}

TEST(KMeans, RefusesWhatMakesNoSense) {
  ThreadPool pool(1);
  Rng rng;
  KMeansState state;
  for (const Index d : {2, 40}) {
    Matrix points(5, d);
    EXPECT_THROW(kmeans_start(points, 0, rng, state, pool), Error);
    EXPECT_THROW(kmeans_start(Matrix(0, d), 1, rng, state, pool), Error);
    EXPECT_THROW(kmeans_start_from(points, Matrix(2, d + 1), state, pool), Error);
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      for (const Index row : {0, 3}) {
        Matrix spoilt = points;
        spoilt(row, 1) = bad;
        KMeansState other;
        EXPECT_THROW(kmeans_start(spoilt, 2, rng, other, pool), Error);
      }
    }
    KMeansState other;
    kmeans_start(points, 2, rng, other, pool);
    EXPECT_THROW(kmeans_iterate(Matrix(6, d), other, pool), Error);
  }
}

}  // namespace
}  // namespace gingham
