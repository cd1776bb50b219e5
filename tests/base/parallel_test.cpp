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
#include "support/shuffled_executor.hpp"

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

// Node i of a level over the leaves 0 ... n-1.
double node(const std::vector<double>& leaves, Index level, Index i) {
  if (level == 0) return leaves[i];
  const Index right = 2 * i + 1;
  const double left = node(leaves, level - 1, 2 * i);
  return right << (level - 1) < std::ssize(leaves) ? left + node(leaves, level - 1, right) : left;
}

double tree_sum(const std::vector<double>& leaves) {
  Index level = 0;
  while (Index{1} << level < std::ssize(leaves)) ++level;
  return node(leaves, level, 0);
}

std::vector<double> values_of_all_scales(std::size_t n) {
  Rng rng = Rng::named(3, "sums");
  std::vector<double> values(n);
  for (double& value : values) value = rng.normal() * std::exp2(60 * rng.uniform() - 30);
  return values;
}

// Small sums, whose areas lie side by side, and large ones.
TEST(Reduce, AddsAlongTheTreeForAnyNumberOfThreads) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{20000}}) {
    for (const Index n : {1, 2, 3, 4, 5, 7, 8, 31, 64, 65, 200}) {
      const std::vector<double> values = values_of_all_scales(static_cast<std::size_t>(n));
      const double expected = tree_sum(values);
      for (const int threads : kThreads) {
        ThreadPool pool(threads);
        std::vector<double> total(size, 0.0);
        sum_blocks(pool, n, std::span<double>(total), [&](Index block, std::span<double> part) {
          if (block % 3 == 0) std::this_thread::yield();
          for (double& x : part) x += values[block];
        });
        for (const double x : total) ASSERT_EQ(x, expected) << n << " blocks, " << threads;
      }
      testing::ShuffledExecutor shuffled(7);
      std::vector<double> total(size, 0.0);
      sum_blocks(shuffled, n, std::span<double>(total),
                 [&](Index block, std::span<double> part) { part.back() += values[block]; });
      ASSERT_EQ(total.back(), expected);
    }
  }
}

TEST(Reduce, JoinsNeighboursInTheirOrder) {
  // join is not commutative here: what is left must come from lower blocks.
  struct Run {
    Index begin, end;
  };
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    for (const std::size_t bytes : {sizeof(Run), std::size_t{1} << 18}) {
      for (Index n = 0; n < 40; ++n) {
        Run whole{0, 0};
        reduce(
            pool, n, bytes,
            [](Index block, std::byte* area) {
              Run& run = *reinterpret_cast<Run*>(area);
              if (run.begin != 0 || run.end != 0) throw Error(ErrorCode::internal, "", "dirty");
              run = {block, block + 1};
            },
            [](std::byte* left, const std::byte* right) {
              Run& to = *reinterpret_cast<Run*>(left);
              const Run& from = *reinterpret_cast<const Run*>(right);
              EXPECT_EQ(to.end, from.begin);
              to.end = from.end;
            },
            [&](const std::byte* area) { whole = *reinterpret_cast<const Run*>(area); });
        EXPECT_EQ(whole.begin, 0);
        EXPECT_EQ(whole.end, n);
      }
    }
  }
}

TEST(Reduce, WithoutAreasIsAllowed) {
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    std::atomic<int> made = 0, taken = 0;
    reduce(
        pool, 5, 0, [&](Index, std::byte*) { ++made; }, [](std::byte*, const std::byte*) {},
        [&](const std::byte*) { ++taken; });
    EXPECT_EQ(made, 5);
    EXPECT_EQ(taken, 1);
  }
}

TEST(Reduce, LongSumsAreOffByFewRoundings) {
  // 2^20 terms, blocks of 1: in one go the error is about 1e-12, along the tree at most 20
  // roundings.
  ThreadPool pool(2);
  const Index n = Index{1} << 20;
  const double sum = sum_blocks(pool, n, [](Index) { return 0.1; });
  EXPECT_NEAR(sum / (0.1 * static_cast<double>(n)), 1.0, 20 * 1.2e-16);
}

TEST(ThreadPool, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  const std::vector<double> values = values_of_all_scales(5000);
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

TEST(Reduce, ThrowsWhatTheLowestFailingBlockThrew) {
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    for (int trial = 0; trial < 200; ++trial) {
      const Index lowest = trial % 7;
      const std::size_t bytes = trial % 2 == 0 ? 8 : std::size_t{1} << 16;
      bool is_taken = false;
      try {
        reduce(
            pool, 12, bytes,
            [&](Index block, std::byte*) {
              if (block == lowest) std::this_thread::yield();
              if (block >= lowest) throw Error(ErrorCode::input, "", std::to_string(block));
            },
            [](std::byte*, const std::byte*) {}, [&](const std::byte*) { is_taken = true; });
        FAIL() << "nothing was thrown";
      } catch (const Error& error) {
        ASSERT_EQ(error.message(), std::to_string(lowest));
      }
      ASSERT_FALSE(is_taken);
    }
    EXPECT_EQ(sum_blocks(pool, 10, [](Index block) { return static_cast<double>(block); }), 45.0);
  }
}

TEST(ThreadPool, BodiesMayCallAgain) {
  for (const int threads : kThreads) {
    ThreadPool pool(threads);
    std::vector<double> sums(20);
    pool.map(20, [&](Index block) {
      sums[block] = sum_blocks(pool, 10, [&](Index inner) {
        std::array<double, 2> deepest{};
        pool.map(2, [&](Index i) { deepest[i] = static_cast<double>(i + inner); });
        return deepest[0] + deepest[1];
      });
    });
    for (const double sum : sums) EXPECT_EQ(sum, 10 + 2 * 45);
    EXPECT_THROW(pool.map(8,
                          [&](Index) {
                            pool.map(3, [](Index) { throw Error(ErrorCode::input, "", "inner"); });
                          }),
                 Error);
  }
}

// The two inner blocks wait for each other: they end only if a thread that has nothing else to do
// takes one of them.
TEST(ThreadPool, IdleThreadsTakeBlocksOfInnerCalls) {
  ThreadPool pool(2);
  pool.map(2, [&](Index block) {
    if (block == 0) return;
    std::atomic<int> there = 0;
    pool.map(2, [&](Index) {
      ++there;
      while (there < 2) std::this_thread::yield();
    });
  });
}

TEST(ThreadPool, BodiesOfAnotherPoolStayOnTheirThread) {
  ThreadPool pool(2), other(2);
  std::array<bool, 6> stayed{};
  pool.map(6, [&](Index block) {
    const std::thread::id here = std::this_thread::get_id();
    bool all = true;
    other.map(3, [&](Index) { all = all && std::this_thread::get_id() == here; });
    stayed[block] = all;
  });
  for (const bool one : stayed) EXPECT_TRUE(one);
}

TEST(ThreadPool, SeveralCallersShareIt) {
  ThreadPool pool(3);
  std::array<double, 4> sums{};
  std::vector<std::thread> callers;
  for (std::size_t caller = 0; caller < sums.size(); ++caller) {
    callers.emplace_back([&, caller] {
      for (int job = 0; job < 200; ++job)
        sums[caller] += sum_blocks(pool, 8, [](Index block) { return static_cast<double>(block); });
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const double sum : sums) EXPECT_EQ(sum, 200 * 28);
}

TEST(ThreadPool, ExceptionsThatAreNotOursPassThrough) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.map(5, [](Index) { throw 7; }), int);
  EXPECT_THROW(pool.map(1, [](Index) { throw 7; }), int);
}

}  // namespace
}  // namespace gingham
