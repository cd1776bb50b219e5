// New rows that were seen in only some of the views of a fit.
#pragma once
#include <string>
#include <vector>

#include "gingham/engine/registry.hpp"
#include "gingham/engine/result.hpp"

namespace gingham {

// Which of the fit's inputs each new one is: those of --views, or all of them. Throws Error{usage}
// that names the option and the remedy where numbers or counts do not fit.
std::vector<Index> places_of(const std::vector<Index>& views, const MethodInfo& info,
                             const std::vector<InputSummary>& fitted, Index n_given);

// A block for every input of the fit, in its order; one that was not given has no observed cell.
Dataset in_places(std::vector<Block> given, const std::vector<Index>& places,
                  const std::vector<InputSummary>& fitted);

// Whether an array is that of a view which was not given: <i> in its name is the view's number.
bool is_of_absent_view(const std::string& name, const MethodInfo& info,
                       const std::vector<Index>& views, Index n_views);

}  // namespace gingham
