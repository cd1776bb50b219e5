#include "gingham/engine/mode_penalties.hpp"

#include <gtest/gtest.h>

#include "gingham/penalties/entry_rule.hpp"

namespace gingham {
namespace {

using Values = std::vector<double>;

Options options_with(const std::string& text, std::vector<std::string> words = {}) {
  Options options({mode_penalties_option("Penalties of modes.", std::move(words))});
  options.set("penalty", text);
  return options;
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ModePenaltyOption, KeepsWhatWasAskedInOneForm) {
  const Options options = options_with(" rows=nonneg+l1:20%   columns=top:3 ");
  EXPECT_EQ(options.canonical("penalty"), "rows=nonneg+l1:20% columns=top:3");
  EXPECT_EQ(asked_penalty(options, "columns")->text(), "top:3");
  EXPECT_EQ(asked_penalty(options, "mode_0"), nullptr);
  EXPECT_TRUE(options.file_names().empty());
  const Options word = options_with("frobenius", {"none", "frobenius"});
  EXPECT_EQ(word.text("penalty"), "frobenius");
  EXPECT_TRUE(word.mode_penalties("penalty").empty());
  EXPECT_THROW(options_with("rows"), Error);
  EXPECT_THROW(options_with(""), Error);
}

TEST(ModePenaltyOption, HoldsTheGroupsThatAModeNames) {
  Options options = options_with("rows=group:genes.txt,2 columns=groupmax:sets.txt,10%");
  EXPECT_EQ(options.file_names(), (std::vector<std::string>{"penalty.columns", "penalty.rows"}));
  EXPECT_EQ(options.path("penalty.rows"), "genes.txt");
  EXPECT_FALSE(options.is_attached("penalty.rows"));
  const std::string before = options.identity("penalty");
  options.attach("penalty.rows", {"a", "a", "b"});
  EXPECT_TRUE(options.is_attached("penalty.rows"));
  EXPECT_NE(options.identity("penalty"), before);
  EXPECT_EQ(penalty_groups(options, "rows", 3)->count(), 2);
  EXPECT_EQ(penalty_groups(options, "mode_1", 3), nullptr);
  EXPECT_NE(message_of([&] { penalty_groups(options, "rows", 4); }).find("expected 4"),
            std::string::npos);
}

TEST(ModePenaltyOption, RefusesModesThatAreNotThereOrHaveAnOption) {
  const std::vector<std::string> modes{"rows", "columns"};
  const std::vector<Index> sizes{3, 4};
  EXPECT_NE(message_of([&] {
              check_mode_penalties(options_with("times=nonneg"), modes, sizes, {});
            }).find("there is no mode 'times'; there are rows columns"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              check_mode_penalties(options_with("rows=nonneg"), modes, sizes, {"row-sparsity", ""});
            }).find("has --row-sparsity as well"),
            std::string::npos);
  check_mode_penalties(options_with("columns=nonneg"), modes, sizes, {"row-sparsity", ""});
}

TEST(ModePenaltyOption, OfAFinishedFitHasTheNumbersThatWereUsed) {
  Options options = options_with("columns=nonneg+l1:50% rows=l1:2 mode_2=group:sets.txt,3");
  options.attach("penalty.mode_2", {"a", "b"});
  Model fitted;
  EXPECT_NE(message_of([&] { fitted_numbers(options, fitted); }).find("which numbers were used"),
            std::string::npos);
  fitted.used = {{"penalty", {0.0, 1.5, 2.0}}};
  EXPECT_THROW(fitted_numbers(options, fitted), Error);
  fitted.used = {{"sparsity", {7.0}}, {"penalty", {0.0, 1.5, 2.0, 3.0}}};
  EXPECT_EQ(fitted_numbers(options, fitted), (Values{0.0, 1.5, 2.0, 3.0}));
  const EntryRule columns = *fitted_penalty(options, fitted, "columns")->entry();
  EXPECT_TRUE(columns.l1 == 1.5 && columns.low == 0.0 && columns.high == kInfinity);
  const auto boxed = fitted_penalty(options, fitted, "rows", {.low = -1.0, .high = 1.0});
  EXPECT_TRUE(boxed->entry()->l1 == 2.0 && boxed->entry()->low == -1.0);
  EXPECT_EQ(boxed->entry()->high, 1.0);
  EXPECT_EQ(fitted_penalty(options, fitted, "mode_2")->value(Values{3.0, -4.0}), 21.0);
  EXPECT_EQ(fitted_penalty(options, fitted, "mode_3"), nullptr);
  const Options typed = options_with("columns=l1:3+ridge:4");
  EXPECT_EQ(fitted_numbers(typed, {}), (Values{3.0, 4.0}));
}

TEST(ModePenaltyOption, PercentagesTakeTheLargestOfTheColumnsSeen) {
  ModePenalties made(options_with("columns=nonneg+l1:50%"), {"rows", "columns"}, {3, 2});
  made.see(1, Values{1.0, -5.0}, 1.0);
  made.see(1, Values{3.0, 2.0}, 2.0);
  EXPECT_EQ(made.used().values[0], 0.0);
  EXPECT_NEAR(made.used().values[1], 1.5, 1e-11);
  Values z(2);
  made.make(1)->minimise(Values{2.0, 1.0}, 1.0, z);
  EXPECT_NEAR(z[0], 0.5, 1e-11);
  EXPECT_EQ(z[1], 0.0);
  EXPECT_TRUE(made.make(0)->entry()->is_free());
}

}  // namespace
}  // namespace gingham
