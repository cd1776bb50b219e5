// One Result as one page: self-contained HTML without script and without any reference to the
// outside.
#pragma once
#include <string>

#include "gingham/engine/result.hpp"

namespace gingham {

// The whole page, at most 3 MB whatever the data. `command` is what was typed. Labels, paths and
// notes may hold anything: they are shown as text and never change what elements the page has.
std::string report_page(const Dataset& data, const Result& result, const std::string& command);

}  // namespace gingham
