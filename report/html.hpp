// A page's data as a file of HTML: the script and the looks are built from page/ and embedded.
#pragma once
#include <string>

#include "report/json.hpp"

namespace gingham::report {

// A page of page/data.ts with nothing on it.
Json empty_page(const char* kind, const std::string& title, const std::string& command);
std::string html_page(const Json& page);

}  // namespace gingham::report
