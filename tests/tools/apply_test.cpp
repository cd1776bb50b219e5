#include "gingham/tools/apply.hpp"

#include <gtest/gtest.h>

#include "gingham/base/rng.hpp"
#include "gingham/engine/run.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/io/write.hpp"
#include "gingham/tools/transform.hpp"
#include "io/temporary_folder.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using test::bits_of;
using test::expect_error;

const ReadingRecord kReading{"zero", "error", "automatic"};
const Labels kColumns{"a", "b\nb", "c", "\xFF"};

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Matrix x(rows, columns);
  Rng rng(seed, 0);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j)
      x(i, j) = rng.uniform() + 5.0 * static_cast<double>(i % 3 == j % 3);
  }
  return x;
}

Block rows_block(Index rows, std::uint64_t seed, Labels columns = kColumns) {
  return {"new", random_matrix(rows, 4, seed), {{}, std::move(columns)}};
}

struct Fit {
  Result result = run("kmeans", Dataset(Block("x", random_matrix(30, 4, 1), {{}, kColumns})),
                      {{"clusters", 3}, {"seed", 2}});
};

void expect_same(const Applied& a, const Applied& b) {
  EXPECT_EQ(a.mode, b.mode);
  EXPECT_EQ(a.views, b.views);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.found.terms.objective(), b.found.terms.objective());
  ASSERT_EQ(a.found.memberships.size(), b.found.memberships.size());
  for (std::size_t i = 0; i < a.found.memberships.size(); ++i)
    EXPECT_EQ(strongest(a.found.memberships[i]), strongest(b.found.memberships[i]));
  ASSERT_EQ(a.found.arrays.size(), b.found.arrays.size());
  for (std::size_t i = 0; i < a.found.arrays.size(); ++i) {
    EXPECT_EQ(a.found.arrays[i].name, b.found.arrays[i].name);
    const auto* values = std::get_if<Matrix>(&a.found.arrays[i].values);
    ASSERT_NE(values, nullptr);
    EXPECT_EQ(bits_of(values->values()),
              bits_of(std::get<Matrix>(b.found.arrays[i].values).values()));
  }
}

TEST(ApplyFit, NewRowsAreOfTheNearestCentre) {
  const Fit fit;
  const Matrix& centers = fit.result.matrix("centers");
  const Matrix fresh = random_matrix(17, 4, 5);
  const Applied applied = apply_fit(fit.result, {rows_block(17, 5)}, {.threads = 2});
  EXPECT_EQ(applied.mode, "rows");
  EXPECT_EQ(applied.n_views, 0);
  EXPECT_TRUE(applied.views.empty());
  EXPECT_EQ(applied.status, Status::converged);
  EXPECT_EQ(applied.fresh.block(0).shape(), (Shape{17, 4}));
  const std::vector<Index> labels = strongest(applied.found.memberships.at(0));
  ASSERT_EQ(labels.size(), 17u);
  for (Index i = 0; i < 17; ++i) {
    std::vector<double> distances(3, 0.0);
    for (Index k = 0; k < 3; ++k) {
      for (Index j = 0; j < 4; ++j)
        distances[k] += (fresh(i, j) - centers(k, j)) * (fresh(i, j) - centers(k, j));
    }
    EXPECT_EQ(labels[i], std::min_element(distances.begin(), distances.end()) - distances.begin());
  }
}

TEST(ApplyFit, AStoredFitIsTheSame) {
  const TemporaryFolder folder;
  const Fit fit;
  write_result(folder / "fit", fit.result, kReading, false);
  const Result stored = read_result(folder / "fit").json.result;
  ASSERT_EQ(stored.item_labels.size(), 1u);
  EXPECT_EQ(stored.item_labels[0], (std::vector<Labels>{{}, {"a", "b?b", "c", "?"}}));
  const Applied here = apply_fit(fit.result, {rows_block(17, 5)}, {});
  expect_same(apply_fit(stored, {rows_block(17, 5)}, {}), here);
  // And from files.
  write_block(Block("x", random_matrix(17, 4, 5)), folder / "new.npy");
  ReadingRecord reading;
  reading.files = {folder / "new.npy"};
  const TransformOutcome outcome =
      transform({.result = folder / "fit", .reading = reading, .output = folder / "out"});
  EXPECT_TRUE(outcome.is_written);
  expect_same(outcome, here);
}

TEST(ApplyFit, SaysWhatDoesNotFit) {
  const TemporaryFolder folder;
  const Fit fit;
  write_result(folder / "fit", fit.result, kReading, false);
  for (const Result& result : {fit.result, read_result(folder / "fit").json.result}) {
    const auto refused = [&](ErrorCode code, const std::vector<std::string>& parts, Block block,
                             const ApplyRequest& request = {}) {
      expect_error(code, parts, [&] { apply_fit(result, {std::move(block)}, request); });
    };
    refused(ErrorCode::input, {"new", "item 3 is called 'd'", "expected 'c'"},
            rows_block(5, 1, {"a", "b\nb", "d", "\xFF"}));
    refused(ErrorCode::input, {"new", "columns: 3 items found, expected 4"},
            Block("new", random_matrix(5, 3, 1)));
    refused(ErrorCode::input, {"3 modes"}, Block("new", Tensor({2, 4, 2})));
    refused(ErrorCode::usage, {"--mode", "modes 0 to 1"}, rows_block(5, 1), {.mode = 2});
    refused(ErrorCode::usage, {"--mode"}, rows_block(5, 1), {.mode = -1});
    refused(ErrorCode::usage, {"--views", "not a method of views"}, rows_block(5, 1),
            {.views = {0}});
    refused(ErrorCode::usage, {"--set", "'clusters' is not an option that may change"},
            rows_block(5, 1), {.settings = {{"clusters", "4"}}});
    refused(ErrorCode::memory, {"memory"}, rows_block(5, 1), {.memory_limit_bytes = 10.0});
    expect_error(ErrorCode::usage, {"0 inputs were given"}, [&] { apply_fit(result, {}, {}); });
    // Names that only one side has are not compared.
    EXPECT_NO_THROW(apply_fit(result, {rows_block(5, 1, {})}, {}));
  }
  const Result other = run("spectral", Dataset(random_matrix(9, 4, 1)), {{"clusters", 2}});
  expect_error(ErrorCode::usage, {"spectral", "cannot be applied"},
               [&] { apply_fit(other, {rows_block(5, 1)}, {}); });
  const Result positive = run("nmf", Dataset(random_matrix(9, 4, 1)), {{"rank", 2}});
  Matrix negative = random_matrix(5, 4, 1);
  negative(2, 2) = -1.0;
  expect_error(ErrorCode::input, {"negative"},
               [&] { apply_fit(positive, {Block("new", std::move(negative))}, {}); });
}

TEST(ApplyFit, SomeOfTheViewsAreEnough) {
  std::vector<Block> views;
  for (const Index columns : {4, 3, 5})
    views.emplace_back("view", random_matrix(30, columns, static_cast<std::uint64_t>(columns)));
  const Result fit = run("multiview", Dataset(views), {{"rows", 10}});
  std::vector<Block> all, some;
  for (const Index columns : {4, 3, 5})
    all.emplace_back("new", random_matrix(6, columns, static_cast<std::uint64_t>(9 + columns)));
  for (const Index b : {2, 0}) some.push_back(all[b]);
  Matrix none(6, 3);
  for (double& value : none.values()) value = std::nan("");
  const Applied two = apply_fit(fit, some, {.views = {2, 0}});
  EXPECT_EQ(two.views, (std::vector<Index>{2, 0}));
  EXPECT_EQ(two.n_views, 3);
  EXPECT_EQ(two.fresh.size(), 3);
  all[1] = Block("new", std::move(none));
  Applied three = apply_fit(fit, all, {});
  EXPECT_EQ(three.views, (std::vector<Index>{0, 1, 2}));
  // A view without a cell is one that was not given; only its array is there.
  EXPECT_EQ(std::erase_if(three.found.arrays, [](const auto& one) { return one.name == "u_1"; }),
            1u);
  three.views = two.views;
  expect_same(two, three);
}

TEST(ApplyFit, OneSliceIsAnItem) {
  Tensor cube({6, 5, 4});
  Rng rng(4, 0);
  for (double& value : cube.values()) value = rng.uniform();
  for (Index mode = 0; mode < 3; ++mode) {
    const Result fit = run("tensor", Dataset(Block("x", cube)), {{"clusters", 2}});
    Shape shape{6, 5, 4};
    shape[mode] = 1;
    Tensor whole(shape);
    Matrix slice(mode == 0 ? 5 : 6, mode == 2 ? 5 : 4);
    for (Index i = 0; i < slice.size(); ++i)
      whole.values()[i] = slice.values()[i] = cube.values()[3 * i % cube.size()];
    const Applied applied = apply_fit(fit, {Block("new", std::move(slice))}, {.mode = mode});
    EXPECT_EQ(applied.fresh.block(0).shape(), shape);
    expect_same(applied, apply_fit(fit, {Block("new", std::move(whole))}, {.mode = mode}));
  }
}

}  // namespace
}  // namespace gingham
