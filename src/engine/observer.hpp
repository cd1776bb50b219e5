// Observers see a run after each step and say whether it goes on. Progress line, time limit,
// interruption, checkpoint and callbacks are five small ones.
#pragma once
#include <atomic>
#include <functional>

#include "gingham/engine/result.hpp"

namespace gingham {

class Session;

enum class Verdict { go_on, cancel, out_of_time };

struct Event {
  const Session& session;
  const Record* record = nullptr;  // set when the step finished an iteration
  bool finished = false;           // the run is complete
  bool stopping = false;  // the run ends here, unfinished; the verdict does not matter any more
  Index restart = 0;  // that of the record; the session is at the next one after the last record
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual Verdict notice(const Event& event) = 0;
};

// Stops the run when this session has worked for `seconds` (earlier parts of a resumed run do not
// count).
class GINGHAM_API TimeLimit final : public Observer {
 public:
  explicit TimeLimit(double seconds) : seconds_(seconds) {}
  Verdict notice(const Event& event) override;

 private:
  double seconds_;
};

// Stops the run when the flag is set, as a signal handler does; without a flag it never does.
class StopFlag final : public Observer {
 public:
  explicit StopFlag(const std::atomic<bool>& flag) : flag_(&flag) {}
  explicit StopFlag(const std::atomic<bool>* flag) : flag_(flag) {}
  Verdict notice(const Event&) override {
    return flag_ != nullptr && flag_->load() ? Verdict::cancel : Verdict::go_on;
  }

 private:
  const std::atomic<bool>* flag_;
};

class Callback final : public Observer {
 public:
  explicit Callback(std::function<Verdict(const Event&)> function)
      : function_(std::move(function)) {}
  Verdict notice(const Event& event) override { return function_(event); }

 private:
  std::function<Verdict(const Event&)> function_;
};

}  // namespace gingham
