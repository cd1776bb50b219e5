#include "gingham/tools/variation.hpp"

#include <gtest/gtest.h>

#include "support/arrays.hpp"

namespace gingham {
namespace {

Options options() {
  std::vector<OptionRecord> records = common_options();
  records.push_back({.name = "row-sparsity",
                     .type = OptionType::penalties,
                     .initial = "auto",
                     .min = 0,
                     .words = {"auto", "max"}});
  records.push_back(integer_option("clusters", "1", 1, 1000, ""));
  records.push_back(real_option("slope", "0", -100, 100, ""));
  records.push_back({.name = "solver", .type = OptionType::choice, .words = {"exact", "dual"}});
  return Options(std::move(records));
}

using Values = std::vector<std::string>;

Values values(const std::string& text) { return parse_variation(text, options()).values; }

TEST(Variation, WideRangesAreInEqualRatios) {
  EXPECT_EQ(values("row-sparsity=0.01:100:5"), (Values{"0.01", "0.1", "1", "10", "100"}));
  EXPECT_EQ(values("row-sparsity=0.01:100:5log"), values("row-sparsity=0.01:100:5"));
  EXPECT_EQ(values("row-sparsity=1:4:3log"), (Values{"1", "2", "4"}));
  EXPECT_EQ(values("row-sparsity=1000:1:4"), (Values{"1000", "100", "10", "1"}));
  EXPECT_EQ(values("row-sparsity=0.01:10000:13").size(), 13);
}

TEST(Variation, OtherRangesAreInEqualSteps) {
  EXPECT_EQ(values("row-sparsity=0:1:3"), (Values{"0", "0.5", "1"}));
  EXPECT_EQ(values("row-sparsity=1:9:5"), (Values{"1", "3", "5", "7", "9"}));
  EXPECT_EQ(values("row-sparsity=10:1000:3lin"), (Values{"10", "505", "1000"}));
  EXPECT_EQ(values("slope=-1:1:3"), (Values{"-1", "0", "1"}));
}

TEST(Variation, PercentagesWholeNumbersAndLists) {
  EXPECT_EQ(values("row-sparsity=10%:90%:5"), (Values{"10%", "30%", "50%", "70%", "90%"}));
  EXPECT_EQ(values("row-sparsity=1%:100%:3"), (Values{"1%", "10%", "100%"}));
  EXPECT_EQ(values("clusters=1:5:9lin"), (Values{"1", "2", "3", "4", "5"}));
  EXPECT_EQ(values("row-sparsity=0,1,10.0,50%,max"), (Values{"0", "1", "10", "50%", "max"}));
  EXPECT_EQ(values("seed=1,2"), (Values{"1", "2"}));
  EXPECT_EQ(parse_variation("--row_sparsity=1,2", options()).option, "row-sparsity");
}

TEST(Variation, EverythingElseIsRefused) {
  for (const char* text : {"",
                           "=",
                           "clusters",
                           "clusters=",
                           "=1:2:3",
                           "nothing=1:2:3",
                           "solver=exact,dual",
                           "threads=1:2:2",
                           "time-limit=1,2",
                           "row-sparsity=1:2",
                           "row-sparsity=1:2:3:4",
                           "row-sparsity=1:2:1",
                           "row-sparsity=1:2:0",
                           "row-sparsity=1:2:3x",
                           "row-sparsity=::3",
                           "row-sparsity=a:2:3",
                           "row-sparsity=1:nan:3",
                           "row-sparsity=1:inf:3",
                           "row-sparsity=0:2:3log",
                           "row-sparsity=1%:2:3",
                           "row-sparsity=-1:1:3",
                           "row-sparsity=1,,2",
                           "clusters=0:5:3",
                           "clusters=10%:50%:3",
                           "clusters=1,many",
                           "row-sparsity=1:2:99999"}) {
    const std::optional<Error> error = test::error_of([&] { values(text); });
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->code(), ErrorCode::usage) << text;
  }
}

}  // namespace
}  // namespace gingham
