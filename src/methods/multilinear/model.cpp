#include "gingham/methods/multilinear/model.hpp"

#include <algorithm>
#include <numeric>

namespace gingham::methods::multilinear {

Derived derive(const Dataset& data, const Options&, Context& ctx) {
  return std::make_shared<Observed>(data.block(0), ctx.executor());
}

std::vector<Index> by_explained(const Solver& solver) {
  std::vector<Index> order(static_cast<std::size_t>(solver.factors().n_components()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return solver.explained(a) > solver.explained(b); });
  return order;
}

void add_factors(const Factors& factors, bool is_matrix, Model& model) {
  const char* const names[] = {"rows", "columns"};
  for (Index n = 0; n < factors.n_modes(); ++n) {
    const std::string name = "mode_" + std::to_string(n);
    model.memberships.push_back(
        membership_of(is_matrix ? names[n] : name, std::nullopt, factors.modes[n]));
    model.arrays.push_back({name, factors.modes[n]});
  }
}

std::optional<std::string> nothing_to_find(const Observed& data, bool is_signed,
                                           const std::string& for_negative) {
  if (data.n_observed() == 0.0) return "no value is observed: the model is empty";
  if (data.largest_magnitude() == 0.0) return "every observed value is 0: the model is empty";
  if (is_signed || data.largest() > 0.0) return std::nullopt;
  return "no value is above 0: the model is empty; " + for_negative;
}

}  // namespace gingham::methods::multilinear
