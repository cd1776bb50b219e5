#include "gingham/tools/verify_course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/base/text.hpp"
#include "gingham/engine/race.hpp"

namespace gingham {

void compare_story(const Result& result, Comparison& compare) {
  const double tolerance = result.options.real("tolerance");
  compare.truth(
      result.status != Status::converged || result.terms.gap() <= tolerance,
      fmt::format("the status is converged, but the largest gap is {} and the tolerance {}",
                  to_text(result.terms.gap()), to_text(tolerance)));
  compare.number("iterations", static_cast<double>(result.iterations),
                 static_cast<double>(result.trace.size()));
  const Index limit = result.options.integer("max-iterations");
  for (std::size_t i = 0; i < result.trace.size(); ++i) {
    const Record& now = result.trace[i];
    const bool first = i == 0 || now.component != result.trace[i - 1].component;
    compare.truth(
        now.iteration == (first ? 1 : result.trace[i - 1].iteration + 1) && now.iteration <= limit,
        fmt::format("trace record {} has iteration {} out of order or beyond {}", i, now.iteration,
                    limit));
  }
  if (result.restarts.empty()) return;
  compare.truth(
      result.best_restart >= 0 && result.best_restart < static_cast<Index>(result.restarts.size()),
      "best_restart is not one of the restarts");
  if (result.best_restart < 0 || result.best_restart >= static_cast<Index>(result.restarts.size()))
    return;
  const RestartSummary& kept = result.restarts[result.best_restart];
  compare.number("objective of the restart that was kept", kept.objective,
                 result.terms.objective());
  for (const RestartSummary& other : result.restarts) {
    const bool is_over = other.status != Status::numerical_failure &&
                         other.status != Status::left_race && !is_unfinished(other.status);
    compare.truth(!is_over || !is_lower(other.objective, kept.objective),
                  "a restart with a lower objective was not kept");
  }
}

void compare_race(const MethodInfo& info, const Result& result, Comparison& compare) {
  // Those that left may begin again where others fail.
  const bool has_failed = std::any_of(
      result.restarts.begin(), result.restarts.end(),
      [](const RestartSummary& one) { return one.status == Status::numerical_failure; });
  for (std::size_t r = 0; r < result.restarts.size(); ++r) {
    const RestartSummary& left = result.restarts[r];
    const std::string name = fmt::format("restart {}", r);
    if (left.status != Status::left_race) {
      compare.truth(left.round == 0, name + " has a round, but did not leave a race");
      continue;
    }
    const bool is_round = left.round >= 1 && left.round <= kMostRounds;
    compare.truth(races(info, result.options) && is_round,
                  name + " left a race, but there was none, or no such round");
    compare.truth(static_cast<Index>(r) != result.best_restart, name + " left and was kept");
    if (!is_round) continue;
    const Index n = iterations_by(left.round);
    compare.number(name + ": iterations", static_cast<double>(left.iterations),
                   static_cast<double>(n));
    if (has_failed || n >= static_cast<Index>(result.trace.size())) continue;
    const std::size_t at = static_cast<std::size_t>(n) - 1;
    compare.truth(!is_lower(left.objective, result.trace[at].objective),
                  name + " left, but it was ahead of the one that was kept");
  }
}

void compare_trace(const MethodInfo& info, const Result& result, const Recomputed& found,
                   double squares, Comparison& compare) {
  const bool is_double = result.options.text("precision") == "double";
  const double running = is_double ? 1e-9 : 1e-6;
  // A component that is measured once more when it is done moves within the tolerance.
  const double moving = std::max(running, 10.0 * result.options.real("tolerance"));
  const std::vector<Record>& trace = result.trace;
  for (std::size_t i = 1; i < trace.size() && info.traits.descent && is_double; ++i) {
    const Record &before = trace[i - 1], &now = trace[i];
    if (now.component != before.component) continue;
    compare.truth(
        now.objective <= before.objective + running * (std::abs(before.objective) + squares),
        fmt::format("trace record {}: the objective rises from {} to {}", i,
                    to_text(before.objective), to_text(now.objective)));
  }
  if (result.status != Status::converged && result.status != Status::finished) return;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const bool is_end = i + 1 == trace.size() || trace[i + 1].component != trace[i].component;
    if (!is_end || (found.ends.empty() && i + 1 < trace.size())) continue;
    if (!found.ends.empty() && trace[i].component >= std::ssize(found.ends)) continue;
    const double end =
        found.ends.empty() ? found.terms.objective() : found.ends[trace[i].component];
    if (std::isnan(end)) continue;
    compare.number(fmt::format("trace record {}: objective", i), trace[i].objective, end,
                   (found.ends.empty() ? running : moving) * (std::abs(end) + squares));
  }
}

void compare_stability(const Result& result, Comparison& compare) {
  if (result.stability.empty()) return;
  const std::vector<Membership>& memberships = result.model.memberships;
  const auto is_usable = [](const RestartSummary& one) {
    return one.status != Status::numerical_failure;
  };
  compare.truth(std::count_if(result.restarts.begin(), result.restarts.end(), is_usable) > 1,
                "there are stabilities, but no two restarts to compare");
  compare.truth(result.stability.size() == memberships.size(),
                "stabilities and memberships do not match");
  for (std::size_t i = 0; i < result.stability.size() && i < memberships.size(); ++i) {
    const std::vector<double>& shares = result.stability[i];
    compare.truth(
        shares.size() == memberships[i].members.size() &&
            std::all_of(shares.begin(), shares.end(),
                        [](double share) { return share >= 0.0 && share <= 1.0; }),
        fmt::format("{}: not every member has a stability from 0 to 1", memberships[i].key()));
  }
}

}  // namespace gingham
