#include "gingham/base/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <thread>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

const std::vector<int> kThreads{1, 2, 3, 7};

TEST(ThreadPool, HasTheThreadsAskedFor) {
  for (const int threads : kThreads) EXPECT_EQ(ThreadPool(threads).threads(), threads);
  EXPECT_GE(ThreadPool(0).threads(), 1);
}

TEST(ThreadPool, MapRunsEachBlockOnce) {
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    for (const Index n : {0, 1, 2, 3, 64, 1000}) {
      std::vector<int> runs(static_cast<std::size_t>(n), 0);
      pool.map(n, [&](Index block) { ++runs[block]; });
      EXPECT_EQ(std::count(runs.begin(), runs.end(), 1), n);
    }
  }
}

TEST(ThreadPool, ManySmallJobsFollowEachOther) {
  ThreadPool pool(3);
  Index total = 0;
  for (int job = 0; job < 3000; ++job) {
    std::array<Index, 4> part{};
    pool.map(4, [&](Index block) { part[block] = block + job; });
    total += std::accumulate(part.begin(), part.end(), Index{0});
  }
  EXPECT_EQ(total, 3000 * 6 + 4 * (3000 * 2999 / 2));
}

TEST(ThreadPool, PoolsComeAndGo) {
  for (int i = 0; i < 50; ++i) {
    ThreadPool pool(1 + i % 5);
    if (i % 2 == 0) pool.map(5, [](Index) {});
  }
}

TEST(ThreadPool, MapThrowsWhatTheLowestFailingBlockThrew) {
  // Higher blocks fail at once and lower ones late: the lowest is reported all the same, on every
  // run.
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    for (int trial = 0; trial < 200; ++trial) {
      const Index lowest = trial % 5;
      try {
        pool.map(12, [&](Index block) {
          if (block == lowest) std::this_thread::yield();
          if (block >= lowest) throw Error(ErrorCode::input, "", std::to_string(block));
        });
        FAIL() << "nothing was thrown";
      } catch (const Error& error) {
        ASSERT_EQ(error.message(), std::to_string(lowest));
      }
      std::atomic<Index> runs{0};
      pool.map(9, [&](Index) { ++runs; });
      ASSERT_EQ(runs, 9);
    }
  }
}

TEST(ThreadPool, FoldMergesInOrderOneAtATime) {
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    for (const Index n : {0, 1, 2, 50}) {
      std::vector<Index> merged;
      bool all_zero = true;
      pool.fold(
          n, 3 * sizeof(Index),
          [&](Index block, std::byte* scratch) {
            auto* part = reinterpret_cast<Index*>(scratch);
            if (part[0] != 0 || part[1] != 0 || part[2] != 0)
              throw Error(ErrorCode::internal, "", "dirty");
            part[0] = block;
            part[2] = -1;
          },
          [&](Index block, const std::byte* scratch) {
            all_zero = all_zero && reinterpret_cast<const Index*>(scratch)[1] == 0;
            merged.push_back(block);
            EXPECT_EQ(*reinterpret_cast<const Index*>(scratch), block);
          });
      std::vector<Index> expected(static_cast<std::size_t>(n));
      std::iota(expected.begin(), expected.end(), Index{0});
      EXPECT_EQ(merged, expected);
      EXPECT_TRUE(all_zero);
    }
  }
}

TEST(ThreadPool, FoldWithoutScratchIsAllowed) {
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    Index merged = 0;
    pool.fold(
        5, 0, [](Index, std::byte*) {}, [&](Index, const std::byte*) { ++merged; });
    EXPECT_EQ(merged, 5);
  }
}

TEST(ThreadPool, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  Rng rng = Rng::named(3, "sums");
  std::vector<double> values(5000);
  for (double& value : values) value = rng.normal() * std::exp2(60 * rng.uniform() - 30);
  std::vector<std::uint64_t> seen;
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<double> total(3, 0.25);
      sum_blocks(pool, 50, std::span<double>(total), [&](Index block, std::span<double> part) {
        for (Index i = 100 * block; i < 100 * (block + 1); ++i) part[i % 3] += values[i];
      });
      total.push_back(sum_blocks(pool, 50, [&](Index block) { return values[block]; }));
      std::vector<std::uint64_t> bits;
      for (const double x : total) bits.push_back(std::bit_cast<std::uint64_t>(x));
      if (seen.empty()) seen = bits;
      EXPECT_EQ(bits, seen) << threads << " threads";
    }
  }
}

// A block fails when it is produced or when it is merged: the lowest is reported, and exactly the
// blocks before it have been merged.
TEST(ThreadPool, FoldThrowsWhatTheLowestFailingBlockThrew) {
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    for (int trial = 0; trial < 200; ++trial) {
      const Index in_produce = trial % 7, in_merge = trial % 4;
      const Index lowest = std::min(in_produce, in_merge);
      Index merged = 0;
      try {
        pool.fold(
            12, 8,
            [&](Index block, std::byte*) {
              if (block == lowest) std::this_thread::yield();
              if (block >= in_produce) throw Error(ErrorCode::input, "", std::to_string(block));
            },
            [&](Index block, const std::byte*) {
              if (block >= in_merge) throw Error(ErrorCode::input, "", std::to_string(block));
              ++merged;
            });
        FAIL() << "nothing was thrown";
      } catch (const Error& error) {
        ASSERT_EQ(error.message(), std::to_string(lowest));
      }
      ASSERT_EQ(merged, lowest);
    }
    EXPECT_EQ(sum_blocks(pool, 10, [](Index block) { return static_cast<double>(block); }), 45.0);
  }
}

TEST(ThreadPool, CallsInsideBodiesRunThereAndThen) {
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    ThreadPool other(2);
    std::vector<double> sums(20);
    pool.map(20, [&](Index block) {
      const std::thread::id here = std::this_thread::get_id();
      bool stayed = true;
      sums[block] = sum_blocks(pool, 10, [&](Index inner) {
        stayed = stayed && std::this_thread::get_id() == here;
        double deepest = 0.0;
        pool.map(2, [&](Index i) { deepest += static_cast<double>(i + inner); });
        return deepest;
      });
      if (threads > 1) {
        other.map(3, [&](Index) { stayed = stayed && std::this_thread::get_id() == here; });
        EXPECT_TRUE(stayed);
      }
    });
    for (const double sum : sums) EXPECT_EQ(sum, 10 + 2 * 45);
    EXPECT_THROW(pool.map(8,
                          [&](Index) {
                            pool.map(3, [](Index) { throw Error(ErrorCode::input, "", "inner"); });
                          }),
                 Error);
  }
}

TEST(ThreadPool, ExceptionsThatAreNotOursPassThrough) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.map(5, [](Index) { throw 7; }), int);
  EXPECT_THROW(pool.map(1, [](Index) { throw 7; }), int);
}

}  // namespace
}  // namespace gingham
