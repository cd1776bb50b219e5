// A page's data as a file of HTML: the script and the looks are built from page/ and embedded.
#pragma once
#include <string>

#include "report/json.hpp"

namespace gingham::report {

std::string html_page(const Json& page);

}  // namespace gingham::report
