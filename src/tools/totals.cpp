#include "gingham/tools/totals.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gingham {
namespace {

void add(std::vector<NamedValue>& values, const std::string& name, double value) {
  for (NamedValue& known : values) {
    if (known.name != name) continue;
    known.value += value;
    return;
  }
  values.push_back({name, value});
}

}  // namespace

Totals totals_of(std::span<const Result> results) {
  Totals totals;
  for (const Result& result : results) {
    totals.status = worse(totals.status, result.status);
    totals.iterations += result.iterations;
    totals.objective += result.terms.objective();
    if (!(result.terms.gap() <= totals.gap)) totals.gap = result.terms.gap();
    for (const NamedValue& one : result.seconds)
      totals.seconds += one.name == "fit" ? one.value : 0;
    totals.explained += result.model.explained / static_cast<double>(results.size());
    for (const Membership& membership : result.model.memberships) {
      const std::vector<Index> sizes = sizes_of(membership, std::ssize(result.model.components));
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        add(totals.sizes, fmt::format("component_{}_{}", k, membership.mode),
            static_cast<double>(sizes[k]));
      }
    }
  }
  return totals;
}

}  // namespace gingham
