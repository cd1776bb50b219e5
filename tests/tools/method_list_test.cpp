#include "gingham/tools/method_list.hpp"

#include <gtest/gtest.h>

#include "support/arrays.hpp"

namespace gingham {
namespace {

std::vector<MethodInfo> known() {
  std::vector<MethodInfo> methods(2);
  methods[0].name = "a";
  methods[0].options = {
      integer_option("clusters", "1", 1, 9, ""),
      {.name = "row-sparsity", .type = OptionType::penalties, .initial = "auto", .words = {"auto"}},
      {.name = "rate", .type = OptionType::text}};
  methods[1].name = "b";
  methods[1].options = {integer_option("clusters", "1", 1, 9, "")};
  return methods;
}

// "a(clusters=3|row-sparsity=1,2) b()"
std::string parsed(const std::string& text) {
  static const std::vector<MethodInfo> methods = known();
  std::string shown;
  for (const MethodChoice& choice : parse_method_list(text, methods)) {
    shown += (shown.empty() ? "" : " ") + choice.info->name + "(";
    for (const auto& [name, value] : choice.settings)
      shown += (shown.ends_with('(') ? "" : "|") + name + "=" + value;
    shown += ")";
  }
  return shown;
}

TEST(MethodList, CommasAndColonsSeparateOrBelongToAValue) {
  EXPECT_EQ(parsed("a"), "a()");
  EXPECT_EQ(parsed("a,b,a"), "a() b() a()");
  EXPECT_EQ(parsed("a:clusters=3,b:clusters=4"), "a(clusters=3) b(clusters=4)");
  EXPECT_EQ(parsed("a:row-sparsity=1,2,b"), "a(row-sparsity=1,2) b()");
  EXPECT_EQ(parsed("a:row_sparsity=1,50%,auto:clusters=2,b"),
            "a(row-sparsity=1,50%,auto|clusters=2) b()");
  EXPECT_EQ(parsed("a:rate=natural:1,2:clusters=2"), "a(rate=natural:1,2|clusters=2)");
}

TEST(MethodList, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"", ",", "a,", "c", "a,c", "a:clusters=3,c", "b:clusters=3,4",
                           "a:", "a:3", "a:=3", "b:row-sparsity=1", "a:clusters=1,"}) {
    const std::optional<Error> error = test::error_of([&] { parsed(text); });
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->code(), ErrorCode::usage) << text;
    EXPECT_EQ(error->where(), "--methods") << text;
  }
}

}  // namespace
}  // namespace gingham
