// Every penalty with a maker that gives it weights to suit a case; the contract runs over this
// list.
#pragma once
#include "gingham/penalties/box_l1.hpp"
#include "gingham/penalties/fused.hpp"
#include "gingham/penalties/group_l2.hpp"
#include "gingham/penalties/group_linf.hpp"
#include "gingham/penalties/l1.hpp"
#include "gingham/penalties/l2_ball.hpp"
#include "gingham/penalties/nonneg.hpp"
#include "gingham/penalties/nonneg_l1.hpp"
#include "gingham/penalties/ridge.hpp"
#include "gingham/penalties/sum.hpp"
#include "gingham/penalties/top_k.hpp"
#include "penalties/penalty_contract.hpp"

namespace gingham::contract {

inline double random_radius(Rng& rng, const Case& c) {
  return rng.below(10) == 0 ? 0.0 : c.scale * std::exp(rng.normal());
}
inline Index random_count(Rng& rng, const Case& c) {
  return rng.below(static_cast<Index>(c.point.size()) + 2);
}
inline Ridge random_ridge(Rng& rng, const Case& c) { return {c.weight(rng) / c.scale}; }
// The boxes of the tensor model, and others on the scale of the point.
inline BoxL1 random_box(Rng& rng, const Case& c) {
  const double lambda = c.weight(rng);
  if (rng.below(2) == 0) return {lambda, rng.below(2) == 0 ? 0.0 : -1.0, 1.0};
  return {lambda, -c.scale * std::abs(rng.normal()), c.scale * std::abs(rng.normal())};
}

// Calls visit(name, make) for each.
template <class Visit>
void for_all_penalties(const Visit& visit) {
  visit("L1", [](Rng& r, const Case& c) { return L1{c.weight(r)}; });
  visit("NonnegL1", [](Rng& r, const Case& c) { return NonnegL1{c.weight(r)}; });
  visit("Nonneg", [](Rng&, const Case&) { return Nonneg{}; });
  visit("BoxL1", [](Rng& r, const Case& c) { return random_box(r, c); });
  visit("Ridge", [](Rng& r, const Case& c) { return random_ridge(r, c); });
  visit("GroupL2", [](Rng& r, const Case& c) { return GroupL2{c.weight(r)}; });
  visit("NonnegGroupL2", [](Rng& r, const Case& c) { return NonnegGroupL2{c.weight(r)}; });
  visit("GroupLinf", [](Rng& r, const Case& c) { return GroupLinf{c.weight(r)}; });
  visit("NonnegGroupLinf", [](Rng& r, const Case& c) { return NonnegGroupLinf{c.weight(r)}; });
  visit("L2Ball", [](Rng& r, const Case& c) { return L2Ball{random_radius(r, c)}; });
  visit("NonnegL2Ball", [](Rng& r, const Case& c) {
    return NonnegL2Ball{{}, {random_radius(r, c)}};
  });
  visit("TopK", [](Rng& r, const Case& c) { return TopK{random_count(r, c)}; });
  visit("NonnegTopK", [](Rng& r, const Case& c) { return NonnegTopK{random_count(r, c)}; });
  visit("Fused", [](Rng& r, const Case& c) {
    return Fused{c.weight(r), r.below(2) == 0 ? 0.0 : c.weight(r)};
  });
  visit("L1+GroupL2", [](Rng& r, const Case& c) {
    return Sum<L1, GroupL2>{{c.weight(r)}, {c.weight(r)}};
  });
  visit("NonnegL1+GroupL2", [](Rng& r, const Case& c) {
    return Sum<NonnegL1, GroupL2>{{c.weight(r)}, {c.weight(r)}};
  });
  visit("L1+Ridge", [](Rng& r, const Case& c) {
    return Sum<L1, Ridge>{{c.weight(r)}, random_ridge(r, c)};
  });
  visit("L1+L2Ball", [](Rng& r, const Case& c) {
    return Sum<L1, L2Ball>{{c.weight(r)}, {random_radius(r, c)}};
  });
  visit("NonnegGroupLinf+Ridge", [](Rng& r, const Case& c) {
    return Sum<NonnegGroupLinf, Ridge>{{c.weight(r)}, random_ridge(r, c)};
  });
  visit("Fused+L2Ball", [](Rng& r, const Case& c) {
    return Sum<Fused, L2Ball>{{c.weight(r), c.weight(r)}, {random_radius(r, c)}};
  });
}

}  // namespace gingham::contract
