#include "gingham/tools/transform.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "gingham/base/text.hpp"
#include "terminal.hpp"

namespace gingham::cli {
namespace {

// --mode n, or its name for matrices.
Index mode_of(const Arguments& arguments) {
  const std::string axis = arguments.text("axis");
  if (!arguments.own.given("mode")) return axis == "columns" ? 1 : 0;
  const Index mode = arguments.own.integer("mode");
  if (!axis.empty() && mode != (axis == "columns" ? 1 : 0))
    throw Error(ErrorCode::usage, "--mode",
                fmt::format("{} is not the mode of --axis {}; give one of them", mode, axis));
  return mode;
}

// --views 0,2
std::vector<Index> views_of(const Arguments& arguments) {
  std::vector<Index> views;
  const std::string text = arguments.text("views");
  for (std::size_t begin = 0; arguments.own.given("views") && begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto view = parse_integer(std::string_view(text).substr(begin, end - begin));
    if (!view)
      throw Error(ErrorCode::usage, "--views",
                  "'" + printable(text, 60) + "' is not a list of views such as 0,2");
    views.push_back(*view);
    begin = end + 1;
  }
  return views;
}

std::string seen_text(const TransformOutcome& outcome) {
  if (std::ssize(outcome.views) == outcome.n_views) return "";
  return fmt::format(" seen in {} of {} views ({})", outcome.views.size(), outcome.n_views,
                     fmt::join(outcome.views, ", "));
}

void print_outcome(const TransformOutcome& outcome, const std::string& directory) {
  constexpr std::size_t kMaxRows = 20;
  for (const Membership& membership : outcome.found.memberships) {
    print_line(fmt::format("{}: {} new item{} of {}{}, {}", outcome.method, membership.n_items,
                           membership.n_items == 1 ? "" : "s", outcome.mode, seen_text(outcome),
                           duration_text(outcome.seconds)));
    print_line(fmt::format("objective {:.8g}, largest gap {:.1e}", outcome.found.terms.objective(),
                           outcome.found.terms.gap()));
    print_line(fmt::format("{:>9}  {:>12}", "component", "members"));
    const std::size_t n_shown = std::min(outcome.components.size(), kMaxRows);
    const std::vector<Index> sizes = sizes_of(membership, static_cast<Index>(n_shown));
    for (std::size_t k = 0; k < n_shown; ++k) print_line(fmt::format("{:>9}  {:>12}", k, sizes[k]));
    if (outcome.components.size() > n_shown)
      print_line(
          fmt::format("      ...  {} more in transform.json", outcome.components.size() - n_shown));
  }
  for (const std::string& note : outcome.found.notes) print_line("note: " + printable(note, 400));
  print_line("written to " + printable(directory));
}

}  // namespace

int run_transform(const Arguments& arguments) {
  TransformRequest request{.result = arguments.text("DIR"),
                           .reading = reading_record(arguments),
                           .attached = attached_files(arguments),
                           .settings = changed_settings(arguments),
                           .output = arguments.text("output"),
                           .mode = mode_of(arguments),
                           .views = views_of(arguments),
                           .threads = static_cast<int>(arguments.own.integer("threads")),
                           .force = arguments.own.flag("force"),
                           .memory_limit_bytes = parse_bytes(arguments.text("memory-limit"))};
  if (!arguments.own.given("index-base")) request.reading.index_base = -1;
  const TransformOutcome outcome = transform(request);
  if (!outcome.is_written) {
    print_remark("a number that is not finite turned up; nothing was written");
    return kNumerical;
  }
  if (!arguments.own.flag("quiet")) print_outcome(outcome, request.output);
  return kDone;
}

}  // namespace gingham::cli
