// The line one watches while a demonstration runs.
#pragma once
#include <chrono>
#include <map>
#include <vector>

#include "gingham/engine/observer.hpp"
#include "look.hpp"

namespace gingham::cli {

// The course of a run in one quantity: its gaps where all were measured, otherwise its motion.
std::vector<double> distances(const std::vector<Record>& trace);

// On a terminal, some twenty times a second: restart, iteration and how gap or motion fall. Nothing
// anywhere else.
class DemoProgress final : public Observer {
 public:
  DemoProgress();
  Verdict notice(const Event& event) override;
  void say(const std::string& text);  // in place of the line
  void clear();

 private:
  Look look_;
  std::map<Index, std::vector<Record>> traces_;  // by restart: they may race
  Index restart_ = 0;                            // the one that was last at work
  std::chrono::steady_clock::time_point next_at_{};
  bool is_shown_ = false;
};

}  // namespace gingham::cli
