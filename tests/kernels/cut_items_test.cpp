#include "gingham/kernels/cut_items.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"
#include "support/shuffled_executor.hpp"

namespace gingham {
namespace {

std::vector<Index> pointers_of(const std::vector<Index>& sizes) {
  std::vector<Index> pointers{0};
  for (const Index size : sizes) pointers.push_back(pointers.back() + size);
  return pointers;
}

// Whole numbers, so that every order of adding gives the same.
double value_of(Index entry, Index c) { return static_cast<double>((7 * entry + c) % 101 - 50); }

void expect_sums(const std::vector<Index>& sizes, Index k, Executor& executor, bool is_cut) {
  const std::vector<Index> pointers = pointers_of(sizes);
  const Index n = std::ssize(sizes);
  std::vector<double> y(static_cast<std::size_t>(n * k), -1.0);
  std::vector<std::atomic<int>> seen(static_cast<std::size_t>(pointers.back()));
  std::atomic<Index> longest = 0;
  const CutItems cut(pointers, k);
  cut.map(
      k, y.data(),
      [&](const Index* bounds, Index begin, Index end, double* out) {
        for (Index i = begin; i < end; ++i) {
          std::vector<double> sums(static_cast<std::size_t>(k), 0.0);
          for (Index e = bounds[i]; e < bounds[i + 1]; ++e) {
            ++seen[static_cast<std::size_t>(e)];
            for (Index c = 0; c < k; ++c) sums[c] += value_of(e, c);
          }
          const Index length = bounds[i + 1] - bounds[i];
          for (Index so_far = longest;
               so_far < length && !longest.compare_exchange_weak(so_far, length);) {
          }
          std::copy(sums.begin(), sums.end(), out + i * k);
        }
      },
      executor);
  for (const std::atomic<int>& times : seen) ASSERT_EQ(times, 1);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < k; ++c) {
      double sum = 0.0;
      for (Index e = pointers[i]; e < pointers[i + 1]; ++e) sum += value_of(e, c);
      ASSERT_EQ(y[i * k + c], sum) << "item " << i;
    }
  }
  if (is_cut) {
    EXPECT_LT(longest, *std::max_element(sizes.begin(), sizes.end()));
  }
}

TEST(CutItems, SumsOfAnySizesAreWhole) {
  Rng rng = Rng::named(1, "cut");
  ThreadPool two(2);
  testing::ShuffledExecutor shuffled(3);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<Index> sizes(static_cast<std::size_t>(rng.below(60)));
    for (Index& size : sizes)
      size = trial % 3 == 0 ? rng.below(50) : static_cast<Index>(std::exp2(16 * rng.uniform()));
    expect_sums(sizes, 1 + rng.below(4), trial % 2 == 0 ? static_cast<Executor&>(two) : shuffled,
                false);
  }
}

TEST(CutItems, ALongItemIsCutWhereverItIs) {
  ThreadPool two(2);
  for (const Index at : {0, 1, 250, 498, 499}) {
    std::vector<Index> sizes(500, 100);
    sizes[at] = 1 << 20;
    expect_sums(sizes, 2, two, true);
  }
  expect_sums({1 << 20}, 1, two, true);
  expect_sums({0, 1 << 20, 0, 0, 1 << 19, 3, 1 << 20}, 3, two, true);
}

TEST(CutItems, NothingIsNothing) {
  ThreadPool two(2);
  expect_sums({}, 2, two, false);
  expect_sums({0}, 2, two, false);
  expect_sums({0, 0, 5}, 1, two, false);
}

TEST(CutItems, ThePiecesDependOnTheItemsAlone) {
  std::vector<Index> sizes(300, 1000);
  sizes[7] = 1 << 20;
  const std::vector<Index> pointers = pointers_of(sizes);
  std::vector<double> first;
  for (const int threads : {1, 2, 3, 7}) {
    ThreadPool pool(threads);
    std::vector<double> y(sizes.size());
    CutItems(pointers, 1)
        .map(
            1, y.data(),
            [](const Index* bounds, Index begin, Index end, double* out) {
              for (Index i = begin; i < end; ++i) {
                double sum = 0.0;
                for (Index e = bounds[i]; e < bounds[i + 1]; ++e)
                  sum += std::sin(static_cast<double>(e));
                out[i] = sum;
              }
            },
            pool);
    if (first.empty()) first = y;
    EXPECT_EQ(y, first);
  }
}

}  // namespace
}  // namespace gingham
