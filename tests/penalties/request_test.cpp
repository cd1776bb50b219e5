#include "gingham/penalties/request.hpp"

#include <gtest/gtest.h>

#include "gingham/base/rng.hpp"
#include "gingham/base/text.hpp"

namespace gingham {
namespace {

using Values = std::vector<double>;

std::string refusal_of(const std::string& text) {
  try {
    PenaltyRequest::parse(text, "--penalty rows");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

TEST(PenaltyRequest, EveryWordHasAnExampleThatReadsBack) {
  for (const PenaltyWord& word : penalty_words()) {
    const PenaltyRequest request = PenaltyRequest::parse(word.example, "--penalty rows");
    EXPECT_EQ(request.text(), word.example);
    EXPECT_NE(word.example.find(word.word), std::string::npos);
    EXPECT_FALSE(word.help.empty());
    EXPECT_TRUE(static_cast<bool>(word.make) != static_cast<bool>(word.adjust)) << word.word;
  }
}

TEST(PenaltyRequest, RefusesWithThePlaceAndTheRemedy) {
  EXPECT_NE(refusal_of("nonneg+lasso:3").find("position 8"), std::string::npos);
  EXPECT_NE(refusal_of("nonneg+lasso:3").find("there is no penalty 'lasso'"), std::string::npos);
  EXPECT_NE(refusal_of("l1").find("needs a weight; type l1:20%"), std::string::npos);
  EXPECT_NE(refusal_of("l1:-1").find("at least 0"), std::string::npos);
  EXPECT_NE(refusal_of("l1:nan").find("at least 0"), std::string::npos);
  EXPECT_NE(refusal_of("top:1.5").find("whole number"), std::string::npos);
  EXPECT_NE(refusal_of("top:10%").find("whole number"), std::string::npos);
  EXPECT_NE(refusal_of("nonneg:3").find("takes no number"), std::string::npos);
  EXPECT_NE(refusal_of("simplex:5%").find("takes no number"), std::string::npos);
  EXPECT_NE(refusal_of("fused:1+smooth:1").find("cannot be added"), std::string::npos);
  EXPECT_NE(refusal_of("l1:1+smooth:1").find("add nonneg"), std::string::npos);
  EXPECT_NE(refusal_of("l1:1+simplex").find("the sum is 1"), std::string::npos);
  EXPECT_NE(refusal_of("nonneg+nonneg").find("stands twice"), std::string::npos);
  EXPECT_NE(refusal_of("group:3").find("needs a file and a weight"), std::string::npos);
  EXPECT_NE(refusal_of("").find("there is no penalty ''"), std::string::npos);
  EXPECT_EQ(refusal_of("nonneg+l1:1e+3"), "");
}

TEST(PenaltyRequest, OneHundredPerCentLeavesNothing) {
  Rng rng = Rng::named(3, "requests");
  for (const char* words : {"l1", "nonneg+l1", "box", "fused:0.3+l1", "nonneg+fused:0.3+l1",
                            "nonneg+smooth:0.2+l1", "top:2+l1"}) {
    for (int k = 0; k < 40; ++k) {
      Values b(6), z(6);
      for (double& x : b) x = rng.normal();
      const auto with = [&](double percent) {
        const auto request =
            PenaltyRequest::parse(words + (":" + to_text(percent) + "%"), "--penalty rows");
        request.make(request.numbers(request.maxima(b, 2.0)))->minimise(b, 2.0, z);
        return std::all_of(z.begin(), z.end(), [](double x) { return x == 0.0; });
      };
      const bool has_any = !with(0.0);
      EXPECT_TRUE(with(100.0)) << words;
      EXPECT_TRUE(!has_any || !with(99.9)) << words;
    }
  }
}

TEST(PenaltyRequest, PercentagesOfSquaresAreOfTheLargestCurvature) {
  const auto request = PenaltyRequest::parse("nonneg+smooth:50%", "--penalty rows");
  EXPECT_EQ(request.numbers(request.maxima(Values{1, 2}, Values{3, 4})), (Values{0, 2}));
  EXPECT_EQ(request.text(Values{0, 2}), "nonneg+smooth:2");
}

TEST(ModePenalties, AreReadByMode) {
  const auto found = parse_mode_penalties("rows=nonneg+l1:3  mode_2=top:4", "--penalty");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].mode, "mode_2");
  EXPECT_EQ(to_text(found), "rows=nonneg+l1:3 mode_2=top:4");
  EXPECT_THROW(parse_mode_penalties("rows=l1:1 rows=nonneg", "--penalty"), Error);
  EXPECT_THROW(parse_mode_penalties("l1:1", "--penalty"), Error);
}

}  // namespace
}  // namespace gingham
