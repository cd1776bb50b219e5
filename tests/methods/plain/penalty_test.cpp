// The values that verify goes by: by hand, and those of the penalties themselves.
#include "gingham/methods/plain/penalty.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/engine/registry.hpp"

namespace gingham {
namespace {

using methods::plain::AskedPenalty;
using methods::plain::Reals;

const std::vector<std::string> kGroups{"a", "a", "b", "b,c", ""};

Options options_with(const std::string& words) {
  Options options = find_method("parafac").make_options();
  options.set("penalty", "mode_0=" + words);
  if (words.find("group") != std::string::npos) options.attach("penalty.mode_0", kGroups);
  return options;
}

double plain_value(const std::string& words, const std::vector<double>& z,
                   const std::vector<double>& observed) {
  const AskedPenalty asked(options_with(words), {}, "mode_0", std::ssize(z));
  return static_cast<double>(asked.value(Reals(z.begin(), z.end()), observed).value());
}

TEST(PlainPenalty, ValuesAreThoseOfTheFormulas) {
  const std::vector<double> z{3.0, 4.0, 0.0, -2.0, -1.0}, all(5, 1.0), last_lost{1, 1, 1, 1, 0};
  const auto expect = [&](const std::string& words, double value) {
    EXPECT_DOUBLE_EQ(plain_value(words, z, all), value) << words;
  };
  expect("free", 0.0);
  expect("l1:0.5", 5.0);
  expect("ridge:3", 45.0);
  expect("top:4", 0.0);
  expect("unimodal", HUGE_VAL);  // -1 after -2
  expect("fused:2", 16.0);
  expect("smooth:1e+0", 22.0);
  expect("group:g.txt,2", 2.0 * (5.0 + 2.0 + 2.0));
  expect("groupmax:g.txt,1", 4.0 + 2.0 + 2.0);
  expect("l1:0.5+fused:2", 21.0);
  for (const char* const words : {"nonneg", "box", "top:3", "ball", "simplex"})
    expect(words, HUGE_VAL);
  // What was not observed pays nothing by itself.
  EXPECT_EQ(plain_value("l1:1+fused:1", z, last_lost), 9.0 + 8.0);
  EXPECT_EQ(plain_value("simplex", {0.5, 0.5, 0.0}, {1, 1, 0}), 0.0);
  EXPECT_EQ(plain_value("nonneg+unimodal", {0.0, 2.0, 2.0, 1.0}, {1, 1, 1, 1}), 0.0);
  EXPECT_EQ(plain_value("box:2", {0.25, 1.0}, {1, 1}), 2.5);
  EXPECT_EQ(plain_value("ball", {0.6, 0.8}, {1, 1}), 0.0);
}

// At minimisers, which lie in the domain.
TEST(PlainPenalty, ValuesAreThoseOfThePenalties) {
  Rng rng = Rng::named(1, "plain penalties");
  for (const std::string words :
       {"free", "nonneg+l1:0.3", "box:0.2", "ridge:0.4", "l1:0.1+ridge:2", "nonneg+top:2",
        "fused:0.3", "nonneg+l1:0.2+fused:0.3", "smooth:0.5", "nonneg+l1:0.1+smooth:0.5",
        "nonneg+unimodal", "simplex", "nonneg+ball", "group:g.txt,0.3",
        "nonneg+l1:0.1+groupmax:g.txt,0.3"}) {
    const Options options = options_with(words);
    const auto made = asked_penalty(options, "mode_0")
                          ->make(asked_penalty(options, "mode_0")->numbers(),
                                 penalty_groups(options, "mode_0", 5));
    for (int round = 0; round < 30; ++round) {
      std::vector<double> b(5), h(5), z(5), observed(5);
      for (std::size_t j = 0; j < b.size(); ++j) {
        observed[j] = h[j] = rng.uniform() < 0.2 ? 0.0 : 1.0;
        b[j] = h[j] * 2.0 * rng.normal();
      }
      made->minimise(b, h, z);
      const double value = made->value(z, observed);
      EXPECT_NEAR(plain_value(words, z, observed), value, 1e-12 * (1.0 + value)) << words;
    }
  }
}

TEST(PlainPenalty, NumbersOfPercentagesAreThoseOfTheResult) {
  Options options = find_method("nmf").make_options();
  options.set("penalty", "columns=nonneg+l1:10% rows=nonneg+fused:20%");
  Model model;
  model.used = {{"penalty", {0.0, 3.0, 0.0, 7.0}}};
  const AskedPenalty rows(options, model, "rows", 3), columns(options, model, "columns", 3);
  EXPECT_EQ(rows.value({1, 2, 4}, {1, 1, 1}), 21.0L);
  EXPECT_EQ(columns.value({1, 2, 4}, {1, 1, 1}), 21.0L);
  EXPECT_THROW(AskedPenalty(options, {}, "rows", 3), Error);
  EXPECT_FALSE(AskedPenalty(options, model, "mode_0", 3).is_asked());
}

}  // namespace
}  // namespace gingham
