// A run as Python watches it.
#pragma once
#include <chrono>

#include "binding.hpp"
#include "gingham/engine/session.hpp"

namespace gingham::python {

// Lets Python see the run: signals a few times a second, the callback at every iteration. What
// either raises ends the run and is kept for the caller.
class PythonObserver final : public Observer {
 public:
  explicit PythonObserver(py::object callback) : callback_(std::move(callback)) {}

  Verdict notice(const Event& event) override {
    const bool wanted = event.record != nullptr && !callback_.is_none() && !raised_;
    const auto now = std::chrono::steady_clock::now();
    if (event.stopping || (!wanted && now < next_look_)) return verdict();
    next_look_ = now + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) keep(py::error_already_set());  // takes what the interpreter has
    if (wanted && !raised_) call(event);
    return verdict();
  }

  // What was raised, or None. Requires the interpreter's lock.
  py::object raised() const { return raised_; }

 private:
  Verdict verdict() const { return stop_ ? Verdict::cancel : Verdict::go_on; }

  // With the way to where it was raised, which the exception itself does not have yet.
  void keep(const py::error_already_set& error) {
    stop_ = true;
    raised_ = error.value();
    if (error.trace()) PyException_SetTraceback(raised_.ptr(), error.trace().ptr());
  }

  void call(const Event& event) {
    try {
      const Record& record = *event.record;
      const py::object answer =
          callback_(event.restart, event.session.n_restarts(), record.component, record.iteration,
                    record.objective, record.gap, record.moved, record.seconds);
      if (py::isinstance<py::bool_>(answer) && !answer.cast<bool>()) stop_ = true;
    } catch (const py::error_already_set& error) {
      keep(error);
    }
  }

  py::object callback_;
  py::object raised_ = {};  // null while nothing was raised
  bool stop_ = false;
  std::chrono::steady_clock::time_point next_look_ = std::chrono::steady_clock::now();
};

}  // namespace gingham::python
