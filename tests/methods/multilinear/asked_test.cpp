// --penalty MODE=...: every word that a method takes is fitted and verified, the others are refused
// with a reason.
#include "gingham/methods/multilinear/asked.hpp"

#include <gtest/gtest.h>

#include "methods/tensor/planted.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using testing::dense_block;
using testing::expect_verified;
using testing::sparse_block;

struct Kind {
  const char* method;
  const char* model;  // empty: it has none
};
constexpr Kind kKinds[] = {{"tensor", "box"}, {"tensor", "plain"}, {"parafac", ""}};

Options options_of(const Kind& kind, const std::string& penalty) {
  Options options = find_method(kind.method).make_options();
  options.set(kind.method == std::string("tensor") ? "clusters" : "rank", "2");
  if (*kind.model != '\0') options.set("model", kind.model);
  options.set("penalty", penalty);
  options.set("restarts", "2");
  options.set("max-iterations", "2000");
  if (penalty.find("group") != std::string::npos) {
    options.attach("penalty.mode_1", {"a", "a", "b", "b", "b", "c", "c"});
  }
  return options;
}

Tensor array(bool has_holes) {
  Rng rng = Rng::named(3, "asked");
  Tensor x = testing::random_tensor({8, 7, 6}, 0, false, rng);
  for (Index cell = 0; cell < x.size() && has_holes; ++cell) {
    const bool is_fourth = cell / 6 % 7 == 4;  // nothing observed of item 4 of mode 1
    if (is_fourth || rng.uniform() < 0.2) x.data()[cell] = std::nan("");
  }
  return x;
}

TEST(AskedPenalty, WhatIsTakenIsFittedAndVerified) {
  const char* const penalties[] = {"nonneg",
                                   "l1:2",
                                   "nonneg+l1:10%",
                                   "box",
                                   "ridge:1",
                                   "nonneg+ridge:5%",
                                   "smooth:1",
                                   "fused:1",
                                   "nonneg+fused:5%",
                                   "top:3",
                                   "nonneg+top:3",
                                   "simplex",
                                   "unimodal",
                                   "nonneg+unimodal",
                                   "nonneg+ball",
                                   "nonneg+smooth:5%",
                                   "group:groups.txt,5%",
                                   "nonneg+groupmax:groups.txt,1"};
  int n_taken[] = {0, 0, 0};
  for (int which = 0; which < 3; ++which) {
    const Kind& kind = kKinds[which];
    for (const char* const penalty : penalties) {
      for (const bool has_holes : {false, true}) {
        const Tensor x = array(has_holes);
        const Dataset data(has_holes ? sparse_block(x, Unlisted::zero) : dense_block(x));
        const Options options = options_of(kind, "mode_1=" + std::string(penalty));
        SCOPED_TRACE(std::string(kind.method) + " " + kind.model + " " + penalty +
                     (has_holes ? " holes" : ""));
        try {
          const Result result = run(find_method(kind.method), data, options);
          ++n_taken[which];
          EXPECT_NE(result.status, Status::numerical_failure);
          if (result.status == Status::converged) {
            EXPECT_LE(result.terms.gap(), options.real("tolerance"));
          }
          for (std::size_t i = 1; i < result.trace.size(); ++i) {
            if (result.trace[i].component != result.trace[i - 1].component) continue;
            EXPECT_LE(result.trace[i].objective,
                      result.trace[i - 1].objective * (1.0 + 1e-9) + 1e-12);
          }
          EXPECT_TRUE(std::isfinite(result.terms.objective()));
          expect_verified(data, result);
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
          EXPECT_STREQ(kind.model, "box") << error.what();
          EXPECT_NE(std::string(error.what()).find("--model plain"), std::string::npos)
              << error.what();
        }
      }
    }
  }
  EXPECT_GE(n_taken[0], 12);
  EXPECT_EQ(n_taken[1], 36);
  EXPECT_EQ(n_taken[2], 36);
}

// Data times a power of 2: the fit times the same, however large.
TEST(AskedPenalty, TheUnitOfTheDataDoesNotMatter) {
  for (const bool has_holes : {false, true}) {
    const Tensor x = array(has_holes);
    for (const char* const penalty :
         {"mode_1=nonneg+fused:5%", "mode_1=nonneg+smooth:5%", "mode_1=nonneg+l1:5%"}) {
      std::vector<double> objectives;
      for (const int exponent : {0, 498, -498}) {
        Tensor scaled = x;
        for (Index e = 0; e < x.size(); ++e) scaled.data()[e] = std::ldexp(x.data()[e], exponent);
        const Dataset data(has_holes ? sparse_block(scaled, Unlisted::zero) : dense_block(scaled));
        Options options = options_of(kKinds[2], penalty);
        options.set("restarts", "1");
        options.set("max-iterations", "30");
        const Result result = run(find_method("parafac"), data, options);
        expect_verified(data, result);
        objectives.push_back(
            std::ldexp(std::ldexp(result.terms.objective(), -exponent), -exponent));
      }
      EXPECT_NEAR(objectives[1], objectives[0], 1e-9 * objectives[0]) << penalty;
      EXPECT_NEAR(objectives[2], objectives[0], 1e-9 * objectives[0]) << penalty;
    }
  }
}

void expect_in_ball(const Matrix& factor, const char* name) {
  for (Index k = 0; k < factor.cols(); ++k) {
    double squares = 0.0;
    for (Index i = 0; i < factor.rows(); ++i) squares += factor(i, k) * factor(i, k);
    EXPECT_LE(squares, 1.0 + 1e-9) << name;
  }
}

// Modes without a penalty lie in the unit ball beside one that costs, whichever items pay: a first
// item in no group pays nothing, and rescaling would undo the penalty of the others.
TEST(AskedPenalty, ScalesAreHeldWhicheverItemsPay) {
  const Dataset data(dense_block(array(false)));
  for (const char* const penalty :
       {"mode_1=nonneg+group:groups.txt,1", "mode_1=nonneg+groupmax:groups.txt,1"}) {
    SCOPED_TRACE(penalty);
    Options options = options_of(kKinds[2], penalty);
    options.attach("penalty.mode_1", {"", "a", "a", "b", "b", "b", "b"});
    const Result result = run(find_method("parafac"), data, options);
    EXPECT_EQ(result.status, Status::converged) << penalty;
    for (const char* const name : {"mode_0", "mode_2"}) expect_in_ball(result.matrix(name), name);
    expect_verified(data, result);
  }
}

// The same of a mode whose own penalty does not look at sizes.
TEST(AskedPenalty, ScalesAreHeldBesideTheSparsityOfOtherModes) {
  const Dataset data(dense_block(array(false)));
  for (const char* const penalty :
       {"mode_1=nonneg mode_0=nonneg+l1:0.5", "mode_1=nonneg+top:3 mode_0=nonneg+l1:0.5",
        "mode_1=nonneg+unimodal mode_0=nonneg+l1:0.5"}) {
    SCOPED_TRACE(penalty);
    Options options = options_of(kKinds[2], penalty);
    options.set("max-iterations", "3000");
    const Result result = run(find_method("parafac"), data, options);
    EXPECT_EQ(result.status, Status::converged) << penalty;
    for (const char* const name : {"mode_1", "mode_2"}) expect_in_ball(result.matrix(name), name);
    expect_verified(data, result);
  }
}

// And of one under which some columns cost nothing, such as constant ones. Where nothing else can
// hold the scale that is refused.
TEST(AskedPenalty, ScalesAreHeldWhereSomeColumnsCostNothing) {
  Tensor constant({8, 7, 6});
  Rng rng = Rng::named(4, "asked");
  std::vector<double> a(8), c(6);
  for (double& one : a) one = rng.uniform();
  for (double& one : c) one = rng.uniform();
  for (Index cell = 0; cell < constant.size(); ++cell)
    constant.data()[cell] = a[cell / 42] * c[cell % 6];
  const Dataset data(dense_block(constant));
  for (const char* const penalty :
       {"mode_1=fused:0.1 mode_0=nonneg+l1:0.05", "mode_1=smooth:0.1 mode_0=nonneg+l1:0.05",
        "mode_1=nonneg+group:groups.txt,0.1 mode_0=nonneg+l1:0.05"}) {
    SCOPED_TRACE(penalty);
    Options options = options_of(kKinds[2], penalty);
    options.set("rank", "1");
    options.set("tolerance", "1e-8");
    if (std::string(penalty).find("group") != std::string::npos)
      options.attach("penalty.mode_1", {"", "", "a", "a", "b", "b", "b"});
    const Result result = run(find_method("parafac"), data, options);
    EXPECT_EQ(result.status, Status::converged) << penalty;
    for (const char* const name : {"mode_1", "mode_2"}) expect_in_ball(result.matrix(name), name);
    expect_verified(data, result);
  }
}

// The largest percentage leaves nothing of a column at the start; half of it something.
TEST(AskedPenalty, APercentageIsOfWhatEmptiesTheFirstUpdate) {
  const Dataset data(dense_block(array(false)));
  for (const char* const share : {"100.001%", "50%"}) {
    Options options = options_of(kKinds[2], std::string("mode_0=nonneg+l1:") + share);
    options.set("restarts", "1");
    options.set("max-iterations", "1");
    const Result result = run(find_method("parafac"), data, options);
    const std::vector<double> weights = result.vector("weights");
    const bool is_empty = weights == std::vector<double>{0.0, 0.0};
    EXPECT_EQ(is_empty, std::string(share) != "50%");
  }
}

TEST(AskedPenalty, RefusesWhatHasNoScaleOrTwoOwners) {
  const Dataset data(dense_block(array(false)));
  const auto refused = [&](const Kind& kind, const std::string& penalty,
                           const std::vector<std::pair<std::string, std::string>>& more,
                           const std::string& word) {
    Options options = options_of(kind, penalty);
    for (const auto& [name, text] : more) options.set(name, text);
    test::expect_error(ErrorCode::usage, {word},
                       [&] { run(find_method(kind.method), data, options); });
  };
  refused(kKinds[0], "mode_1=l1:2", {{"sparsity", "3"}}, "sparsity");
  refused(kKinds[0], "mode_1=l1:2", {{"prune", "10%"}}, "--prune");
  refused(kKinds[0], "mode_1=simplex", {}, "--model plain");
  refused(kKinds[0], "mode_1=top:2", {{"signed", "yes"}}, "-1 to 1");
  refused(kKinds[2], "mode_7=l1:2", {}, "mode_7");
  refused(kKinds[2], "mode_1=box:5%", {}, "carry the size");
  refused(kKinds[2], "mode_0=simplex mode_1=box mode_2=ball", {}, "carry the size");
  refused(kKinds[2], "mode_0=fused:1 mode_1=smooth:1", {}, "add l1");
}

TEST(AskedPenalty, NewItemsObeyWhatSingleEntriesPay) {
  const Dataset data(dense_block(array(false)));
  ThreadPool pool(1);
  Context ctx(pool, 0, 0);
  for (const Kind& kind : kKinds) {
    const MethodInfo& info = find_method(kind.method);
    const Result fit = run(info, data, options_of(kind, "mode_0=nonneg+l1:20% mode_1=top:3"));
    const Transformed found = info.transform(data, fit.options, fit.model, 0, ctx);
    const Matrix &a = std::get<Matrix>(found.arrays.at(0).values), &b = fit.matrix("mode_0");
    for (Index i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(a.values()[i], b.values()[i], 1e-4) << kind.method << kind.model;
    }
    test::expect_error(ErrorCode::usage, {"one by one"},
                       [&] { info.transform(data, fit.options, fit.model, 1, ctx); });
  }
}

}  // namespace
}  // namespace gingham
