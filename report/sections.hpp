// The parts of one result's page data, `Result` of page/data.ts.
#pragma once
#include <string>

#include "gingham/engine/result.hpp"
#include "report/shared.hpp"

namespace gingham::report {

Json modes_json(const Result& result, Shared& shared);
// Further pictures that the method's record asks for.
Json panels_json(const Dataset& data, const Result& result);

// What the page should say of a result besides the result itself.
struct Place {
  std::string name;     // tells results of one page apart
  std::string folder;   // where it is, from the page; empty: beside the page
  std::string command;  // as typed
};
Json result_json(const Dataset& data, const Result& result, const Place& place, Shared& shared);

}  // namespace gingham::report
