// Wrong penalties that the contract must catch. Each is a true penalty with one fault.
#include <gtest/gtest.h>

#include <cstdio>

#include "penalties/all_penalties.hpp"

namespace gingham {
namespace {

using contract::Case;
using contract::Make;
using contract::Values;
using contract::Violations;

using Minimise = std::function<void(const Penalty&, ConstVec b, Curvature h, Vec z)>;

// A penalty whose minimiser, gap or smallest_zero is replaced.
class Mutant final : public Penalty {
 public:
  Mutant(std::shared_ptr<const Penalty> truth, Minimise minimise, double gap_factor = 1.0)
      : truth_(std::move(truth)), minimise_(std::move(minimise)), gap_factor_(gap_factor) {}
  PenaltyTraits traits() const override { return truth_->traits(); }
  double value(ConstVec z, Curvature h) const override { return truth_->value(z, h); }
  void minimise(ConstVec b, Curvature h, Vec z) const override { minimise_(*truth_, b, h, z); }
  double gap(ConstVec z, ConstVec b, Curvature h) const override {
    return gap_factor_ * truth_->gap(z, b, h);
  }
  double smallest_zero(ConstVec b, Curvature h) const override {
    return truth_->smallest_zero(b, h);
  }
  std::unique_ptr<Penalty> times(double c) const override { return truth_->times(c); }

 private:
  std::shared_ptr<const Penalty> truth_;
  Minimise minimise_;
  double gap_factor_;
};

void expect_caught(const char* name, const Make& truth, const Minimise& fault,
                   double gap_factor = 1.0) {
  const Make make = [&](Rng& r, const Case& c) -> std::unique_ptr<Penalty> {
    return std::make_unique<Mutant>(truth(r, c), fault, gap_factor);
  };
  const Violations found = contract::check_penalty(name, make, 300, 24, 0.5);
  EXPECT_FALSE(found.none()) << name << " was not caught";
  std::string line;
  for (const auto& [check, cases] : found.cases()) line += "  " + check + " " + to_text(cases);
  std::printf("  %-28s of 300 cases:%s\n", name, line.c_str());
}

void plain(const Penalty& p, ConstVec b, Curvature h, Vec z) { p.minimise(b, h, z); }
// The minimiser of c times the penalty.
Minimise of_times(double c) {
  return [c](const Penalty& p, ConstVec b, Curvature h, Vec z) { p.times(c)->minimise(b, h, z); };
}

TEST(PenaltyMutants, AreCaughtByTheContract) {
  using namespace contract;
  const Make l1 = maker_of<Separable>(l1_entry), box = maker_of<Separable>(box_entry);
  const Make group = maker_of<GroupNorms>(groups_for, weight, two, nonneg_entry);
  const Make groupmax = maker_of<GroupNorms>(groups_for, weight, most, free_entry);
  const Make fused = maker_of<Fused>(weight, l1_entry), top = maker_of<TopK>(count, free_entry);
  const Make smooth = maker_of<Smooth>(square_weight, nonneg_entry);
  const Make unimodal = maker_of<Unimodal>(nonneg_entry), simplex = maker_of<Simplex>();
  const Make ball = maker_of<UnitBall>(free_entry);

  expect_caught("l1 0.0001 % too little", l1, of_times(1.0 - 1e-6));
  expect_caught("group 0.0001 % too little", group, of_times(1.0 - 1e-6));
  expect_caught("groupmax 0.0001 % too little", groupmax, of_times(1.0 - 1e-6));
  expect_caught("fused 0.0001 % too much", fused, of_times(1.0 + 1e-6));
  expect_caught("smooth 0.0001 % too little", smooth, of_times(1.0 - 1e-6));
  expect_caught("l1 forgets the curvature", l1,
                [](const Penalty& p, ConstVec b, Curvature, Vec z) { p.minimise(b, 1.0, z); });
  expect_caught("ignores what is missing", l1,
                [](const Penalty& p, ConstVec b, Curvature h, Vec z) {
                  p.minimise(b, h, z);
                  for (std::size_t j = 0; j < z.size(); ++j) z[j] = h[j] == 0.0 ? 1.0 : z[j];
                });
  expect_caught("one curvature for all", fused,
                [](const Penalty& p, ConstVec b, Curvature h, Vec z) {
                  Values scaled(b.size());
                  for (std::size_t j = 0; j < b.size(); ++j)
                    scaled[j] = h[j] > 0.0 ? b[j] / h[j] : 0.0;
                  p.minimise(scaled, 1.0, z);
                });
  expect_caught(
      "clips before it shrinks", box, [](const Penalty& p, ConstVec b, Curvature h, Vec z) {
        const EntryRule rule = *p.entry();
        EntryRule bounds = rule;
        bounds.l1 = 0.0;
        for (std::size_t j = 0; j < z.size(); ++j)
          z[j] = h[j] > 0.0 ? norms::soft(bounds.minimiser(b[j], h[j]), rule.l1 / h[j]) : 0.0;
      });
  expect_caught("nonneg after the group", group,
                [](const Penalty& p, ConstVec b, Curvature h, Vec z) {
                  Values size(b.begin(), b.end());
                  for (double& x : size) x = std::abs(x);
                  p.minimise(size, h, z);
                  for (std::size_t j = 0; j < z.size(); ++j) z[j] = b[j] > 0.0 ? z[j] : 0.0;
                });
  expect_caught("keeps the first k", top, [](const Penalty& p, ConstVec b, Curvature h, Vec z) {
    Values chosen(b.size());
    p.minimise(b, h, chosen);
    auto left = std::count_if(chosen.begin(), chosen.end(), [](double x) { return x != 0.0; });
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double own = h[j] > 0.0 ? b[j] / h[j] : 0.0;
      z[j] = own != 0.0 && left-- > 0 ? own : 0.0;
    }
  });
  expect_caught("chooses by |b|", top, [](const Penalty& p, ConstVec b, Curvature h, Vec z) {
    Values chosen(b.size());
    p.minimise(b, 1.0, chosen);
    for (std::size_t j = 0; j < z.size(); ++j)
      z[j] = chosen[j] != 0.0 && h[j] > 0.0 ? b[j] / h[j] : 0.0;
  });
  expect_caught("clips a curve at 0", smooth, [](const Penalty& p, ConstVec b, Curvature h, Vec z) {
    // The free curve, clipped: not the best curve of at least 0.
    const double weight = 0.5 * (p.value(Values{0.0, 1.0}, 1.0) + p.value(Values{1.0, 0.0}, 1.0));
    Smooth(weight).minimise(b, h, z);
    for (double& x : z) x = std::max(x, 0.0);
  });
  expect_caught("peak at the largest entry", unimodal,
                [](const Penalty&, ConstVec b, Curvature h, Vec z) {
                  double best = 0.0;
                  std::size_t at = 0;
                  for (std::size_t j = 0; j < z.size(); ++j) {
                    z[j] = h[j] > 0.0 ? std::max(b[j] / h[j], 0.0) : 0.0;
                    if (z[j] > best) best = z[at = j];
                  }
                  for (std::size_t j = at; j-- > 0;) z[j] = std::min(z[j], z[j + 1]);
                  for (std::size_t j = at + 1; j < z.size(); ++j) z[j] = std::min(z[j], z[j - 1]);
                });
  expect_caught("shares by division", simplex, [](const Penalty&, ConstVec b, Curvature h, Vec z) {
    double sum = 0.0;
    for (std::size_t j = 0; j < z.size(); ++j)
      sum += z[j] = h[j] > 0.0 ? std::max(b[j] / h[j], 0.0) + 1e-3 : 0.0;
    for (double& x : z) x = sum > 0.0 ? x / sum : 0.0;
  });
  expect_caught("cuts entries at 1", ball, [](const Penalty&, ConstVec b, Curvature h, Vec z) {
    for (std::size_t j = 0; j < z.size(); ++j)
      z[j] = h[j] > 0.0 ? std::clamp(b[j] / h[j], -1.0, 1.0) : 0.0;
  });
  expect_caught("gap is always zero", l1, plain, 0.0);
  expect_caught("gap is half as large", smooth, plain, 0.5);
}

TEST(PenaltyMutants, OfSmallestZeroAreCaught) {
  Rng rng = Rng::named(22, "smallest zero mutants");
  for (const double factor : {0.99999, 1.0001}) {
    Violations found;
    for (int k = 0; k < 50; ++k) {
      const Case c = contract::random_case(rng, 1 + rng.below(9), 0.5);
      contract::check_smallest_zero(
          [&](double w) { return std::make_unique<Separable>(EntryRule{.l1 = w / factor}); }, c,
          false, found);
    }
    EXPECT_FALSE(found.none());
  }
}

}  // namespace
}  // namespace gingham
