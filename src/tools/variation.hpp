// What a path varies: one option and the values it takes.
#pragma once
#include <string>
#include <vector>

#include "gingham/engine/options.hpp"

namespace gingham {

struct Variation {
  std::string option;
  std::vector<std::string> values;  // as one would type them
};

// "row-sparsity=0.01:100:13log": so many values from one end to the other, both included, in equal
// ratios (log) or equal steps (lin). Without either word they are in equal ratios when both ends
// are above zero and one is at least ten times the other. Ends may be percentages where the option
// takes them; values of a whole-number option are rounded, each kept once. "row-fusion=0,1,10,max":
// these values, whatever the option takes. Throws Error{usage} for anything else, for an option
// that `options` lacks, that is not a number or a penalty or that does not change the result
// (threads, limits), and for values out of its range.
Variation parse_variation(const std::string& text, const Options& options);

}  // namespace gingham
