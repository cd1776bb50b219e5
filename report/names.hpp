// What the page calls things; texts are clean, not escaped.
#pragma once
#include <string>

#include "gingham/engine/registry.hpp"
#include "gingham/engine/result.hpp"

namespace gingham::report {

// The method's record, or null where this program does not know it.
const MethodInfo* known_method(const Result& result);
// "rows", "columns of block 2".
std::string mode_name(const Membership& membership);
// The members of one mode of one block, or null.
const Membership* membership_of_block(const Result& result, Index block, Index mode);
// Threads to draw with: those of the run; 0, all there are, where that is not known.
int threads_of(const Result& result);
// The last part of a path.
std::string file_name(const std::string& path);

}  // namespace gingham::report
