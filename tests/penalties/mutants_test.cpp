// Wrong penalties that the contract must catch. Each is a true penalty with one fault.
#include <gtest/gtest.h>

#include <cstdio>

#include "gingham/kernels/tv_prox.hpp"
#include "penalties/all_penalties.hpp"

namespace gingham {
namespace {

using contract::Case;
using contract::Violations;

constexpr Index kCases = 2000;

struct ShrinksBeforeClip : NonnegGroupL2 {
  void prox(Vec v, double step) const {
    GroupL2{lambda}.prox(v, step);
    Nonneg{}.prox(v, step);
  }
};
struct ForgetsStepInGroup : NonnegGroupL2 {
  void prox(Vec v, double step) const { NonnegGroupL2::prox(v, step > 0.0 ? 1.0 : 0.0); }
};
struct ShrinksTooLittle : NonnegGroupL2 {
  void prox(Vec v, double step) const { NonnegGroupL2::prox(v, step * (1.0 - 1e-6)); }
};
struct ForgetsStep : L1 {
  void prox(Vec v, double step) const { L1::prox(v, step > 0.0 ? 1.0 : 0.0); }
};
struct ShrinksEntriesTooLittle : L1 {
  void prox(Vec v, double step) const { L1::prox(v, step * (1.0 - 1e-6)); }
};
struct AcceptsNan : L1 {
  void prox(Vec v, double step) const {
    for (double& x : v) x = norms::soft(x, step * lambda);
  }
};
struct ClipsBeforeShrink : BoxL1 {
  void prox(Vec v, double step) const {
    require_prox_input(v, step);
    for (double& x : v) x = norms::soft(std::clamp(x, low, high), step * lambda);
  }
};
struct KeepsTies : TopK {
  void prox(Vec v, double step) const {
    std::vector<double> kept(v.begin(), v.end());
    TopK::prox(kept, step);
    double smallest = kInfinity;
    for (const double x : kept) smallest = x != 0.0 ? std::min(smallest, std::abs(x)) : smallest;
    for (double& x : v) x = std::abs(x) >= smallest ? x : 0.0;
  }
};
struct KeepsTheFirst : TopK {
  void prox(Vec v, double step) const {
    require_prox_input(v, step);
    Index left = k;
    for (double& x : v) x = x != 0.0 && left-- > 0 ? x : 0.0;
  }
};
// The l_infinity norm is dual to the l1 norm; this one takes the Euclidean ball.
struct WrongDualNorm : GroupLinf {
  void prox(Vec v, double step) const {
    std::vector<double> nearest(v.begin(), v.end());
    L2Ball{step * lambda}.prox(nearest, step);
    for (std::size_t j = 0; j < v.size(); ++j) v[j] -= nearest[j];
  }
};
struct ThresholdsBeforeFusing : Fused {
  void prox(Vec v, double step) const {
    L1{alpha}.prox(v, step);
    tv_prox(v, step * gamma);
  }
};
struct FusesTooLittle : Fused {
  void prox(Vec v, double step) const {
    require_prox_input(v, step);
    tv_prox(v, step * gamma * (1.0 - 1e-6));
    for (double& x : v) x = norms::soft(x, step * alpha);
  }
};
struct CutsEntries : L2Ball {
  void prox(Vec v, double step) const { BoxL1{0.0, -radius, radius}.prox(v, step); }
};
struct HalvesTheRidge : Ridge {
  void prox(Vec v, double step) const { Ridge{0.5 * lambda}.prox(v, step); }
};
struct GapIsAlwaysZero : GroupL2 {
  double stationarity_gap(ConstVec, ConstVec) const { return 0.0; }
};
struct GapForgetsThePenalty : L1 {
  double stationarity_gap(ConstVec, ConstVec gradient) const { return norms::l2(gradient); }
};
// How many cases each check catches; at least one must, at the exponents given (0.5: ordinary
// numbers).
template <class Make>
void expect_caught(const char* name, const Make& make, double exponent) {
  const Violations found = contract::check_penalty(name, make, kCases, 40, exponent);
  EXPECT_FALSE(found.none()) << name << " was not caught";
  std::string line;
  for (const char* check :
       {"rival", "gap", "swap", "gap too large", "gap too small", "step 0", "non-expansive",
        "idempotent", "value rises", "indicator", "NaN accepted"}) {
    if (found.cases(check) > 0)
      line += std::string("  ") + check + " " + to_text(found.cases(check));
  }
  std::printf("  %-24s of %d cases:%s\n", name, static_cast<int>(kCases), line.c_str());
}

TEST(PenaltyMutants, AreCaughtByTheContract) {
  const auto lambda = [](auto mutant) {
    return [mutant](Rng& r, const Case& c) {
      auto made = mutant;
      made.lambda = c.weight(r);
      return made;
    };
  };
  for (const double exponent : {0.5, 100.0}) {
    std::printf("scales 10^+-%g\n", exponent);
    expect_caught("shrink before clip", lambda(ShrinksBeforeClip{}), exponent);
    expect_caught("group forgets step", lambda(ForgetsStepInGroup{}), exponent);
    expect_caught("group 0.0001 % too little", lambda(ShrinksTooLittle{}), exponent);
    expect_caught("entry forgets step", lambda(ForgetsStep{}), exponent);
    expect_caught("entry 0.0001 % too little", lambda(ShrinksEntriesTooLittle{}), exponent);
    expect_caught("NaN accepted", lambda(AcceptsNan{}), exponent);
    expect_caught("wrong dual norm", lambda(WrongDualNorm{}), exponent);
    expect_caught("gap always zero", lambda(GapIsAlwaysZero{}), exponent);
    expect_caught("gap without penalty", lambda(GapForgetsThePenalty{}), exponent);
    expect_caught(
        "clip before shrink",
        [](Rng& r, const Case& c) { return ClipsBeforeShrink{contract::random_box(r, c)}; },
        exponent);
    expect_caught(
        "ties keep k + 1",
        [](Rng& r, const Case& c) { return KeepsTies{{contract::random_count(r, c)}}; }, exponent);
    expect_caught(
        "keeps the first k",
        [](Rng& r, const Case& c) { return KeepsTheFirst{{contract::random_count(r, c)}}; },
        exponent);
    expect_caught(
        "threshold before fusing",
        [](Rng& r, const Case& c) {
          return ThresholdsBeforeFusing{{c.weight(r), c.weight(r)}};
        },
        exponent);
    expect_caught(
        "fuses 0.0001 % too little",
        [](Rng& r, const Case& c) {
          return FusesTooLittle{{c.weight(r), c.weight(r)}};
        },
        exponent);
    expect_caught(
        "ball cuts entries",
        [](Rng& r, const Case& c) { return CutsEntries{{contract::random_radius(r, c)}}; },
        exponent);
    expect_caught(
        "ridge halved",
        [](Rng& r, const Case& c) { return HalvesTheRidge{contract::random_ridge(r, c)}; },
        exponent);
  }
}

}  // namespace
}  // namespace gingham
