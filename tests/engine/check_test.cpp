#include "gingham/engine/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/arrays.hpp"
#include "support/matrix_rows.hpp"

namespace gingham {
namespace {

using test::expect_error;
using test::to_array;

MethodInfo method(InputKind input, Traits traits = {}) {
  MethodInfo info;
  info.name = "some-method";
  info.input = input;
  info.traits = traits;
  return info;
}

void check(const MethodInfo& info, std::vector<Block> blocks) {
  check_inputs(info, Dataset(std::move(blocks)), info.make_options());
}

Block matrix(const std::string& name, Index rows, Index cols) {
  return Block(name, Matrix(rows, cols));
}

TEST(CheckInputs, CountsTheInputs) {
  for (const InputKind kind :
       {InputKind::matrix, InputKind::tensor, InputKind::series, InputKind::views}) {
    expect_error(ErrorCode::usage, {"some-method", "no input"}, [&] { check(method(kind), {}); });
    EXPECT_NO_THROW(check(method(kind), {matrix("a", 2, 3)}));
  }
  expect_error(ErrorCode::usage, {"2 inputs were given; expected one matrix"}, [] {
    check(method(InputKind::matrix), {matrix("a", 2, 3), matrix("b", 2, 3)});
  });
  expect_error(ErrorCode::usage, {"expected one matrix or tensor"}, [] {
    check(method(InputKind::tensor), {matrix("a", 2, 3), matrix("b", 2, 3)});
  });
}

TEST(CheckInputs, LetsRowsFromElsewhereThroughWhereTheMethodTakesThem) {
  MethodInfo info = method(InputKind::matrix);
  const Block block = test::streamed_block(Matrix(3, 2));
  expect_error(ErrorCode::internal, {"streamed", "some-method takes data in memory only"},
               [&] { check(info, {block}); });
  info.streams = [](const Options&) { return false; };
  expect_error(ErrorCode::internal, {"in memory only"}, [&] { check(info, {block}); });
  info.streams = [](const Options&) { return true; };
  EXPECT_NO_THROW(check(info, {block}));
}

TEST(CheckInputs, CountsTheModes) {
  EXPECT_NO_THROW(check(method(InputKind::tensor), {Block("t", Tensor({2, 3, 4}))}));
  expect_error(ErrorCode::input, {"t: has 3 modes (2 x 3 x 4)", "some-method takes matrices"}, [] {
    check(method(InputKind::matrix), {Block("t", Tensor({2, 3, 4}))});
  });
  expect_error(ErrorCode::input, {"t: has 3 modes"}, [] {
    check(method(InputKind::series), {matrix("a", 2, 3), Block("t", Tensor({2, 3, 4}))});
  });
  expect_error(ErrorCode::input, {"t: has one mode (5 items)"},
               [] { check(method(InputKind::tensor), {Block("t", Tensor({5}))}); });
}

TEST(CheckInputs, RefusesSparseAndMissingWhereTheMethodDoes) {
  const auto sparse = [](Unlisted unlisted) {
    return Block(
        "s",
        SparseMatrix::from_triplets(2, 2, to_array<std::int32_t>({0}), to_array<std::int32_t>({1}),
                                    to_array<double>({3}), Duplicates::error),
        {}, unlisted);
  };
  const Block gap("g", Matrix(2, 2, to_array<double>({1, 2, std::nan(""), 4})));
  expect_error(ErrorCode::input, {"s: is sparse", "dense data only"},
               [&] { check(method(InputKind::matrix), {sparse(Unlisted::zero)}); });
  expect_error(ErrorCode::input,
               {"g: 1 of 2 x 2 values are missing (NaN), the first at row 2, column 1", "fill or drop"},
               [&] { check(method(InputKind::matrix), {gap}); });
  EXPECT_NO_THROW(check(method(InputKind::matrix, {.accepts_missing = true}), {gap}));
  const MethodInfo takes_sparse = method(InputKind::matrix, {.accepts_sparse = true});
  EXPECT_NO_THROW(check(takes_sparse, {sparse(Unlisted::zero)}));
  expect_error(ErrorCode::input, {"s: 3 of 2 x 2 values are missing (NaN); "},
               [&] { check(takes_sparse, {sparse(Unlisted::missing)}); });
}

TEST(CheckInputs, ViewsShareTheirRows) {
  EXPECT_NO_THROW(check(method(InputKind::views), {matrix("a", 4, 3), matrix("b", 4, 9)}));
  expect_error(ErrorCode::input, {"b: is 5 x 3, but a is 4 x 3", "the same rows"}, [] {
    check(method(InputKind::views), {matrix("a", 4, 3), matrix("b", 5, 3)});
  });
  expect_error(ErrorCode::input, {"the same rows", "leave the cells of a row empty"}, [] {
    check(method(InputKind::views, {.accepts_missing = true}),
          {matrix("a", 4, 3), matrix("b", 5, 3)});
  });
}

TEST(CheckInputs, RowsOfViewsGoByTheSameNames) {
  const auto named = [](const std::string& name, Labels rows) {
    return Block(name, Matrix(2, 3), {std::move(rows)});
  };
  const MethodInfo views = method(InputKind::views);
  EXPECT_NO_THROW(
      check(views, {named("a", {"p", "q"}), matrix("b", 2, 5), named("c", {"p", "q"})}));
  expect_error(ErrorCode::input, {"c: row 2 is called 'r', but in b it is 'q'", "same order"}, [&] {
    check(views, {matrix("a", 2, 5), named("b", {"p", "q"}), named("c", {"p", "r"})});
  });
  EXPECT_NO_THROW(
      check(method(InputKind::series), {named("a", {"p", "q"}), named("b", {"q", "p"})}));
}

TEST(CheckInputs, ASeriesSharesColumnsOrRows) {
  const MethodInfo series = method(InputKind::series);
  EXPECT_NO_THROW(check(series, {matrix("a", 4, 3), matrix("b", 4, 9), matrix("c", 4, 1)}));
  EXPECT_NO_THROW(check(series, {matrix("a", 4, 3), matrix("b", 5, 3), matrix("c", 1, 3)}));
  expect_error(ErrorCode::input, {"b: is 5 x 4, but a is 4 x 3"}, [&] {
    check(series, {matrix("a", 4, 3), matrix("b", 5, 4)});
  });
  // Each shares something with the first, but not all of them the same.
  expect_error(ErrorCode::input, {"c: is 6 x 3, but a is 4 x 3", "share"}, [&] {
    check(series, {matrix("a", 4, 3), matrix("b", 4, 5), matrix("c", 6, 3)});
  });
}

TEST(CheckInputs, AsksTheMethodLast) {
  MethodInfo info = method(InputKind::matrix);
  info.check = [](const Dataset&, const Options&) {
    throw Error(ErrorCode::input, "--clusters", "too many");
  };
  expect_error(ErrorCode::input, {"--clusters: too many"},
               [&] { check(info, {matrix("a", 2, 2)}); });
  expect_error(ErrorCode::usage, {"no input"}, [&] { check(info, {}); });
}

TEST(CheckInputs, RefusesNegativeValuesUnlessTheyAreAllowed) {
  MethodInfo info = method(InputKind::views, {.needs_nonnegative = true});
  const Dataset data(
      {matrix("a", 2, 2), Block("b", Matrix(2, 2, to_array<double>({1, 0, 2, -3})))});
  const std::optional<Error> error =
      test::error_of([&] { check_inputs(info, data, info.make_options()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(std::string(error->what()).find("--allow-negative"), std::string::npos);
  info.options = {allow_negative_option()};
  Options options = info.make_options();
  expect_error(ErrorCode::input, {"b: negative value at row 2, column 2: -3", "--allow-negative"},
               [&] { check_inputs(info, data, options); });
  options.set("allow-negative", "yes");
  EXPECT_NO_THROW(check_inputs(info, data, options));
  options.set("allow-negative", "no");
  EXPECT_NO_THROW(check_inputs(info, Dataset({matrix("a", 2, 2), matrix("b", 2, 1)}), options));
}

TEST(CheckMemory, RefusesWithTheNumbers) {
  EXPECT_NO_THROW(check_memory(100, 100));
  expect_error(ErrorCode::memory, {"needs about 12.3 MB", "may use 1.0 MB", "--memory-limit"},
               [] { check_memory(12345678, 1e6); });
  expect_error(ErrorCode::memory, {"--memory-limit"}, [] { check_memory(std::nan(""), 1e6); });
  MethodInfo info = method(InputKind::matrix);
  const Dataset data(Matrix(2, 3));
  const double without = estimate_bytes(info, data, info.make_options());
  EXPECT_GE(without, 48);  // the data, and what any program takes
  EXPECT_LE(without, 2e7);
  info.peak_bytes = [](const Dataset&, const Options&) { return 100.0; };
  EXPECT_EQ(estimate_bytes(info, data, info.make_options()), without + 100);
}

TEST(RequireNonnegative, NamesTheFirstNegativeValue) {
  EXPECT_NO_THROW(
      require_nonnegative(Block("a", Matrix(1, 2, to_array<double>({-0.0, 3}))), "square them"));
  EXPECT_NO_THROW(require_nonnegative(Block("a", Matrix(1, 1, to_array<double>({std::nan("")}))),
                                      "square them"));
  expect_error(ErrorCode::input, {"a: negative value at row 2, column 1: -1", "square them"}, [] {
    require_nonnegative(Block("a", Matrix(2, 2, to_array<double>({1, 2, -1, -2}))), "square them");
  });
  expect_error(ErrorCode::input, {"(1, 1, 2)"}, [] {
    require_nonnegative(Block("t", Tensor({1, 1, 2}, to_array<double>({1, -2}))), "square them");
  });
}

}  // namespace
}  // namespace gingham
