// Where an embryo is stained, by term. The surface has two coordinates: u from -1 (head) to 1
// (tail), and the angle around the long axis, 0 at the back and pi at the belly, left and right
// alike.
#pragma once
#include <span>

#include "gingham/base/rng.hpp"

namespace gingham::methods::dictionary {

// What differs from gene to gene about the same pattern.
struct Variant {
  double shift = 0.0;  // along the axis
  double size = 1.0;
  double softness = 1.0;   // of borders
  std::uint64_t seed = 0;  // of places drawn at random
};
Variant draw_variant(Rng& rng);

struct Pattern {
  const char* term;
  double (*stain)(double u, double angle, const Variant& variant);  // from 0 to 1
};

// The most frequent term first.
std::span<const Pattern> all_patterns();

}  // namespace gingham::methods::dictionary
