// A way out of a grouping that no single row can improve: a co-cluster gives way to a new one,
// begun at a row of which much is left, and all are refined from there.
#pragma once
#include <optional>

#include "gingham/engine/context.hpp"
#include "gingham/methods/multiview/refine.hpp"

namespace gingham::methods::multiview {

struct Swapped {
  std::vector<CoCluster> found;
  std::vector<Explained> explained;
};

double total(const std::vector<Explained>& explained);

// A grouping that explains more than the present one, or nothing. The row is drawn with
// probability proportional to what is left of it.
std::optional<Swapped> try_swap(const std::vector<View>& views, const std::vector<Limits>& limits,
                                const std::vector<CoCluster>& found,
                                const std::vector<Explained>& explained, Rng rng, Context& ctx);

}  // namespace gingham::methods::multiview
