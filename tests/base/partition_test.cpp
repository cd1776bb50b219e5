#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gingham/base/parallel.hpp"
#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

// Blocks follow each other without gap or overlap, none is empty, and together they are 0 ... n-1.
void expect_cover(const Partition& partition, Index n_items) {
  ASSERT_EQ(partition.n_items(), n_items);
  ASSERT_EQ(partition.count() == 0, n_items == 0);
  Index next = 0;
  for (Index block = 0; block < partition.count(); ++block) {
    ASSERT_EQ(partition.begin(block), next);
    ASSERT_GT(partition.end(block), next);
    next = partition.end(block);
  }
  ASSERT_EQ(next, n_items);
}

TEST(Partition, EvenBlocksCoverEveryItemOnce) {
  for (const Index work : {Index{0}, Index{1}, Index{100}, Index{1} << 15, Index{1} << 40,
                           std::numeric_limits<Index>::max()}) {
    for (Index n = 0; n < 1200; ++n) expect_cover(Partition::even(n, work), n);
    for (const Index n : {Index{1} << 20, (Index{1} << 31) + 7, (Index{1} << 62) + 13,
                          std::numeric_limits<Index>::max()}) {
      expect_cover(Partition::even(n, work), n);
    }
  }
}

TEST(Partition, EvenBlocksDifferByOneItemAtMost) {
  for (const Index n : {100, 999, 12345}) {
    const Partition partition = Partition::even(n, 1 << 14);
    Index least = n, most = 0;
    for (Index block = 0; block < partition.count(); ++block) {
      const Index size = partition.end(block) - partition.begin(block);
      least = std::min(least, size);
      most = std::max(most, size);
    }
    EXPECT_GT(partition.count(), 1);
    EXPECT_LE(most - least, 1);
  }
}

TEST(Partition, SmallWorkStaysInOneBlock) {
  EXPECT_EQ(Partition::even(1000, 1).count(), 1);
  EXPECT_EQ(Partition::even(7, Index{1} << 40).count(), 1);
}

std::vector<Index> pointers_of(const std::vector<Index>& sizes) {
  std::vector<Index> pointers{0};
  for (const Index size : sizes) pointers.push_back(pointers.back() + size);
  return pointers;
}

TEST(Partition, WeightedBlocksCoverEveryItemOnce) {
  expect_cover(Partition::weighted({}), 0);
  expect_cover(Partition::weighted(std::vector<Index>{5}), 0);
  Rng rng = Rng::named(1, "partition");
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Index> sizes(static_cast<std::size_t>(1 + rng.below(200)));
    const int kind = trial % 4;
    for (Index& size : sizes) {
      size = kind == 0   ? 0
             : kind == 1 ? rng.below(100000)
             : kind == 2 ? (rng.uniform() < 0.02 ? Index{1} << 50 : 0)
                         : static_cast<Index>(std::exp2(40 * rng.uniform()));
    }
    expect_cover(Partition::weighted(pointers_of(sizes)), std::ssize(sizes));
  }
}

TEST(Partition, WeightedBlocksShareTheWork) {
  // No block holds more than its share and one item, which cannot be cut.
  Rng rng = Rng::named(2, "partition");
  std::vector<Index> sizes(20000);
  for (Index& size : sizes) size = rng.below(1000);
  sizes[77] = 1000000;
  const std::vector<Index> pointers = pointers_of(sizes);
  const Partition partition = Partition::weighted(pointers);
  EXPECT_GT(partition.count(), 30);
  const Index share = (pointers.back() + std::ssize(sizes)) /
                      Partition::count_for(static_cast<double>(pointers.back()));
  for (Index block = 0; block < partition.count(); ++block) {
    const Index begin = partition.begin(block), end = partition.end(block);
    const Index largest = *std::max_element(sizes.begin() + begin, sizes.begin() + end);
    EXPECT_LE(pointers[end] - pointers[begin] + end - begin, share + largest + 2);
  }
}

// Many threads end together only if there are many blocks; what blocks hand over must stay little
// beside what they do.
TEST(Partition, MuchWorkHasManyBlocksWhoseSumsAreLittle) {
  EXPECT_GT(Partition::even(1 << 20, 1 << 10).count(), 500);
  EXPECT_LE(Partition::even(1 << 20, Index{1} << 40).count(), 1024);
  for (const Index n_sums : {1, 1000, 1 << 20}) {
    for (const Index work : {1, 100, 1 << 14}) {
      for (const Index n : {1000, 1 << 20}) {
        const Index count = Partition::even(n, work, n_sums).count();
        EXPECT_TRUE(count == 1 || 16 * n_sums * count <= n * work) << n << " " << work;
      }
    }
  }
}

TEST(Partition, EmptyRowsAreWorkToo) {
  EXPECT_GT(Partition::weighted(std::vector<Index>(1 << 20, 0)).count(), 10);
}

}  // namespace
}  // namespace gingham
