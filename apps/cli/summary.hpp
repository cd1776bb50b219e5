#pragma once
#include <string>

#include "gingham/engine/result.hpp"

namespace gingham::cli {

// After a fit: status, components with sizes and explained share, scores, where the files are.
void print_summary(const Result& result, const std::string& directory);

}  // namespace gingham::cli
