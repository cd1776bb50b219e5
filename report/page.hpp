// Results as one page: self-contained HTML that asks nothing of any network. Labels, paths and
// notes may hold anything: they are shown as text and never change what elements the page has.
#pragma once
#include <string>
#include <vector>

#include "gingham/engine/result.hpp"
#include "gingham/tools/table.hpp"

namespace gingham {

// The page of one result, at most 3 MB whatever the data. `command` is what was typed.
std::string report_page(const Dataset& data, const Result& result, const std::string& command);

// One of several results on a page; all outlive the call.
struct ReportEntry {
  std::string name;     // tells it apart from the others
  std::string folder;   // of the result, from the page
  std::string command;  // as typed
  const Dataset* data = nullptr;
  const Result* result = nullptr;
};

// Results side by side.
std::string several_page(const std::vector<ReportEntry>& entries);
// What compare made: its table and the results.
std::string compare_page(const std::vector<ReportEntry>& entries, const Table& table,
                         const std::string& command);

// What path made: the options that vary with their values, the last fastest; the table has a row
// per point and the entries belong to its first rows or to some of them.
struct PathEntry {
  ReportEntry entry;
  Index row = 0;  // of the table, which is the number of the point
};
struct VariedOption {
  std::string name;
  std::vector<std::string> values;
};
std::string path_page(const std::vector<PathEntry>& entries, const std::vector<VariedOption>& vary,
                      const Table& table, const std::string& command);

}  // namespace gingham
