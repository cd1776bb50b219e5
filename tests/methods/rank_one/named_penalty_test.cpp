// --penalty of rank-one terms: every word that goes with unit vectors, and why the others do not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"

namespace gingham {
namespace {

Matrix bumps(Index rows, Index cols, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "bumps");
  Matrix x(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      const double bump = std::exp(-0.5 * std::pow((static_cast<double>(j) - 6.0) / 2.0, 2));
      x(i, j) = (i < rows / 2 ? 5.0 * bump : 0.0) + 0.5 * rng.normal();
    }
  }
  return x;
}

Dataset data_for(const std::string& method, bool holes) {
  std::vector<Block> blocks;
  Rng rng = Rng::named(1, "holes");
  for (Index i = 0; i < (method == "ssvd" ? 1 : 3); ++i) {
    Matrix x = bumps(14, 12, static_cast<std::uint64_t>(i));
    for (double& value : x.values()) value = holes && rng.uniform() < 0.15 ? std::nan("") : value;
    blocks.emplace_back("X" + std::to_string(i), std::move(x));
  }
  return Dataset(std::move(blocks));
}

Options options_for(const std::string& method, const std::string& penalty) {
  Options options = find_method(method).make_options();
  options.set("penalty", penalty);
  options.set("clusters", "2");
  options.set("max-iterations", "2000");
  return options;
}

double empty_objective(const Dataset& data) {
  double total = 0.0;
  for (const Block& block : data.blocks()) {
    for_each_entry(block, [&](std::span<const Index>, double x) {
      total += std::isnan(x) ? 0.0 : 0.5 * x * x;
    });
  }
  return total;
}

TEST(NamedPenalty, EveryWordThatGoesWithUnitVectorsFitsAndVerifies) {
  for (const std::string method : {"ssvd", "evolving"}) {
    for (const std::string words : {"nonneg", "l1:0.5", "nonneg+l1:20%", "top:4", "nonneg+top:5",
                                    "fused:10%", "nonneg+fused:0.5", "nonneg+unimodal"}) {
      for (const std::string mode : {"rows", "columns"}) {
        for (const bool holes : {false, true}) {
          if (holes && words.starts_with("nonneg")) continue;
          SCOPED_TRACE(method + " " + mode + "=" + words + (holes ? " with holes" : ""));
          const Dataset data = data_for(method, holes);
          const Result result =
              run(find_method(method), data, options_for(method, mode + "=" + words));
          EXPECT_TRUE(result.status == Status::converged || result.status == Status::cycle);
          if (result.status == Status::converged) {
            EXPECT_LE(result.terms.gap(), 1e-6);
          }
          EXPECT_LT(result.terms.objective(), empty_objective(data));
          const Verification verification = verify_result(data, result);
          EXPECT_TRUE(verification.passed())
              << (verification.passed() ? "" : verification.differences[0]);
          const std::string name =
              std::string(mode == "rows" ? "u" : "v") + (method == "ssvd" ? "" : "_1");
          const Matrix& factor = result.matrix(name);
          Index n_members = 0;
          for (Index r = 0; r < factor.rows(); ++r) {
            if (words.starts_with("nonneg")) {
              EXPECT_GE(factor(r, 0), 0.0);
            }
            n_members += factor(r, 0) != 0.0 ? 1 : 0;
          }
          EXPECT_GT(n_members, 0);
          if (words == "top:4") {
            EXPECT_LE(n_members, 4);
          }
        }
      }
    }
  }
}

TEST(NamedPenalty, GroupsOfRowsComeAndGoTogether) {
  for (const std::string method : {"ssvd", "evolving"}) {
    for (const std::string word : {"group", "groupmax"}) {
      SCOPED_TRACE(method + " " + word);
      const Dataset data = data_for(method, false);
      Options options = options_for(method, "rows=" + word + ":groups.txt,40%");
      std::vector<std::string> lines(14, "signal");
      std::fill(lines.begin() + 7, lines.end(), "noise");
      options.attach("penalty.rows", lines);
      options.set("clusters", "1");
      const Result result = run(find_method(method), data, options);
      EXPECT_EQ(result.status, Status::converged);
      const Matrix& u = result.matrix(method == "ssvd" ? "u" : "u_1");
      for (Index r = 0; r < 14; ++r) EXPECT_EQ(u(r, 0) != 0.0, r < 7) << r;
      const Verification verification = verify_result(data, result);
      EXPECT_TRUE(verification.passed())
          << (verification.passed() ? "" : verification.differences[0]);
    }
  }
}

// One name for the same thing: L1 by the method's own option and by --penalty.
TEST(NamedPenalty, L1IsTheMethodsOwnSparsity) {
  for (const std::string method : {"ssvd", "evolving"}) {
    const Dataset data = data_for(method, false);
    Options named = options_for(method, "rows=l1:0.7 columns=l1:1.3");
    Options own = find_method(method).make_options();
    own.set("clusters", "2");
    own.set("row-sparsity", "0.7");
    own.set("column-sparsity", "1.3");
    if (method == "ssvd") own.set("adaptive", "0");
    const double expected = run(find_method(method), data, own).terms.objective();
    EXPECT_NEAR(run(find_method(method), data, named).terms.objective(), expected, 1e-7 * expected);
  }
}

TEST(NamedPenalty, WhatItCannotBeIsRefusedWithTheReason) {
  const auto refusal = [](const std::string& method, const std::string& penalty,
                          const std::vector<std::pair<std::string, std::string>>& more = {}) {
    try {
      Options options = options_for(method, penalty);
      for (const auto& [name, text] : more) options.set(name, text);
      run(find_method(method), data_for(method, false), options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
      return std::string(error.what());
    }
    ADD_FAILURE() << method << " took " << penalty;
    return std::string();
  };
  for (const std::string words : {"ridge:1", "smooth:1", "ball", "simplex", "box:2"}) {
    EXPECT_NE(refusal("ssvd", "rows=" + words).find("length 1"), std::string::npos) << words;
  }
  EXPECT_NE(refusal("ssvd", "rows=nonneg", {{"row-sparsity", "2"}}).find("row-sparsity"),
            std::string::npos);
  EXPECT_NE(refusal("ssvd", "mode_2=nonneg").find("mode_2"), std::string::npos);
  EXPECT_NE(refusal("evolving", "columns=nonneg", {{"column-fusion", "2"}}).find("column-fusion"),
            std::string::npos);
}

TEST(NamedPenalty, NewItemsObeyIt) {
  const Dataset data = data_for("ssvd", false);
  const Result fit = run(find_method("ssvd"), data, options_for("ssvd", "rows=nonneg+l1:20%"));
  ThreadPool pool(1);
  Context ctx(pool, 0, 0);
  const auto& transform = find_method("ssvd").transform;
  const Transformed found = transform(data, fit.options, fit.model, 0, ctx);
  const Matrix &before = fit.matrix("u"), &after = std::get<Matrix>(found.arrays[0].values);
  for (Index e = 0; e < before.size(); ++e) EXPECT_NEAR(after.data()[e], before.data()[e], 1e-5);
  const Result top = run(find_method("ssvd"), data, options_for("ssvd", "rows=top:4"));
  EXPECT_THROW(transform(data, top.options, top.model, 0, ctx), Error);
  EXPECT_NO_THROW(transform(data, top.options, top.model, 1, ctx));
}

}  // namespace
}  // namespace gingham
