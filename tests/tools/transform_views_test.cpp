#include "gingham/tools/transform_views.hpp"

#include <gtest/gtest.h>

#include "support/arrays.hpp"

namespace gingham {
namespace {

using test::expect_error;

MethodInfo of_views() {
  MethodInfo info;
  info.name = "some-method";
  info.input = InputKind::views;
  info.arrays = {{"omega", ""}, {"u_<i>", ""}};
  return info;
}

std::vector<InputSummary> fitted() {
  std::vector<InputSummary> inputs(3);
  inputs[0] = {"a", {9, 2}, 0, 0, ""};
  inputs[1] = {"b", {9, 5}, 0, 0, ""};
  inputs[2] = {"c", {9, 3}, 0, 0, ""};
  return inputs;
}

TEST(TransformViews, AllOfThemUnlessSaid) {
  EXPECT_EQ(places_of({}, of_views(), fitted(), 3), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(places_of({2, 0}, of_views(), fitted(), 2), (std::vector<Index>{2, 0}));
  const auto refused = [](const std::vector<Index>& views, Index n_given,
                          const std::vector<std::string>& says) {
    expect_error(ErrorCode::usage, says, [&] { places_of(views, of_views(), fitted(), n_given); });
  };
  refused({}, 2, {"2 inputs were given", "3 views", "--views 0,2"});
  refused({}, 1, {"1 input was given"});
  refused({0, 3}, 2, {"--views", "no view 3", "0 to 2"});
  refused({-1}, 1, {"--views", "no view -1"});
  refused({1, 1}, 2, {"--views", "view 1 is there twice"});
  refused({0, 1}, 1, {"--views", "2 views for 1 inputs"});
  MethodInfo other = of_views();
  other.input = InputKind::matrix;
  expect_error(ErrorCode::usage, {"--views", "not a method of views"},
               [&] { places_of({0}, other, fitted(), 1); });
}

TEST(TransformViews, AViewThatIsNotThereHasNoObservedCell) {
  std::vector<Block> given;
  given.emplace_back("new c", Matrix(4, 3));
  given.emplace_back("new a", Matrix(4, 2));
  const Dataset data = in_places(std::move(given), {2, 0}, fitted());
  ASSERT_EQ(data.size(), 3);
  EXPECT_EQ(data.block(0).name(), "new a");
  EXPECT_EQ(data.block(2).name(), "new c");
  EXPECT_EQ(data.block(1).shape(), (Shape{4, 5}));
  EXPECT_EQ(data.block(1).summary().missing, 20);
  EXPECT_EQ(data.block(1).summary().listed, 0);
  EXPECT_TRUE(is_of_absent_view("u_1", of_views(), {2, 0}, 3));
  for (const char* name : {"u_0", "u_2", "omega", "u_3"})
    EXPECT_FALSE(is_of_absent_view(name, of_views(), {2, 0}, 3)) << name;
}

}  // namespace
}  // namespace gingham
