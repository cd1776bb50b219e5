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
  Index n_over() const { return std::ssize(restarts_) - std::ssize(live_); }  // restarts
  // Restarts that race and are not over; 0 where they do not race.
  Index n_racing() const { return is_racing_ ? n_restarts() - n_over() : 0; }
  Index n_iterations() const;  // of all restarts
  Index n_restarts() const;
  Index max_iterations() const;
  const MethodInfo& info() const { return info_; }

 private:
  using Clock = std::chrono::steady_clock;

  // A restart in progress.
  struct Live {
    Index restart = 0;
    Context context;
    std::unique_ptr<Method> method = {};
    Index component = 0;
    Index iteration = 0;
    Status worst = Status::converged;  // of the components concluded
    std::vector<Record> trace = {};

    // All but the method and its context.
    template <class Archive>
    void place(Archive& ar) {
      ar("restart", restart)("component", component)("iteration", iteration);
      ar("worst", worst)("trace", trace);
    }
    Index n_iterations() const { return std::ssize(trace); }
    double objective() const;  // of the last iteration; infinite before the first
  };

  void step();
  // For this restart, with what was derived from the data.
  Context context_of(Index restart);
  void start_restart();
  void judge();
  void finish_restart(Status status);
  void remember(Method& let_go, Index restart);
  bool is_usable(Index restart) const;
  // Whose turn it is; where restarts race by the rule of race.hpp.
  bool is_decided() const;
  void end_turn();
  void look_round();
  void end_round();
  void leave(Live& left);
  Index second_chance() const;
  const Live* shown_live() const;
  Verdict ask_observers(const Record* record, bool stopping = false);
  Result make_result(Status status);
  std::vector<RestartSummary> summaries_of(Status status, const Result& shown) const;
  void identity(Archive& ar) const;
  void progress(Archive& ar);
  bool fits_together(bool has_best) const;
  bool live_fit() const;
  bool is_live(Index restart) const;
  bool rosters_fit() const;
  std::unique_ptr<Method> revive(Archive& ar, const char* field, Context& context);

  void phase(std::string_view name) override;
  bool stop_requested() override;

  const MethodInfo& info_;
  const Dataset& data_;
  const Options& options_;
  Executor& executor_;
  std::vector<InputSummary> inputs_;
  Derivation own_derivation_;
  Derivation* derivation_ = &own_derivation_;
  const std::vector<Observer*>* observers_ = nullptr;
  Verdict verdict_ = Verdict::go_on;

  std::optional<Model> earlier_model_;
  bool is_racing_ = false;
  bool is_finished_ = false;
  Index next_ = 0;           // the restart that starts next; there is none from n_restarts() on
  std::vector<Live> live_;   // by restart; without a race at most one
  std::size_t turn_ = 0;     // which of them steps next; beyond them: the next restart starts
  Index round_ = 1;          // of the race
  std::vector<Index> held_;  // restarts that are over and hold a place in it
  Record last_record_;
  Index record_restart_ = 0;              // the restart of that record
  Index n_records_ = 0;                   // written by this object
  std::vector<RestartSummary> restarts_;  // of all that started

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
