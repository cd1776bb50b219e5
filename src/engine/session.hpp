// A run in progress: restarts, components, iterations, the trace, and everything needed to save it
// between two steps and to continue elsewhere to the same bits.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gingham/engine/observer.hpp"
#include "gingham/engine/registry.hpp"
#include "gingham/engine/stability.hpp"

namespace gingham {

// What the last of several sessions on the same data derived from them, and with which options.
struct Derivation {
  Derived derived = {};
  std::vector<std::string> options = {};  // as MethodInfo::derived_from lists them
};

class GINGHAM_API Session final : private PhaseListener {
 public:
  // Checks data and options; throws Error{input} or Error{usage}. All arguments outlive the
  // session.
  Session(const MethodInfo& info, const Dataset& data, const Options& options, Executor& executor);
  // The same with what an earlier session on the same data derived from them, if that serves.
  Session(const MethodInfo& info, const Dataset& data, const Options& options, Executor& executor,
          Derivation& earlier);
  ~Session() override;

  // Before run: the first restart begins from this model, as far as the method can use it.
  void begin_from(Model earlier) { earlier_model_ = std::move(earlier); }
  // Continues from a snapshot. Throws Error{usage} naming the data, option or version that differs,
  // and Error{input} when the bytes are damaged; in that case the session is of no further use.
  void restore(std::span<const std::byte> snapshot);
  void restore(Archive& snapshot);
  // Works until the run is complete, the time limit of the options is over, or an observer stops
  // it. Observers outlive the call. Once: a complete run gives its model away.
  Result run(const std::vector<Observer*>& observers);

  // For observers, between steps.
  std::vector<std::byte> snapshot() const;
  void save(Archive& ar) const;    // the same into an archive that writes
  double seconds() const;          // of the whole fit, earlier parts included
  double session_seconds() const;  // since this object was made
  Index restart() const { return restart_; }
  Index n_restarts() const;
  Index component() const { return component_; }
  Index max_iterations() const;
  const MethodInfo& info() const { return info_; }

 private:
  using Clock = std::chrono::steady_clock;

  void step();
  // For this restart, with what was derived from the data.
  Context context_of(Index restart);
  void start_restart();
  void judge();
  void finish_restart(Status status);
  void remember(Method& let_go, Index restart);
  bool is_usable(Index restart) const;
  Verdict ask_observers(const Record* record, bool stopping = false);
  Result make_result(Status status);
  void identity(Archive& ar) const;
  void progress(Archive& ar);
  bool fits_together(bool has_present, bool has_best) const;
  bool rosters_fit() const;
  std::unique_ptr<Method> revive(Archive& ar, const char* field, Index restart);

  void phase(std::string_view name) override;
  bool stop_requested() override;

  const MethodInfo& info_;
  const Dataset& data_;
  const Options& options_;
  Executor& executor_;
  std::vector<InputSummary> inputs_;
  Derivation own_derivation_;
  Derivation* derivation_ = &own_derivation_;
  Context context_;
  const std::vector<Observer*>* observers_ = nullptr;
  Verdict verdict_ = Verdict::go_on;

  std::optional<Model> earlier_model_;
  std::unique_ptr<Method> method_;  // of the present restart; empty before its start
  bool is_finished_ = false;
  Index restart_ = 0;
  Index component_ = 0;
  Index iteration_ = 0;
  Status worst_ = Status::converged;  // of the components concluded in this restart
  std::vector<Record> trace_;
  Record last_record_;
  Index record_restart_ = 0;  // the restart of that record
  Index n_records_ = 0;       // written by this object
  std::vector<RestartSummary> restarts_;

  std::unique_ptr<Method> best_;
  Index best_restart_ = 0;
  std::vector<Record> best_trace_;
  std::optional<Terms> best_terms_;  // exact; computed again after a restore
  std::vector<Roster> rosters_;      // of the usable restarts that are over, but for the best
  double roster_bytes_ = 0.0;

  Clock::time_point began_ = Clock::now();
  double earlier_seconds_ = 0.0;
  Clock::time_point phase_began_ = began_;
  std::string phase_ = "start";
  std::vector<NamedValue> phase_seconds_;
};

}  // namespace gingham
