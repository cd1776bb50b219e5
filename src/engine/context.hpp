// What a method is given to work with: where blocks run, named random streams, a way to notice that
// the run is to stop, and marks for the engine's clock. Nothing else of the outside world reaches a
// method.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gingham/base/function_ref.hpp"
#include "gingham/base/parallel.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/engine/derived.hpp"

namespace gingham {

// Thrown by Context::check_stop inside a long step; the engine catches it. The step counts as not
// done: a method must not have changed its state before its last call of check_stop in that step.
struct StopRequested {};

// Told at each change of phase; the engine's implementation reads a clock.
class PhaseListener {
 public:
  virtual ~PhaseListener() = default;
  virtual void phase(std::string_view name) = 0;
  virtual bool stop_requested() = 0;
};

class Context {
 public:
  Context(Executor& executor, std::uint64_t seed, Index restart, PhaseListener* listener = nullptr,
          Derived derived = {})
      : executor_(&executor),
        seed_(seed),
        restart_(restart),
        listener_(listener),
        derived_(std::move(derived)) {}

  Executor& executor() const { return *executor_; }
  Index restart() const { return restart_; }
  // The stream of this name, from its beginning; each restart has its own.
  Rng rng(std::string_view name) const {
    return Rng::named(seed_, name, static_cast<std::uint64_t>(restart_));
  }
  // What MethodInfo::derive made, for start and attach; Error{internal} where that is no T.
  template <class T>
  std::shared_ptr<const T> derived() const {
    return derived_.as<T>();
  }
  // What follows is called `name` in the timings.
  void phase(std::string_view name) const {
    if (listener_ != nullptr) listener_->phase(name);
  }
  // For steps that may take long: call between bounded pieces of work, not from inside a block's
  // body.
  void check_stop() const {
    if (listener_ != nullptr && listener_->stop_requested()) throw StopRequested{};
  }

 private:
  Executor* executor_;
  std::uint64_t seed_;
  Index restart_;
  PhaseListener* listener_;
  Derived derived_;
};

}  // namespace gingham
