// The line one watches while a demonstration runs.
#pragma once
#include <chrono>
#include <vector>

#include "gingham/engine/observer.hpp"
#include "look.hpp"

namespace gingham::cli {

// On a terminal, some twenty times a second: restart, iteration and how the gap falls. Nothing
// anywhere else.
class DemoProgress final : public Observer {
 public:
  DemoProgress();
  Verdict notice(const Event& event) override;
  void say(const std::string& text);  // in place of the line
  void clear();

 private:
  Look look_;
  std::vector<double> gaps_;  // of this restart
  std::chrono::steady_clock::time_point next_at_{};
  bool is_shown_ = false;
};

}  // namespace gingham::cli
