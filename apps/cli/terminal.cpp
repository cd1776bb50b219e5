#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "gingham/base/text.hpp"
#include "gingham/engine/session.hpp"
#include "look.hpp"

namespace gingham::cli {
namespace {

std::atomic<bool> stop_wanted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void on_stop_signal(int signal) {
  if (stop_wanted.exchange(true)) _exit(128 + signal);
}

}  // namespace

const std::atomic<bool>& install_stop_signals() {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return stop_wanted;
}

std::string duration_text(double seconds) {
  if (seconds < 0.0995) return fmt::format("{:.0f} ms", 1e3 * seconds);
  if (seconds < 60.0) return fmt::format("{:.2f} s", seconds);
  const auto whole = static_cast<long long>(seconds);
  if (seconds < 3600.0) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

void print_line(const std::string& text) { std::printf("%s\n", text.c_str()); }

void print_remark(const std::string& text) {
  std::fflush(stdout);
  std::fprintf(stderr, "gingham: %s\n", text.c_str());
}

std::string distance_text(const Record& record) {
  return std::isnan(record.gap) ? fmt::format("moved {:.1e}", record.moved)
                                : fmt::format("gap {:.1e}", record.gap);
}

Verdict ProgressLine::notice(const Event& event) {
  if (event.record != nullptr) {
    last_ = *event.record;
    has_record_ = true;
  }
  const Session& session = event.session;
  const auto now = std::chrono::steady_clock::now();
  if (event.finished || now < next_at_) return Verdict::go_on;
  next_at_ = now + std::chrono::seconds(1);
  std::string line = title_ + session.info().name;
  if (session.n_restarts() > 1)
    line += fmt::format("  restart {}/{}", event.restart + 1, session.n_restarts());
  if (has_record_) {
    line += fmt::format("  component {}  iteration {}  objective {:.6g}  {}  {}", last_.component,
                        last_.iteration, last_.objective, distance_text(last_),
                        duration_text(session.seconds()));
    // At the present pace, if every iteration allowed is used.
    const double pace =
        last_.seconds / static_cast<double>(std::max<Index>(session.n_iterations(), 1));
    if (session.n_racing() > 1) {
      line += fmt::format("  {} in the race", session.n_racing());
    } else if (session.n_racing() == 0 && session.n_over() > 0) {  // at the pace of those so far
      const auto done = static_cast<double>(session.n_over());
      const auto left = static_cast<double>(session.n_restarts() - session.n_over());
      line += fmt::format("  about {} to go", duration_text(session.seconds() / done * left));
    } else if (last_.component == 0) {
      line += fmt::format(
          "  at most {} to go",
          duration_text(pace * static_cast<double>(session.max_iterations() - last_.iteration)));
    }
  } else {
    line += "  starting  " + duration_text(session.seconds());
  }
  show(line, title_.size() + session.info().name.size());
  return Verdict::go_on;
}

// One column is left free: a full line would go on in the next one.
void ProgressLine::show(const std::string& line, std::size_t n_name) {
  const Look look = Look::of(STDERR_FILENO);
  if (!look.can_rewrite) {
    std::fprintf(stderr, "%s\n", line.c_str());
    return;
  }
  const std::string shown = look.cut(line, look.columns - 1);
  if (n_name + std::string_view("…").size() > shown.size()) n_name = shown.size();
  std::fprintf(stderr, "\r\033[K%s%s", look.paint(Ink::bold, shown.substr(0, n_name)).c_str(),
               look.paint(Ink::dim, shown.substr(n_name)).c_str());
  std::fflush(stderr);
  is_shown_ = true;
}

void ProgressLine::begin(const std::string& title) {
  title_ = title;
  has_record_ = false;
}

void ProgressLine::clear() {
  if (is_shown_) std::fprintf(stderr, "\r\033[K");
  is_shown_ = false;
}

}  // namespace gingham::cli
