// Fits of arrays with planted blocks, and how results are compared.
#pragma once
#include <gtest/gtest.h>

#include <numeric>

#include "gingham/engine/run.hpp"
#include "gingham/methods/tensor/simulate.hpp"
#include "gingham/metrics/cell_classification.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/tensor/random_data.hpp"

namespace gingham::testing {

using Given = std::vector<std::pair<std::string, std::string>>;

inline Simulation simulated(const Given& given, std::uint64_t seed) {
  const Simulator simulator = methods::tensor::simulator();
  Options options(simulator.options);
  for (const auto& [name, text] : given) options.set(name, text);
  return simulator.make(options, Rng::named(seed, "planted"));
}

inline std::vector<CoCluster> coclusters(const std::vector<Membership>& memberships, Index count) {
  std::vector<CoCluster> clusters(static_cast<std::size_t>(count));
  for (const Membership& mode : memberships) {
    for (CoCluster& cluster : clusters) cluster.modes.emplace_back();
    for (const Member& member : mode.members) {
      clusters[member.component].modes.back().push_back(member.item);
    }
  }
  return clusters;
}

inline CellScores scores(const Result& result, const Simulation& made, Index planted) {
  return classify_cells(coclusters(result.model.memberships, std::ssize(result.model.components)),
                        coclusters(made.memberships, planted), made.blocks[0].shape(),
                        Unmatched::wrong);
}

inline void expect_verified(const Dataset& data, const Result& result) {
  const Verification verification = verify_result(data, result);
  EXPECT_TRUE(verification.passed()) << (verification.passed() ? "" : verification.differences[0]);
}

// The settings of the other one where both name an option.
inline std::vector<Setting> with(std::vector<Setting> settings, const std::vector<Setting>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

inline std::vector<double> used(const Result& result, const std::string& option) {
  for (const UsedValues& one : result.model.used) {
    if (one.option == option) return one.values;
  }
  return {};
}

inline std::vector<std::vector<Index>> same_order(const Shape& shape) {
  std::vector<std::vector<Index>> order;
  for (const Index size : shape) {
    order.emplace_back(static_cast<std::size_t>(size));
    std::iota(order.back().begin(), order.back().end(), Index{0});
  }
  return order;
}

// Item i of mode n becomes item order[n][i].
inline Tensor permuted(const Tensor& x, const std::vector<std::vector<Index>>& order) {
  Tensor y(x.shape());
  std::vector<Index> at(order.size(), 0);
  for (const double cell : x.values()) {
    Index to = 0;
    for (std::size_t n = 0; n < at.size(); ++n) {
      to = to * x.shape()[static_cast<Index>(n)] + order[n][at[n]];
    }
    y.data()[to] = cell;
    for (std::size_t n = at.size(); n-- > 0;) {
      if (++at[n] < x.shape()[static_cast<Index>(n)]) break;
      at[n] = 0;
    }
  }
  return y;
}

// The same factors, mode n of the one being mode modes[n] of the other, items in another order
// where `order` (of the one's modes) says so. Two columns of a component may change their signs
// together.
inline void expect_same_fit(const Result& one, const Result& other, double tolerance,
                            const std::vector<std::vector<Index>>& order,
                            const std::vector<Index>& modes = {}) {
  EXPECT_EQ(one.status, other.status);
  EXPECT_NEAR(one.terms.objective(), other.terms.objective(),
              std::min(tolerance, 1e-10) * one.terms.objective());
  // Restarts that reach the same optimum tie, and the last bit says which of them is kept.
  const double allowed =
      one.best_restart == other.best_restart ? tolerance : std::max(tolerance, 1e-6);
  std::vector<double> signs(one.model.components.size(), 1.0);
  for (Index n = 0; n < std::ssize(order); ++n) {
    const Index there = modes.empty() ? n : modes[n];
    const Matrix &a = one.matrix("mode_" + std::to_string(n)),
                 &b = other.matrix("mode_" + std::to_string(there));
    ASSERT_EQ(a.rows(), b.rows());
    ASSERT_EQ(a.cols(), b.cols());
    for (Index k = 0; k < a.cols(); ++k) {
      Index top = 0;
      for (Index i = 0; i < a.rows(); ++i) top = std::abs(a(i, k)) > std::abs(a(top, k)) ? i : top;
      const double sign = a(top, k) * b(order[n][top], k) < 0.0 ? -1.0 : 1.0;
      signs[k] *= sign;
      double off = 0.0;
      for (Index i = 0; i < a.rows(); ++i) {
        off = std::max(off, std::abs(a(i, k) - sign * b(order[n][i], k)));
      }
      EXPECT_LE(off, allowed * std::abs(a(top, k))) << "mode " << n << " component " << k;
    }
  }
  for (const double sign : signs) EXPECT_EQ(sign, 1.0);
}

}  // namespace gingham::testing
