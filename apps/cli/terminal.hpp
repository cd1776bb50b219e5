// What depends on where output goes: a terminal, a pipe, a person who wants no colours.
#pragma once
#include <atomic>
#include <chrono>
#include <string>

#include "gingham/engine/observer.hpp"

namespace gingham::cli {

// "gap 1.0e-06", or "moved 1.0e-03" where the gap was not measured.
std::string distance_text(const Record& record);

// A line on standard error: iteration, objective, gap or motion, elapsed, remaining; rewritten in
// place on a terminal, plain lines elsewhere, at most once a second.
class ProgressLine final : public Observer {
 public:
  Verdict notice(const Event& event) override;
  void begin(const std::string& title);  // another run follows; the title comes before its line
  void clear();                          // wipes the line on a terminal

 private:
  void show(const std::string& line, std::size_t n_name);  // the first bytes are a name
  Record last_;
  bool has_record_ = false;
  std::string title_;
  std::chrono::steady_clock::time_point next_at_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(1);
  bool is_shown_ = false;
};

// Set by the first SIGINT or SIGTERM; the second one ends the program at once.
const std::atomic<bool>& install_stop_signals();

// Seconds for people: "7 ms", "0.42 s", "3 min 5 s".
std::string duration_text(double seconds);

void print_line(const std::string& text);    // standard output
void print_remark(const std::string& text);  // standard error, "gingham: ..."

}  // namespace gingham::cli
