#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "gingham/base/text.hpp"
#include "gingham/tools/evaluate.hpp"
#include "terminal.hpp"

namespace gingham::cli {
namespace {

std::string status_text(const Result& result) {
  switch (result.status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "stopped at the iteration limit, not converged";
    case Status::time_limit:
      return "stopped at the time limit, not converged";
    case Status::cancelled:
      return "stopped on request, not converged";
    case Status::numerical_failure:
      return "failed: a number is not finite";
    case Status::cycle:
      return "the iterates cycle, not converged";
  }
  return "";
}

constexpr std::size_t kMaxRows = 20;

// The modes there are, in order: all blocks of one together.
std::vector<std::string> modes_of(const Result& result) {
  std::vector<std::string> modes;
  for (const Membership& membership : result.model.memberships) {
    if (std::find(modes.begin(), modes.end(), membership.mode) == modes.end()) {
      modes.push_back(membership.mode);
    }
  }
  return modes;
}

// Members of a component in a mode: one number, or the least and the largest over its blocks.
std::string members_text(const Result& result, const std::string& mode, Index component) {
  Index least = std::numeric_limits<Index>::max(), most = 0;
  for (const Membership& membership : result.model.memberships) {
    if (membership.mode != mode) continue;
    const Index size = size_of(membership, component);
    least = std::min(least, size);
    most = std::max(most, size);
  }
  return least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
}

}  // namespace

void print_summary(const Result& result, const std::string& directory) {
  double seconds = 0.0;
  for (const NamedValue& one : result.seconds) {
    if (one.name == "fit") seconds = one.value;
  }
  print_line(fmt::format("{}: {} after {} iterations, {}", result.method, status_text(result),
                         result.iterations, duration_text(seconds)));
  print_line(fmt::format("objective {:.8g}, largest gap {:.1e}", result.terms.objective(),
                         result.terms.gap()));
  std::string header = fmt::format("{:>9}  {:>12}  {:>9}", "component", "weight", "explained");
  const std::vector<std::string> modes = modes_of(result);
  for (const std::string& mode : modes) header += fmt::format("  {:>12}", mode);
  print_line(header);
  for (std::size_t k = 0; k < result.model.components.size() && k < kMaxRows; ++k) {
    const Component& component = result.model.components[k];
    std::string line = fmt::format("{:>9}  {:>12.5g}  {:>8.1f}%", k, component.weight,
                                   100.0 * component.explained);
    for (const std::string& mode : modes) {
      line += fmt::format("  {:>12}", members_text(result, mode, static_cast<Index>(k)));
    }
    print_line(line);
  }
  if (result.model.components.size() > kMaxRows) {
    print_line(fmt::format("      ...  {} more in result.json",
                           result.model.components.size() - kMaxRows));
  }
  for (const std::string& note : result.model.notes) print_line("note: " + printable(note, 400));
  for (const NamedValue& score : result.scores) {
    if (is_block_score(score.name)) continue;  // result.json has them
    print_line(fmt::format("{:<16} {:.4f}", score.name, score.value));
  }
  print_line("written to " + printable(directory));
  const std::string page = directory + "/report.html";
  std::error_code ignored;
  if (std::filesystem::exists(page, ignored)) print_line("report: " + printable(page));
}

}  // namespace gingham::cli
