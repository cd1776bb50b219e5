#include "demo_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gingham/engine/session.hpp"
#include "terminal.hpp"

namespace gingham::cli {

std::vector<double> distances(const std::vector<Record>& trace) {
  const bool has_gaps = std::none_of(trace.begin(), trace.end(),
                                     [](const Record& record) { return std::isnan(record.gap); });
  std::vector<double> values;
  for (const Record& record : trace) values.push_back(has_gaps ? record.gap : record.moved);
  return values;
}

DemoProgress::DemoProgress() : look_(Look::of(STDERR_FILENO)) {}

Verdict DemoProgress::notice(const Event& event) {
  if (!look_.can_rewrite) return Verdict::go_on;
  const Session& session = event.session;
  if (event.record != nullptr) {
    restart_ = event.restart;
    std::vector<Record>& trace = traces_[restart_];
    if (event.record->component == 0 && event.record->iteration == 1) trace.clear();
    trace.push_back(*event.record);
  }
  const auto now = std::chrono::steady_clock::now();
  if (event.finished || traces_.empty() || now < next_at_) return Verdict::go_on;
  const std::vector<Record>& trace = traces_[restart_];
  next_at_ = now + std::chrono::milliseconds(50);
  std::string line = "fit";
  if (session.n_restarts() > 1)
    line += fmt::format("  restart {}/{}", event.restart + 1, session.n_restarts());
  constexpr Index kSpark = 24;
  line += fmt::format("  iteration {}  {}  {}  {}", trace.size(), distance_text(trace.back()),
                      look_.spark(distances(trace), kSpark), duration_text(session.seconds()));
  say(line);
  return Verdict::go_on;
}

void DemoProgress::say(const std::string& text) {
  if (!look_.can_rewrite) return;
  std::fflush(stdout);
  std::fprintf(stderr, "\r\033[K%s",
               look_.paint(Ink::dim, look_.cut("  " + text, look_.columns - 1)).c_str());
  std::fflush(stderr);
  is_shown_ = true;
}

void DemoProgress::clear() {
  if (!is_shown_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
  is_shown_ = false;
  traces_.clear();
}

}  // namespace gingham::cli
