// Every penalty with a maker that gives it weights to suit a case; the contract runs over this
// list.
#pragma once
#include "gingham/penalties/group_norms.hpp"
#include "gingham/penalties/in_ball.hpp"
#include "gingham/penalties/members/_template.hpp"
#include "gingham/penalties/members/ball.hpp"
#include "gingham/penalties/members/fused.hpp"
#include "gingham/penalties/members/simplex.hpp"
#include "gingham/penalties/members/smooth.hpp"
#include "gingham/penalties/members/top.hpp"
#include "gingham/penalties/members/unimodal.hpp"
#include "gingham/penalties/separable.hpp"
#include "penalties/penalty_contract.hpp"

namespace gingham::contract {

template <class P, class... Arguments>
Make maker_of(const Arguments&... arguments) {
  return [=](Rng& r, const Case& c) -> std::unique_ptr<Penalty> {
    return std::make_unique<P>(arguments(r, c)...);
  };
}

inline EntryRule free_entry(Rng&, const Case&) { return {}; }
inline EntryRule l1_entry(Rng& r, const Case& c) { return {.l1 = c.weight(r)}; }
inline EntryRule nonneg_entry(Rng&, const Case&) { return {.low = 0.0}; }
inline EntryRule nonneg_l1_entry(Rng& r, const Case& c) { return {.l1 = c.weight(r), .low = 0.0}; }
// The box of the tensor model, and others on the scale of the point.
inline EntryRule box_entry(Rng& r, const Case& c) {
  EntryRule rule{.l1 = c.weight(r), .low = r.below(2) == 0 ? 0.0 : -1.0, .high = 1.0};
  if (r.below(2) == 0) return rule;
  rule.low = -c.scale * std::abs(r.normal());
  rule.high = c.scale * std::abs(r.normal());
  return rule;
}
inline EntryRule ridge_entry(Rng& r, const Case& c) {
  return {.l1 = c.weight(r), .ridge = c.square_weight(r)};
}
inline double weight(Rng& r, const Case& c) { return c.weight(r); }
inline double square_weight(Rng& r, const Case& c) { return c.square_weight(r); }
inline Index count(Rng& r, const Case& c) { return r.below(static_cast<Index>(c.b.size()) + 2); }

// Lines of a file of groups: one group of all, disjoint ones, a tree, or overlapping ones; some
// items in none.
inline std::shared_ptr<const Groups> random_groups(Rng& r, Index n, Index kind) {
  std::vector<std::string> lines;
  for (Index j = 0; j < n; ++j) {
    const std::string own(1, static_cast<char>('a' + r.below(3)));
    std::string line = kind == 0 ? "a" : own;
    if (kind == 2) line = "t/" + own;
    if (kind == 3) line += std::string(",") + static_cast<char>('a' + r.below(3));
    if (kind > 0 && r.below(6) == 0) line = "";
    lines.push_back(line);
  }
  return std::make_shared<const Groups>(Groups::from_lines(lines, n, "groups", "item"));
}
inline std::shared_ptr<const Groups> groups_for(Rng& r, const Case& c) {
  return random_groups(r, static_cast<Index>(c.b.size()), r.below(3));
}
inline std::shared_ptr<const Groups> overlapping_for(Rng& r, const Case& c) {
  return random_groups(r, static_cast<Index>(c.b.size()), 3);
}
inline GroupNorm two(Rng&, const Case&) { return GroupNorm::two; }
inline GroupNorm most(Rng&, const Case&) { return GroupNorm::infinity; }

inline Make adaptive() {
  return [](Rng& r, const Case& c) -> std::unique_ptr<Penalty> {
    Values weights(c.b.size());
    for (double& w : weights) w = std::exp(r.normal());
    return std::make_unique<Separable>(l1_entry(r, c), c.b.size() > 1 ? weights : Values{});
  };
}

inline Make in_ball(Make g) {
  return [g = std::move(g)](Rng& r, const Case& c) { return std::make_unique<InBall>(g(r, c)); };
}

// Calls visit(name, make) for each. Those of overlapping groups end to the accuracy of their own
// solver, and are looked at in group_prox_test.cpp.
template <class Visit>
void for_all_penalties(const Visit& visit) {
  visit("template", maker_of<penalties::_template::Rising>(weight, nonneg_l1_entry));
  visit("free", maker_of<Separable>(free_entry));
  visit("l1", maker_of<Separable>(l1_entry));
  visit("nonneg", maker_of<Separable>(nonneg_entry));
  visit("nonneg+l1", maker_of<Separable>(nonneg_l1_entry));
  visit("box", maker_of<Separable>(box_entry));
  visit("l1+ridge", maker_of<Separable>(ridge_entry));
  visit("top", maker_of<TopK>(count, free_entry));
  visit("nonneg+l1+top", maker_of<TopK>(count, nonneg_l1_entry));
  visit("box+top", maker_of<TopK>(count, box_entry));
  visit("fused", maker_of<Fused>(weight, free_entry));
  visit("l1+fused", maker_of<Fused>(weight, l1_entry));
  visit("nonneg+l1+fused", maker_of<Fused>(weight, nonneg_l1_entry));
  visit("smooth", maker_of<Smooth>(square_weight, free_entry));
  visit("nonneg+smooth", maker_of<Smooth>(square_weight, nonneg_entry));
  visit("nonneg+l1+smooth", maker_of<Smooth>(square_weight, nonneg_l1_entry));
  visit("unimodal", maker_of<Unimodal>(free_entry));
  visit("nonneg+l1+unimodal", maker_of<Unimodal>(nonneg_l1_entry));
  visit("group", maker_of<GroupNorms>(groups_for, weight, two, free_entry));
  visit("nonneg+group", maker_of<GroupNorms>(groups_for, weight, two, nonneg_entry));
  visit("l1+group", maker_of<GroupNorms>(groups_for, weight, two, l1_entry));
  visit("groupmax", maker_of<GroupNorms>(groups_for, weight, most, free_entry));
  visit("nonneg+l1+groupmax", maker_of<GroupNorms>(groups_for, weight, most, nonneg_l1_entry));
  visit("simplex", maker_of<Simplex>());
  visit("ball", maker_of<UnitBall>(free_entry));
  visit("nonneg+l1+ball", maker_of<UnitBall>(nonneg_l1_entry));
  visit("nonneg in the ball", in_ball(maker_of<Separable>(nonneg_entry)));
  visit("nonneg+l1+fused in the ball", in_ball(maker_of<Fused>(weight, nonneg_l1_entry)));
  visit("smooth in the ball", in_ball(maker_of<Smooth>(square_weight, free_entry)));
  visit("nonneg+group in the ball",
        in_ball(maker_of<GroupNorms>(groups_for, weight, two, nonneg_entry)));
}

}  // namespace gingham::contract
