#pragma once
#include <string>

#include "gingham/engine/result.hpp"
#include "look.hpp"

namespace gingham::cli {

// "tensor: converged after 36 iterations, 0.12 s".
std::string headline(const Result& result, const Look& look);

// After a fit: headline, components with sizes and explained share, scores, where the files are.
void print_summary(const Result& result, const std::string& directory);

}  // namespace gingham::cli
