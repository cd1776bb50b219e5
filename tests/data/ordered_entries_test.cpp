#include "gingham/data/ordered_entries.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "gingham/base/rng.hpp"
#include "gingham/data/dataset.hpp"
#include "support/shuffled_executor.hpp"

namespace gingham {
namespace {

using Coordinates = std::vector<Array<std::int32_t>>;

struct Entries {
  Shape shape;
  Coordinates coordinates;
  Array<double> values;
};

Entries random_entries(Rng& rng, Index n_modes, Index size, Index n_entries) {
  Entries entries{Shape(static_cast<std::size_t>(n_modes), size), {}, Array<double>(n_entries)};
  if (rng.below(3) == 0) entries.shape[rng.below(n_modes)] = 1;
  for (const Index n : entries.shape) {
    Array<std::int32_t> mode(n_entries);
    // Some modes have a few items that are in most entries.
    const Index below = rng.below(3) == 0 ? std::min<Index>(n, 3) : n;
    for (Index k = 0; k < n_entries; ++k)
      mode.data()[k] = static_cast<std::int32_t>(rng.below(below));
    if (rng.below(4) == 0) std::sort(mode.span().begin(), mode.span().end());
    entries.coordinates.push_back(std::move(mode));
  }
  for (double& value : entries.values.span()) value = rng.normal();
  if (rng.below(10) == 0 && n_entries > 0)
    entries.coordinates[rng.below(n_modes)].data()[rng.below(n_entries)] =
        static_cast<std::int32_t>(rng.below(2) == 0 ? -1 : size);
  return entries;
}

// The digest of a block, or the error.
std::string outcome_of(const std::function<Block::Values()>& make) {
  try {
    return Block("X", make()).digest();
  } catch (const DuplicateEntry& twice) {
    return std::string(twice.what()) + " " + std::to_string(twice.first()) + " " +
           std::to_string(twice.second());
  } catch (const Error& error) {
    return error.what();
  }
}

void expect_the_same(const Entries& given, Executor* executor) {
  for (const Duplicates rule : {Duplicates::error, Duplicates::sum}) {
    const Coordinates& at = given.coordinates;
    EXPECT_EQ(outcome_of(
                  [&] { return tensor_of_entries(given.shape, at, given.values, rule, executor); }),
              outcome_of([&] {
                return SparseTensor::from_coordinates(given.shape, at, given.values, rule);
              }));
    if (at.size() != 2) continue;
    const Index rows = given.shape[0], cols = given.shape[1];
    EXPECT_EQ(outcome_of([&] {
                return matrix_of_entries(rows, cols, at[0], at[1], given.values, rule, executor);
              }),
              outcome_of([&] {
                return SparseMatrix::from_triplets(rows, cols, at[0], at[1], given.values, rule);
              }));
  }
}

TEST(OrderedEntries, AreThoseOfTheSerialConstructions) {
  Rng rng = Rng::named(1, "entries");
  ThreadPool pool(3);
  testing::ShuffledExecutor shuffled(2);
  for (int problem = 0; problem < 200; ++problem) {
    constexpr Index kSizes[] = {1, 2, 7, 100, 5000};
    const Index n_entries = problem % 20 == 0 ? 30000 : rng.below(200);
    const Entries given = random_entries(rng, 1 + rng.below(5), kSizes[rng.below(5)], n_entries);
    expect_the_same(given, nullptr);
    expect_the_same(given, &pool);
    if (problem % 10 == 0) expect_the_same(given, &shuffled);
  }
}

TEST(OrderedEntries, MayHaveMorePlacesThan64BitsCount) {
  Rng rng = Rng::named(2, "entries");
  ThreadPool pool(2);
  for (const Index n_modes : {Index{2}, Index{3}})
    expect_the_same(random_entries(rng, n_modes, kMaxSparseModeSize - 1, 3), &pool);
  Entries given = random_entries(rng, 5, 20000, 12000);  // 5 x 15 bits
  expect_the_same(given, &pool);
  given = random_entries(rng, 4, 65536, 12000);  // 64 bits
  expect_the_same(given, &pool);
}

}  // namespace
}  // namespace gingham
