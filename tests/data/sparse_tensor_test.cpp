#include "gingham/data/sparse_tensor.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <thread>

#include "gingham/base/rng.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using test::expect_error;
using test::to_array;

using Place = std::vector<Index>;
using Cells = std::map<Place, double>;

SparseTensor tensor_of(const Shape& shape, const std::vector<std::pair<Place, double>>& entries,
                       Duplicates rule) {
  std::vector<Array<std::int32_t>> coordinates;
  for (std::size_t m = 0; m < shape.size(); ++m) {
    std::vector<std::int32_t> index;
    for (const auto& [place, value] : entries) index.push_back(static_cast<std::int32_t>(place[m]));
    coordinates.push_back(to_array(index));
  }
  std::vector<double> values;
  for (const auto& [place, value] : entries) values.push_back(value);
  return SparseTensor::from_coordinates(shape, std::move(coordinates), to_array(values), rule);
}

// Mode by mode: the entries with index i in that mode, in the map's (lexicographic) order.
void expect_grouped(const SparseTensor& tensor, const Cells& expected) {
  for (Index mode = 0; mode < tensor.modes(); ++mode) {
    const SparseTensor::Grouped& grouped = tensor.grouped(mode);
    ASSERT_EQ(grouped.pointers.size(), tensor.shape()[mode] + 1);
    ASSERT_EQ(grouped.coordinates[mode].size(), 0);
    Index k = 0;
    for (Index i = 0; i < tensor.shape()[mode]; ++i) {
      ASSERT_EQ(grouped.pointers.data()[i], k);
      for (const auto& [place, value] : expected) {
        if (place[mode] != i) continue;
        for (Index m = 0; m < tensor.modes(); ++m) {
          if (m == mode) continue;
          ASSERT_EQ(grouped.coordinates[m].data()[k], place[m]);
        }
        ASSERT_EQ(grouped.values.data()[k++], value);
      }
    }
    ASSERT_EQ(grouped.pointers.data()[tensor.shape()[mode]], k);
    EXPECT_EQ(&tensor.grouped(mode), &grouped);
  }
}

TEST(SparseTensor, AgreesWithAMapForAnyNumberOfModes) {
  Rng rng = Rng::named(1, "tensor");
  for (int trial = 0; trial < 400; ++trial) {
    Shape shape;
    for (int m = 0; m <= trial % 5; ++m) {
      // Few and many items per entry: both ways of sorting.
      shape.push_back(1 + rng.below(trial % 3 == 0 ? 1000 : 4));
    }
    std::vector<std::pair<Place, double>> entries;
    Cells expected;
    const bool unique = trial % 2 == 0;
    const Index n = rng.below(50);
    for (Index k = 0; k < n; ++k) {
      Place place;
      for (const Index size : shape) place.push_back(rng.below(size));
      if (unique && expected.count(place) > 0) continue;
      entries.emplace_back(place, rng.normal());
      expected[place] += entries.back().second;  // in the order given
    }
    const SparseTensor tensor =
        tensor_of(shape, entries, unique ? Duplicates::error : Duplicates::sum);
    ASSERT_EQ(tensor.entries(), std::ssize(expected));
    Index k = 0;
    for (const auto& [place, value] : expected) {
      for (Index m = 0; m < tensor.modes(); ++m) ASSERT_EQ(tensor.coordinates(m)[k], place[m]);
      ASSERT_EQ(tensor.values()[k++], value);
    }
    expect_grouped(tensor, expected);
    EXPECT_EQ(tensor.bytes(), tensor.entries() * (8 + 4 * tensor.modes()));
  }
}

TEST(SparseTensor, NamesTheFirstTwoEntriesOfARepeatedPlace) {
  try {
    tensor_of({5, 6, 7},
              {{{4, 4, 4}, 1},
               {{1, 2, 3}, 1},
               {{4, 4, 4}, 1},
               {{0, 0, 0}, 1},
               {{1, 2, 3}, 1},
               {{1, 2, 3}, 1}},
              Duplicates::error);
    FAIL();
  } catch (const DuplicateEntry& error) {
    EXPECT_EQ(error.first(), 1);
    EXPECT_EQ(error.second(), 4);
    EXPECT_NE(error.message().find("(2, 3, 4)"), std::string::npos);
  }
}

TEST(SparseTensor, RefusesWhatMakesNoTensor) {
  constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
  const auto make = [](const Shape& shape, const std::vector<std::vector<std::int32_t>>& lists,
                       std::size_t n_values) {
    std::vector<Array<std::int32_t>> coordinates;
    for (const auto& list : lists) coordinates.push_back(to_array(list));
    SparseTensor::from_coordinates(shape, std::move(coordinates),
                                   to_array(std::vector<double>(n_values)), Duplicates::sum);
  };
  expect_error(ErrorCode::input, {"one list of indices per mode"}, [&] { make({2, 2}, {{0}}, 1); });
  expect_error(ErrorCode::input, {"mode 1 has 2 indices for 1 values"}, [&] {
    make({2, 2}, {{0}, {0, 1}}, 1);
  });
  expect_error(ErrorCode::input, {"entry 1 has index 3 in mode 1, expected 1 to 2"}, [&] {
    make({2, 2}, {{0}, {2}}, 1);
  });
  expect_error(ErrorCode::input, {"index 0 in mode 0"}, [&] { make({2, 2}, {{-1}, {0}}, 1); });
  expect_error(ErrorCode::input, {"index 2147483648"}, [&] { make({2, 2}, {{kLargest}, {0}}, 1); });
  expect_error(ErrorCode::input, {"mode 0 has size -1"}, [&] { make({-1, 2}, {{}, {}}, 0); });
  expect_error(ErrorCode::input, {"2147483648"}, [&] {
    make({Index{kLargest} + 1, 2}, {{}, {}}, 0);
  });
}

TEST(SparseTensor, AFewEntriesOfAHugeShapeTakeLittleMemory) {
  constexpr Index kLargest = kMaxSparseModeSize;
  const SparseTensor tensor = tensor_of(
      {kLargest, kLargest, kLargest},
      {{{kLargest - 1, 0, 5}, 1}, {{0, kLargest - 1, 3}, 2}, {{0, 7, 3}, 3}}, Duplicates::error);
  EXPECT_EQ(tensor.values()[0], 3);
  EXPECT_EQ(tensor.values()[1], 2);
  EXPECT_EQ(tensor.values()[2], 1);
}

TEST(SparseTensor, IsGroupedOnceByWhoeverAsksFirst) {
  Rng rng = Rng::named(2, "grouped");
  std::vector<std::pair<Place, double>> entries;
  for (int k = 0; k < 3000; ++k)
    entries.push_back({{rng.below(20), rng.below(20), rng.below(20)}, 1.0});
  const SparseTensor tensor = tensor_of({20, 20, 20}, entries, Duplicates::sum);
  std::vector<const SparseTensor::Grouped*> seen(9);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    threads.emplace_back([&, i] { seen[i] = &tensor.grouped(static_cast<Index>(i % 3)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], seen[i % 3]);
}

TEST(SparseTensor, DoesNotTouchBorrowedEntries) {
  const std::vector<std::int32_t> index{1, 0, 1};
  const std::vector<double> values{1, 2, 3};
  std::vector<Array<std::int32_t>> coordinates;
  coordinates.push_back(Array<std::int32_t>::borrow(index.data(), 3, nullptr));
  const SparseTensor tensor = SparseTensor::from_coordinates(
      {2}, std::move(coordinates), Array<double>::borrow(values.data(), 3, nullptr),
      Duplicates::sum);
  EXPECT_EQ(tensor.values()[1], 4);
  EXPECT_EQ(values, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(index, (std::vector<std::int32_t>{1, 0, 1}));
}

}  // namespace
}  // namespace gingham
