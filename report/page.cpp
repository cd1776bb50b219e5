#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/html.hpp"
#include "report/names.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace gingham {
namespace {

using namespace report;

constexpr std::size_t kMaxSeveral = 24, kMaxTableRows = 500;
constexpr std::size_t kMaxPoints = 60;  // of a path with a picture each

// Every k-th of n, the last too, at most `most`.
std::vector<std::size_t> spread(std::size_t n, std::size_t most) {
  std::vector<std::size_t> chosen;
  const std::size_t shown = std::min(n, most);
  for (std::size_t i = 0; i < shown; ++i)
    chosen.push_back(shown > 1 ? i * (n - 1) / (shown - 1) : 0);
  return chosen;
}

void add_results(Json& page, const std::vector<ReportEntry>& entries,
                 const std::vector<std::size_t>& chosen) {
  Shared shared(std::ssize(chosen));
  for (const std::size_t i : chosen) {
    const ReportEntry& one = entries[i];
    page["results"].push_back(
        result_json(*one.data, *one.result, {one.name, one.folder, one.command}, shared));
  }
  page["results_left_out"] = entries.size() - chosen.size();
  shared.write(page);
}

// What a reader looks at first; the rest is one click away.
bool is_important(const std::string& column) {
  return column != "loss" && column != "gap" && column != "message" && !column.ends_with("_used") &&
         !column.starts_with("penalty_");
}

Json table_json(const Table& table, const std::string& title) {
  Json columns = Json::array(), rows = Json::array(), folders = Json::array();
  Index folder = -1;
  for (Index c = 0; c < std::ssize(table.columns()); ++c) {
    const Table::Column& column = table.columns()[c];
    if (column.name == "folder") {
      folder = c;
      continue;
    }
    columns.push_back({{"name", clean(column.name, 60)}, {"important", is_important(column.name)}});
  }
  for (Index r = 0; r < table.rows() && r < static_cast<Index>(kMaxTableRows); ++r) {
    Json row = Json::array();
    for (Index c = 0; c < std::ssize(table.columns()); ++c) {
      if (c != folder) row.push_back(clean(table.cell(r, c), 200));
    }
    rows.push_back(std::move(row));
    folders.push_back(folder < 0 ? "" : clean(table.cell(r, folder), 400));
  }
  return {{"title", title}, {"columns", columns}, {"rows", rows}, {"folders", folders}};
}

std::string title_of(const ReportEntry& entry) {
  const std::vector<InputSummary>& inputs = entry.result->inputs;
  return (inputs.empty() ? "" : file_name(inputs.front().path) + ": ") + entry.result->method;
}

std::vector<ReportEntry> entries_of(const std::vector<PathEntry>& points) {
  std::vector<ReportEntry> entries;
  for (const PathEntry& point : points) entries.push_back(point.entry);
  return entries;
}

}  // namespace

std::string report_page(const Dataset& data, const Result& result, const std::string& command) {
  const ReportEntry entry{
      .name = result.method, .folder = "", .command = command, .data = &data, .result = &result};
  Json page = empty_page("result", title_of(entry), command);
  add_results(page, {entry}, {0});
  return html_page(page);
}

std::string several_page(const std::vector<ReportEntry>& entries) {
  Json page = empty_page("several", "Results side by side", "");
  add_results(page, entries, spread(entries.size(), kMaxSeveral));
  return html_page(page);
}

std::string compare_page(const std::vector<ReportEntry>& entries, const Table& table,
                         const std::string& command) {
  Json page = empty_page("compare", "Methods compared", command);
  add_results(page, entries, spread(entries.size(), kMaxSeveral));
  page["table"] = table_json(table, "compare.tsv");
  return html_page(page);
}

std::string path_page(const std::vector<PathEntry>& points, const std::vector<VariedOption>& vary,
                      const Table& table, const std::string& command) {
  const std::vector<ReportEntry> entries = entries_of(points);
  Json page =
      empty_page("path", entries.empty() ? "Path" : title_of(entries.front()) + ", path", command);
  const std::vector<std::size_t> chosen = spread(entries.size(), kMaxPoints);
  add_results(page, entries, chosen);
  page["table"] = table_json(table, "path.tsv");
  Json options = Json::array(), places = Json::array();
  for (const VariedOption& one : vary) {
    Json values = Json::array();
    for (const std::string& value : one.values) values.push_back(clean(value, 60));
    options.push_back({{"name", clean(one.name, 60)}, {"values", values}});
  }
  for (Index row = 0; row < table.rows(); ++row) {
    Json at = Json::array(), result = nullptr;
    Index rest = row;
    for (std::size_t i = vary.size(); i-- > 0;) {
      const auto n = std::max<Index>(std::ssize(vary[i].values), 1);
      at.insert(at.begin(), rest % n);
      rest /= n;
    }
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (points[chosen[k]].row == row) result = k;
    }
    places.push_back({{"at", at}, {"result", result}, {"row", row}});
  }
  page["path"] = {{"options", options}, {"points", places}};
  return html_page(page);
}

}  // namespace gingham
