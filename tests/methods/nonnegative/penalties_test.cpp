// --penalty MODE=... in nmf and groupnmf.
#include "methods/nonnegative/fits.hpp"

namespace gingham {
namespace {

using testing::Attached;
using testing::fit;
using testing::low_rank;
using testing::options_of;
using testing::runs_of_groups;

std::vector<Attached> lines_for(const std::string& penalty) {
  if (penalty.find("columns.txt") != std::string::npos)
    return {{"penalty.columns", runs_of_groups(12, 3)}};
  if (penalty.find("rows.txt") != std::string::npos)
    return {{"penalty.rows", runs_of_groups(10, 2)}};
  return {};
}

// Verified: the objective, the penalties, the gaps and what weights in per cent came to.
TEST(NmfPenalties, EveryWordIsFittedAndVerified) {
  Matrix x = low_rank(10, 12, 2, 0.2, 3);
  Matrix holes = x;
  for (Index i = 0; i < 10; ++i) holes(i, (5 * i) % 12) = std::nan("");
  for (const Matrix& data : {x, holes}) {
    for (const std::string penalty :
         {"columns=nonneg", "columns=nonneg+l1:0.1", "rows=nonneg+l1:20%",
          "rows=nonneg+l1:0.1 columns=nonneg+l1:0.2", "columns=nonneg+ridge:0.3",
          "columns=nonneg+l1:0.1+ridge:0.3", "columns=box", "columns=nonneg+top:4",
          "columns=nonneg+fused:10%", "columns=nonneg+l1:0.05+fused:0.1",
          "columns=nonneg+smooth:0.5", "rows=nonneg+smooth:5% columns=nonneg+l1:5%",
          "columns=nonneg+unimodal", "rows=nonneg+unimodal columns=nonneg+l1:0.1",
          "columns=simplex", "columns=nonneg+ball", "columns=nonneg+group:columns.txt,10%",
          "rows=nonneg+groupmax:rows.txt,0.1"}) {
      const Result result = fit("nmf", Dataset(data),
                                {{"rank", 2},
                                 {"restarts", 2},
                                 {"penalty", penalty},
                                 {"tolerance", 1e-5},
                                 {"max-iterations", 5000}},
                                lines_for(penalty));
      EXPECT_EQ(result.status, Status::converged) << penalty;
      EXPECT_LT(result.terms.loss, 0.5 * testing::sum_of_squares(Dataset(data))) << penalty;
    }
  }
}

// An item of which nothing was observed follows its neighbours and pays no L1: neither where it is
// updated nor where it is counted, or the scales of the columns never settle.
TEST(NmfPenalties, ItemsWithoutACellPayNothingByThemselves) {
  Matrix x = low_rank(10, 12, 2, 0.2, 8);
  for (const Index lost : {3, 4}) {
    for (Index j = 0; j < 12; ++j) x(lost, j) = std::nan("");
  }
  for (const char* solver : {"hals", "bpp"}) {
    for (const std::string penalty :
         {"rows=nonneg+l1:0.5+smooth:0.5", "rows=nonneg+l1:0.5+fused:0.3",
          "rows=nonneg+l1:0.5+smooth:0.5 columns=nonneg+l1:0.1"}) {
      const Result result = fit("nmf", Dataset(x),
                                {{"rank", 2},
                                 {"restarts", 1},
                                 {"solver", solver},
                                 {"penalty", penalty},
                                 {"tolerance", 1e-6},
                                 {"max-iterations", 1000}});
      EXPECT_EQ(result.status, Status::converged) << solver << " " << penalty;
    }
  }
}

// A column that costs nothing, such as a constant one, must not grow while that of the other
// factor, which pays, shrinks.
TEST(NmfPenalties, ScalesAreHeldWhereSomeColumnsCostNothing) {
  Matrix x(10, 12);
  Rng rng = Rng::named(5, "scales");
  for (Index j = 0; j < 12; ++j) {
    const double value = rng.uniform();
    for (Index i = 0; i < 10; ++i) x(i, j) = value;
  }
  for (const char* solver : {"hals", "bpp"}) {
    for (const std::string penalty : {"rows=nonneg+fused:0.1 columns=nonneg+l1:0.05",
                                      "rows=nonneg+smooth:0.1 columns=nonneg+ridge:0.05"}) {
      const Result result = fit("nmf", Dataset(x),
                                {{"rank", 1},
                                 {"restarts", 1},
                                 {"solver", solver},
                                 {"penalty", penalty},
                                 {"tolerance", 1e-8},
                                 {"max-iterations", 1000}});
      EXPECT_EQ(result.status, Status::converged) << solver << " " << penalty;
      double squares = 0.0;
      for (const double entry : result.matrix("W").values()) squares += entry * entry;
      EXPECT_NEAR(squares, 1.0, 1e-6) << solver << " " << penalty;
    }
  }
}

// Entries in single precision lie beside the domain by a rounding; what is stored lies in it.
TEST(NmfPenalties, DomainsHoldInSinglePrecision) {
  const Dataset data(low_rank(10, 12, 2, 0.2, 3));
  for (const std::string penalty : {"columns=simplex", "columns=nonneg+ball", "columns=box",
                                    "rows=nonneg+ball columns=nonneg+l1:0.1"}) {
    const Result result = fit("nmf", data,
                              {{"rank", 2},
                               {"restarts", 1},
                               {"penalty", penalty},
                               {"precision", "float"},
                               {"max-iterations", 200}});
    EXPECT_LT(result.terms.gap(), 1e-3) << penalty;
  }
}

TEST(NmfPenalties, WordsOfTheMethodAreTheSameAsPenaltiesOfModes) {
  const Dataset data(low_rank(10, 12, 2, 0.2, 4));
  const std::vector<Setting> common{{"rank", 2}, {"restarts", 1}, {"max-iterations", 30}};
  std::vector<Setting> words = common, modes = common;
  words.insert(words.end(), {{"penalty", "frobenius"}, {"alpha", 0.1}, {"beta", 0.2}});
  modes.push_back({"penalty", "rows=nonneg+ridge:0.2 columns=nonneg+ridge:0.4"});
  testing::expect_same(fit("nmf", data, words), fit("nmf", data, modes), 1e-12);
  const Result shrunk =
      fit("groupnmf", data, {{"rank", 2}, {"restarts", 1}, {"beta", 0.1}, {"max-iterations", 30}},
          {{"groups", testing::singletons(12)}});
  modes = common;
  modes.push_back({"penalty", "columns=nonneg+l1:0.1"});
  EXPECT_NEAR(fit("nmf", data, modes).terms.objective(), shrunk.terms.objective(),
              0.02 * shrunk.terms.objective());
}

TEST(NmfPenalties, AHundredPercentEmptiesTheFirstUpdate) {
  const Dataset data(low_rank(10, 12, 2, 0.2, 5));
  for (const char* solver : {"hals", "bpp"}) {
    const auto left = [&](const std::string& share) {
      const Result result = fit("nmf", data,
                                {{"rank", 2},
                                 {"restarts", 1},
                                 {"solver", solver},
                                 {"max-iterations", 1},
                                 {"penalty", "columns=nonneg+l1:" + share}});
      double sum = 0.0;
      for (const double one : result.matrix("H").values()) sum += one;
      return sum;
    };
    EXPECT_EQ(left("100%"), 0.0);
    EXPECT_GT(left("99%"), 0.0);
  }
}

// Data times a power of 2: the fit times the same, however large or small.
TEST(NmfPenalties, TheUnitOfTheDataDoesNotMatter) {
  Matrix x = low_rank(12, 10, 2, 0.2, 11);
  for (Index i = 0; i < 12; ++i) x(i, (5 * i) % 10) = x(i, (5 * i + 3) % 10) = std::nan("");
  const auto objective = [&](const std::string& penalty, const char* solver, const char* precision,
                             int exponent) {
    Matrix scaled = x;
    for (double& value : scaled.values()) value = std::ldexp(value, exponent);
    std::vector<Setting> settings{{"rank", 2},
                                  {"restarts", 1},
                                  {"solver", solver},
                                  {"precision", precision},
                                  {"max-iterations", 30}};
    if (!penalty.empty()) settings.push_back({"penalty", penalty});
    const Result result = fit("nmf", Dataset(scaled), settings);
    return std::ldexp(std::ldexp(result.terms.objective(), -exponent), -exponent);
  };
  for (const std::string penalty :
       {"", "rows=nonneg+l1:1%", "rows=nonneg+smooth:10%", "columns=nonneg+fused:5%",
        "rows=nonneg+unimodal", "columns=nonneg+top:4"}) {
    for (const char* const solver : {"hals", "bpp"}) {
      const bool is_convex =
          penalty.find("unimodal") == std::string::npos && penalty.find("top") == std::string::npos;
      if (solver == std::string("bpp") && !is_convex) continue;
      SCOPED_TRACE(penalty + " " + solver);
      const double once = objective(penalty, solver, "double", 0);
      for (const int exponent : {498, -498})
        EXPECT_NEAR(objective(penalty, solver, "double", exponent), once, 1e-9 * once) << exponent;
      const double single = objective(penalty, solver, "float", 0);
      EXPECT_NEAR(single, once, 1e-3 * once);
      EXPECT_NEAR(objective(penalty, solver, "float", 56), single, 1e-3 * single);
    }
  }
}

// Curvatures differ where cells are missing: a change costs those who saw much more than others.
TEST(NmfPenalties, AHundredPercentIsTightWhereCellsAreMissing) {
  Rng rng = Rng::named(9, "holes");
  for (const bool of_columns : {false, true}) {
    Matrix x = low_rank(30, 20, 1, 0.5, 10);
    for (Index i = 0; i < 30; ++i) {
      const double share = 0.05 + 0.9 * rng.uniform();
      for (Index j = 1; j < 20; ++j) x(i, j) = rng.uniform() < share ? std::nan("") : x(i, j);
    }
    if (of_columns) x = testing::transposed(x);
    const auto is_constant = [&](const std::string& share) {
      const Result result =
          fit("nmf", Dataset(x),
              {{"rank", 1},
               {"restarts", 1},
               {"max-iterations", 1},
               {"penalty", (of_columns ? "columns=nonneg+fused:" : "rows=nonneg+fused:") + share}});
      const Matrix& found = result.matrix(of_columns ? "H" : "W");
      for (const double one : found.values()) {
        if (std::abs(one - found.data()[0]) > 1e-9 * found.data()[0]) return false;
      }
      return true;
    };
    EXPECT_TRUE(is_constant("100%"));
    EXPECT_FALSE(is_constant("99%"));
  }
}

TEST(NmfPenalties, GroupsTakeAPenaltyOfTheOtherFactor) {
  const Dataset data(low_rank(10, 12, 2, 0.2, 6));
  for (const std::string penalty : {"rows=nonneg+l1:0.1", "rows=nonneg+smooth:1%", "rows=simplex",
                                    "rows=nonneg+top:5", "rows=nonneg+unimodal"}) {
    const Result result = fit("groupnmf", data,
                              {{"rank", 2},
                               {"restarts", 1},
                               {"beta", 0.1},
                               {"penalty", penalty},
                               {"tolerance", 1e-5},
                               {"max-iterations", 5000}},
                              {{"groups", runs_of_groups(12, 3)}});
    EXPECT_EQ(result.status, Status::converged) << penalty;
  }
}

TEST(NmfPenalties, WhatMakesNoSenseIsRefusedWithTheReason) {
  const Dataset data(low_rank(10, 12, 2, 0.2, 7));
  const auto refusal = [&](const char* method, std::vector<Setting> settings) -> std::string {
    settings.push_back({"rank", 2});
    try {
      run(find_method(method), data, options_of(method, settings));
    } catch (const Error& error) {
      return error.message();
    }
    return "";
  };
  const auto says = [](const std::string& text, const char* word) {
    EXPECT_NE(text.find(word), std::string::npos) << text;
  };
  says(refusal("nmf", {{"penalty", "columns=l1:1"}}), "nonneg");
  says(refusal("nmf", {{"penalty", "columns=box:1"}}), "bounded");
  says(refusal("nmf", {{"penalty", "rows=box columns=simplex"}}), "both factors are bounded");
  says(refusal("nmf", {{"penalty", "columns=nonneg+top:3"}, {"solver", "bpp"}}), "convex");
  says(refusal("nmf", {{"penalty", "mode_0=nonneg"}}), "no mode");
  says(refusal("nmf", {{"penalty", "columns=nonneg+l1:1"}, {"alpha", 0.1}}), "ridge");
  says(refusal("groupnmf", {{"penalty", "columns=nonneg+l1:1"}}), "beta");
  says(refusal("groupnmf", {{"penalty", "rows=nonneg+l1:1"}, {"alpha", 0.1}}), "alpha");
}

}  // namespace
}  // namespace gingham
