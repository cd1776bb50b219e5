#include "gingham/base/memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numeric>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

constexpr std::size_t kMap = std::size_t{1} << 20;  // blocks from here on come from mmap

// The memory holds `kept` bytes of value 7 and zeros after them.
void expect_contents(const RawMemory& memory, std::size_t kept) {
  const auto* bytes = static_cast<const unsigned char*>(memory.data());
  for (std::size_t i = 0; i < memory.size(); ++i) {
    ASSERT_EQ(bytes[i], i < kept ? 7 : 0) << "byte " << i << " of " << memory.size();
  }
}

TEST(RawMemory, KeepsContentsAndZeroesWhatIsNewAtEverySizeStep) {
  const std::vector<std::size_t> sizes{
      0, 1, 63, 64, 65, 4096, kMap - 1, kMap, kMap + 1, kMap + 5000, 2 * kMap + 4097};
  for (const std::size_t first : sizes) {
    for (const std::size_t second : sizes) {
      RawMemory memory(first);
      EXPECT_EQ(memory.size(), first);
      EXPECT_EQ(memory.data() == nullptr, first == 0);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0u);
      if (first > 0) {
        ASSERT_EQ(static_cast<unsigned char*>(memory.data())[first - 1], 0);
        std::memset(memory.data(), 7, first);
      }
      memory.resize(second);
      EXPECT_EQ(memory.size(), second);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0u);
      const std::size_t kept = std::min(first, second);
      if (second > 0) {  // whole comparison only near the edges: the middle is plain copies
        const auto* bytes = static_cast<const unsigned char*>(memory.data());
        for (std::size_t i = kept > 5000 ? kept - 5000 : 0; i < std::min(second, kept + 5000);
             ++i) {
          ASSERT_EQ(bytes[i], i < kept ? 7 : 0);
        }
        ASSERT_EQ(bytes[second - 1], second <= kept ? 7 : 0);
      }
    }
  }
}

TEST(RawMemory, WhatWasCutOffComesBackAsZeros) {
  RawMemory memory(3 * kMap);
  std::memset(memory.data(), 7, memory.size());
  for (const std::size_t small :
       {2 * kMap + 1, 2 * kMap, kMap, std::size_t{5000}, std::size_t{1}}) {
    memory.resize(small);
    memory.resize(small + 9000);
    expect_contents(memory, small);
  }
  memory.resize(0);
  memory.resize(100);
  expect_contents(memory, 0);
}

TEST(RawMemory, RefusesTheImpossibleAndStaysAsItWas) {
  for (const std::size_t size : {std::size_t{100}, 2 * kMap}) {
    RawMemory memory(size);
    std::memset(memory.data(), 7, size);
    for (const std::size_t huge : {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX - 4096, SIZE_MAX / 2}) {
      EXPECT_THROW(memory.resize(huge), std::bad_alloc);
    }
    EXPECT_EQ(memory.size(), size);
    expect_contents(memory, size);
  }
}

TEST(Array, IsZeroAtFirstAndCopiesDeep) {
  Array<double> a(5);
  for (const double x : a.span()) EXPECT_EQ(x, 0.0);
  a.data()[2] = 3.0;
  Array<double> b = a;
  b.data()[2] = 4.0;
  EXPECT_EQ(a.data()[2], 3.0);
  Array<double> c = std::move(a);
  EXPECT_EQ(c.data()[2], 3.0);
  EXPECT_EQ(a.size(), 0);
  EXPECT_EQ(std::as_const(a).data(), nullptr);
  a = b;
  EXPECT_EQ(a.data()[2], 4.0);
  const Array<double>& same = a;
  a = same;
  EXPECT_EQ(a.data()[2], 4.0);
  EXPECT_TRUE(Array<double>(0).empty());
  EXPECT_EQ(Array<double>(Array<double>{}).size(), 0);
  EXPECT_EQ(b.bytes(), 40);
}

TEST(Array, RefusesSizesThatCannotBe) {
  EXPECT_THROW(Array<double>(std::numeric_limits<Index>::max() / 4), Error);
  EXPECT_THROW(Array<double>(-1), std::bad_alloc);
  EXPECT_THROW(Array<char>(-1), std::bad_alloc);
}

TEST(Array, BorrowsWithoutCopyingUntilItIsWritten) {
  const auto owner = std::make_shared<std::vector<double>>(std::vector<double>{1, 2, 3});
  Array<double> a = Array<double>::borrow(owner->data(), 3, owner);
  EXPECT_EQ(owner.use_count(), 2);
  EXPECT_EQ(std::as_const(a).data(), owner->data());
  const Array<double> copied = a;
  EXPECT_NE(copied.data(), owner->data());
  Array<double> moved = std::move(a);
  EXPECT_EQ(std::as_const(moved).data(), owner->data());
  moved.span()[1] = 20.0;
  EXPECT_EQ((*owner)[1], 2.0);
  EXPECT_EQ(owner.use_count(), 1);  // the copy needs its lender no more
  EXPECT_EQ(moved.span()[1], 20.0);
  EXPECT_EQ(moved.span()[2], 3.0);
}

TEST(Array, KeepsItsLenderAlive) {
  auto owner = std::make_shared<std::vector<double>>(std::vector<double>{1, 2, 3});
  const std::weak_ptr<std::vector<double>> watched = owner;
  {
    const Array<double> a = Array<double>::borrow(owner->data(), 3, owner);
    owner.reset();
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(a.span()[2], 3.0);
  }
  EXPECT_TRUE(watched.expired());
}

TEST(GrowingArray, HoldsWhatWasAppended) {
  Rng rng = Rng::named(4, "growing");
  GrowingArray<std::int32_t> array;
  std::vector<std::int32_t> expected;
  while (expected.size() < 700000) {  // crosses the size from which memory is mapped
    const Index count = rng.below(3000);
    std::vector<std::int32_t> piece(static_cast<std::size_t>(count));
    for (auto& value : piece) value = static_cast<std::int32_t>(rng.bits());
    array.append(piece.data(), count);
    expected.insert(expected.end(), piece.begin(), piece.end());
    array.push_back(5);
    expected.push_back(5);
  }
  EXPECT_EQ(array.size(), std::ssize(expected));
  EXPECT_EQ(array[17], expected[17]);
  const Array<std::int32_t> done = array.finish();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), done.span().begin(), done.span().end()));
  EXPECT_EQ(array.size(), 0);
  array.push_back(1);
  EXPECT_EQ(array.finish().size(), 1);
  EXPECT_EQ(GrowingArray<double>().finish().size(), 0);
}

TEST(GrowingArray, IsEmptyAfterItWasMoved) {
  GrowingArray<int> a;
  a.push_back(1);
  GrowingArray<int> b = std::move(a);
  EXPECT_EQ(a.size(), 0);
  a.push_back(2);  // memory of its own
  EXPECT_EQ(b[0], 1);
  EXPECT_EQ(a[0], 2);
  b = std::move(a);
  EXPECT_EQ(b[0], 2);
  EXPECT_EQ(b.size(), 1);
}

}  // namespace
}  // namespace gingham
