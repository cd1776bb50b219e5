// Methods to compare, as typed: "ssvd:clusters=3:row-sparsity=1,2,kmeans".
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "gingham/engine/registry.hpp"
#include "gingham/io/attached.hpp"

namespace gingham {

struct MethodChoice {
  const MethodInfo* info = nullptr;
  std::vector<std::pair<std::string, std::string>> settings = {};  // option and value, in order
  MemoryContents contents = {};                                    // further options
};

// Methods are separated by commas, their options by colons. A comma also continues a value that
// may be a list or text, unless the name of a method follows it; a colon continues any value when
// no "option=" follows it. The choices point into `known`. Throws Error{usage} for an unknown
// method or option; values are checked by whoever sets them.
std::vector<MethodChoice> parse_method_list(const std::string& text,
                                            const std::vector<MethodInfo>& known = all_methods());

}  // namespace gingham
