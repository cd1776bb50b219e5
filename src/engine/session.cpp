#include "gingham/engine/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/engine/race.hpp"

namespace gingham {
namespace {

using Seconds = std::chrono::duration<double>;

// Whether these are the terms of an iterate one can go on from.
bool is_sound(const Terms& terms) {
  return !terms.has_risen && std::isfinite(terms.objective()) &&
         (terms.gaps.empty() || std::isfinite(terms.gap()));
}

// In the list until it is over.
const RestartSummary kInProgress{.objective = std::nan(""), .status = Status::cancelled};

}  // namespace

Session::Session(const MethodInfo& info, const Dataset& data, const Options& options,
                 Executor& executor)
    : info_(info),
      data_(data),
      options_(options),
      executor_(executor),
      is_racing_(races(info, options)) {
  check_inputs(info, data, options);
  inputs_ = summaries(data);
}

Session::Session(const MethodInfo& info, const Dataset& data, const Options& options,
                 Executor& executor, Derivation& earlier)
    : Session(info, data, options, executor) {
  derivation_ = &earlier;
}

Session::~Session() = default;

Index Session::n_restarts() const { return options_.integer("restarts"); }
Index Session::max_iterations() const { return options_.integer("max-iterations"); }
Index Session::n_iterations() const {
  Index total = 0;
  for (const RestartSummary& one : restarts_) total += one.iterations;
  for (const Live& one : live_) total += one.n_iterations();
  return total;
}
double Session::session_seconds() const { return Seconds(Clock::now() - began_).count(); }
double Session::seconds() const { return earlier_seconds_ + session_seconds(); }

void Session::phase(std::string_view name) {
  const Clock::time_point now = Clock::now();
  const double spent = Seconds(now - phase_began_).count();
  phase_began_ = now;
  for (NamedValue& known : phase_seconds_) {
    if (known.name == phase_) {
      known.value += spent;
      phase_ = name;
      return;
    }
  }
  phase_seconds_.push_back({phase_, spent});
  phase_ = name;
}

bool Session::stop_requested() {
  if (verdict_ == Verdict::go_on) verdict_ = ask_observers(nullptr);
  return verdict_ != Verdict::go_on;
}

Verdict Session::ask_observers(const Record* record, bool stopping) {
  Verdict verdict = Verdict::go_on;
  if (observers_ == nullptr) return verdict;
  const Event event{*this, record, is_finished_, stopping, record_restart_};
  for (Observer* observer : *observers_) {
    const Verdict one = observer->notice(event);
    if (verdict == Verdict::go_on) verdict = one;
  }
  return verdict;
}

Context Session::context_of(Index restart) {
  const auto seed = static_cast<std::uint64_t>(options_.integer("seed"));
  if (!info_.derive) return Context(executor_, seed, restart, this);
  std::vector<std::string> looked_at;
  for (const std::string& name : info_.derived_from) looked_at.push_back(options_.identity(name));
  if (derivation_->derived.is_empty() || looked_at != derivation_->options) {
    Context first(executor_, seed, 0, this);
    *derivation_ = {};  // not two at a time
    derivation_->derived = info_.derive(data_, options_, first);
    derivation_->options = std::move(looked_at);
  }
  return Context(executor_, seed, restart, this, derivation_->derived);
}

double Session::Live::objective() const {
  return trace.empty() ? HUGE_VAL : trace.back().objective;
}

void Session::start_restart() {
  phase("start");
  Live fresh{.restart = next_, .context = context_of(next_)};
  fresh.method = info_.make(options_);
  // Any restart that is over, or has been through a round, has what the first one settled.
  Method* earlier = best_ ? best_.get() : live_.empty() ? nullptr : live_.front().method.get();
  if (earlier != nullptr) {
    Archive written;
    earlier->settled(written);
    const std::vector<std::byte> bytes = written.take();
    Archive read(bytes);
    fresh.method->settled(read);
  }
  if (earlier_model_ && next_ == 0) fresh.method->begin_from(*earlier_model_);
  fresh.method->start(data_, fresh.context);
  restarts_.resize(std::max(restarts_.size(), static_cast<std::size_t>(next_ + 1)));
  restarts_[next_] = kInProgress;
  next_ = std::ssize(restarts_);
  live_.push_back(std::move(fresh));
}

void Session::step() {
  if (turn_ == live_.size()) {
    start_restart();
  } else if (live_[turn_].method->step(live_[turn_].context) == Done::iteration) {
    judge();
  }
}

// After an iteration: writes its record and decides whether the component goes on.
void Session::judge() {
  phase("terms");
  Live& present = live_[turn_];
  const Terms terms = present.method->terms(present.context, Accuracy::running);
  ++present.iteration;
  last_record_ = {present.component, present.iteration, terms.objective(),
                  terms.gap(),       terms.moved,       seconds()};
  present.trace.push_back(last_record_);
  record_restart_ = present.restart;
  ++n_records_;
  if (!is_sound(terms)) {
    finish_restart(Status::numerical_failure);
    return;
  }
  Status status = Status::converged;
  if (!(terms.gap() <= options_.real("tolerance"))) {  // nor one that was not measured
    if (terms.cycle) {
      status = Status::cycle;
    } else if (terms.is_finished) {
      status = Status::finished;
    } else if (present.iteration >= max_iterations()) {
      status = Status::iteration_limit;
    } else {
      end_turn();
      return;
    }
  }
  present.worst = worse(present.worst, status);
  if (present.method->conclude(status, present.context)) {
    ++present.component;
    present.iteration = 0;
    end_turn();
  } else {
    finish_restart(present.worst);
  }
}

// One is left, or none.
bool Session::is_decided() const {
  return next_ >= n_restarts() && live_.size() + held_.size() <= 1;
}

// After an iteration: the next restart's turn, where this one's part of the round is done.
void Session::end_turn() {
  if (!is_racing_ || is_decided() || live_[turn_].n_iterations() < iterations_by(round_)) return;
  ++turn_;
  look_round();
}

// Whether all had their turn, and whether the run is over.
void Session::look_round() {
  if (turn_ < live_.size() || next_ < n_restarts()) return;
  turn_ = 0;
  if (is_racing_ && !is_decided()) end_round();
  if (!live_.empty()) return;
  next_ = second_chance();
  is_finished_ = next_ >= n_restarts();
  if (is_finished_) return;
  rosters_.clear();  // it may be among them
  roster_bytes_ = 0.0;
}

void Session::end_round() {
  std::vector<Racer> racers;
  for (const Live& one : live_) racers.push_back({one.objective(), one.restart});
  for (const Index over : held_) racers.push_back({restarts_[over].objective, over});
  std::vector<char> stays(restarts_.size(), 0);
  for (const Racer& one : better_half(std::move(racers))) stays[one.restart] = 1;
  std::erase_if(held_, [&](Index over) { return stays[over] == 0; });
  for (Live& one : live_) {
    if (stays[one.restart] == 0) leave(one);
  }
  std::erase_if(live_, [&](const Live& one) { return stays[one.restart] == 0; });
  round_ = std::min(round_ + 1, kMostRounds);
}

void Session::leave(Live& left) {
  phase("evaluate");
  restarts_[left.restart] = {left.objective(), Status::left_race, left.n_iterations(), round_};
  left.method->conclude(Status::left_race, left.context);
  remember(*left.method, left.restart);
}

// The restart that begins again: the best of those that left, where none of the others ended well.
Index Session::second_chance() const {
  Index found = n_restarts();
  if (is_usable(best_restart_)) return found;
  for (Index r = 0; r < std::ssize(restarts_); ++r) {
    if (restarts_[r].status != Status::left_race) continue;
    if (found == n_restarts() || restarts_[r].objective < restarts_[found].objective) found = r;
  }
  return found;
}

bool Session::is_usable(Index restart) const {
  return restarts_[restart].status != Status::numerical_failure;
}

// What a restart found, when it is let go for a better one or leaves the race; its model is not
// asked for again.
void Session::remember(Method& let_go, Index restart) {
  if (!is_usable(restart)) return;
  Context context(executor_, static_cast<std::uint64_t>(options_.integer("seed")), restart);
  Roster roster(std::move(let_go.take_model(context).memberships));
  const double taken = roster_bytes_ + static_cast<double>(roster.bytes());
  if (taken > roster_room(info_, data_, options_)) return;
  roster_bytes_ = taken;
  rosters_.push_back(std::move(roster));
}

// The present restart is over: keep it if it is the best, and prepare the next one.
void Session::finish_restart(Status status) {
  phase("evaluate");
  Live over = std::move(live_[turn_]);
  live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(turn_));
  const Terms terms = over.method->terms(over.context, Accuracy::exact);
  if (!is_sound(terms)) status = Status::numerical_failure;
  if (status == Status::converged && !(terms.gap() <= options_.real("tolerance"))) {
    status = Status::iteration_limit;
  }
  restarts_[over.restart] = {terms.objective(), status, over.n_iterations()};
  if (is_racing_ && is_usable(over.restart)) held_.push_back(over.restart);
  const bool better = !best_ || (is_usable(over.restart) &&
                                 (!is_usable(best_restart_) ||
                                  is_lower(terms.objective(), restarts_[best_restart_].objective)));
  if (best_) remember(better ? *best_ : *over.method, better ? best_restart_ : over.restart);
  if (better) {
    best_ = std::move(over.method);
    best_restart_ = over.restart;
    best_trace_ = std::move(over.trace);
    best_terms_ = terms;
  }
  look_round();
}

Result Session::run(const std::vector<Observer*>& observers) {
  std::vector<Observer*> all = observers;
  TimeLimit time_limit(options_.given("time-limit") ? options_.real("time-limit") : 0.0);
  if (options_.given("time-limit")) all.push_back(&time_limit);
  observers_ = &all;
  verdict_ = Verdict::go_on;
  while (!is_finished_ && verdict_ == Verdict::go_on) {
    const Index seen = n_records_;
    try {
      step();
    } catch (const StopRequested&) {
      break;
    }
    verdict_ = ask_observers(n_records_ > seen ? &last_record_ : nullptr);
  }
  if (!is_finished_) ask_observers(nullptr, true);
  observers_ = nullptr;
  if (is_finished_) return make_result(restarts_[best_restart_].status);
  return make_result(verdict_ == Verdict::out_of_time ? Status::time_limit : Status::cancelled);
}

// What a result shows of a run that is not over: without a race a finished restart is worth more
// than an unfinished one, in a race the one with the lowest objective.
const Session::Live* Session::shown_live() const {
  const Live* lowest = nullptr;
  for (const Live& one : live_) {
    if (lowest == nullptr || one.objective() < lowest->objective()) lowest = &one;
  }
  if (lowest == nullptr || !best_) return lowest;
  if (!is_racing_) return nullptr;
  const bool is_better = !is_usable(best_restart_) ||
                         is_lower(lowest->objective(), restarts_[best_restart_].objective);
  return is_better && !lowest->trace.empty() ? lowest : nullptr;
}

// Of the restarts that are over, and of those in a race that was stopped.
std::vector<RestartSummary> Session::summaries_of(Status status, const Result& shown) const {
  std::vector<RestartSummary> all = restarts_;
  for (const Live& one : live_) {
    const bool is_shown = one.restart == shown.best_restart;
    all[one.restart] = {is_shown ? shown.terms.objective() : one.objective(), status,
                        one.n_iterations()};
  }
  if (!is_racing_ && !live_.empty()) all.pop_back();
  return all;
}

Result Session::make_result(Status status) {
  phase("evaluate");
  Result result;
  result.version = kVersion;
  result.method = info_.name;
  result.options = options_;
  result.inputs = inputs_;
  result.item_labels = item_labels(data_);
  result.status = status;
  result.is_warm = earlier_model_.has_value();
  result.peak_bytes = estimate_bytes(info_, data_, options_);
  const Live* live = shown_live();
  Method* shown = live != nullptr ? live->method.get() : best_.get();
  result.best_restart = live != nullptr ? live->restart : best_restart_;
  if (live != nullptr) {
    result.trace = live->trace;
  } else if (best_) {
    result.trace = best_trace_;
  }
  result.iterations = static_cast<Index>(result.trace.size());
  Context context(executor_, static_cast<std::uint64_t>(options_.integer("seed")),
                  result.best_restart);
  const bool is_last = is_finished_ && best_ && best_terms_;  // nobody asks for more
  if (shown != nullptr) result.model = is_last ? shown->take_model(context) : shown->model(context);
  if (result.model.arrays.empty()) {
    result.terms.loss = std::nan("");
  } else {
    result.terms =
        live == nullptr && best_terms_ ? *best_terms_ : shown->terms(context, Accuracy::exact);
  }
  result.restarts = summaries_of(status, result);
  if (live == nullptr && best_ && is_usable(best_restart_))
    result.stability = stability_of(result.model, rosters_);
  phase("end");
  result.seconds.push_back({"fit", seconds()});
  for (const NamedValue& one : phase_seconds_) {
    if (one.name == "evaluate") result.seconds.push_back(one);
  }
  for (const NamedValue& one : phase_seconds_)
    result.seconds.push_back({"fit." + one.name, one.value});
  return result;
}

// What must agree for a saved run to go on here.
void Session::identity(Archive& ar) const {
  const auto same = [&](const char* field, std::string now, const std::string& what) {
    std::string saved = now;
    ar(field, saved);
    if (saved != now) {
      throw Error(
          ErrorCode::usage, "--resume",
          fmt::format(
              "the checkpoint was made with {} {}, now it is {}; use the same, or start anew "
              "with --force",
              what, printable(saved.empty() ? "(none)" : saved),
              printable(now.empty() ? "(none)" : now)));
    }
  };
  same("version", kVersion, "version");
  same("method", info_.name, "method");
  for (const OptionRecord& record : options_.records()) {
    if (record.may_differ_on_resume) continue;
    const bool is_lines = record.type == OptionType::lines;
    const std::string other = is_lines                        ? "other lines for "
                              : options_.is_file(record.name) ? "another matrix for "
                                                              : "";
    same("option", options_.identity(record.name),
         other + "--" + record.name + (other.empty() ? "" : ": digest"));
  }
  same("inputs", std::to_string(inputs_.size()), "number of inputs");
  for (const InputSummary& input : inputs_) {
    same("digest", input.digest, "other data than " + printable(input.path) + ": digest");
  }
}

void Session::progress(Archive& ar) {
  ar("finished", is_finished_)("next", next_)("turn", turn_)("round", round_)("held", held_);
  ar("restarts", restarts_)("best_restart", best_restart_)("best_trace", best_trace_);
  ar("phases", phase_seconds_)("rosters", rosters_);
}

void Session::save(Archive& ar) const {
  identity(ar);
  // Writing does not change anything; the one list of fields serves both ways.
  auto& self = *const_cast<Session*>(this);
  self.progress(ar);
  double spent = seconds();
  bool has_best = best_ != nullptr;
  Index n_live = std::ssize(live_);
  ar("seconds", spent)("has_best", has_best)("n_live", n_live);
  if (has_best) ar("best", *best_);
  for (Live& one : self.live_) {
    one.place(ar);
    ar("live", *one.method);
  }
}

std::vector<std::byte> Session::snapshot() const {
  Archive ar;
  save(ar);
  return ar.take();
}

std::unique_ptr<Method> Session::revive(Archive& ar, const char* field, Context& context) {
  std::unique_ptr<Method> method = info_.make(options_);
  method->attach(data_, context);
  ar(field, *method);
  return method;
}

bool Session::is_live(Index restart) const {
  return std::any_of(live_.begin(), live_.end(),
                     [&](const Live& one) { return one.restart == restart; });
}

bool Session::rosters_fit() const {
  Index n_usable = 0;
  for (Index restart = 0; restart < std::ssize(restarts_); ++restart)
    n_usable += is_usable(restart) ? 1 : 0;
  return std::ssize(rosters_) <= n_usable &&
         std::all_of(rosters_.begin(), rosters_.end(),
                     [](const Roster& one) { return one.is_whole(); });
}

bool Session::live_fit() const {
  Index last = -1;
  for (const Live& one : live_) {
    const bool fits = one.restart > last && one.restart < std::ssize(restarts_) &&
                      one.component >= 0 && one.component <= one.n_iterations() &&
                      one.iteration >= 0 && one.iteration <= one.n_iterations() &&
                      is_status(one.worst) && restarts_[one.restart].status == kInProgress.status;
    if (!fits) return false;
    last = one.restart;
  }
  const bool turn_fits =
      turn_ < live_.size() || (turn_ == live_.size() && (is_finished_ || next_ < n_restarts()));
  return (is_racing_ || live_.size() <= 1) && turn_fits;
}

// What holds between any two steps, and what later ones rely on.
bool Session::fits_together(bool has_best) const {
  const auto n_started = static_cast<Index>(restarts_.size());
  Index n_left = 0;
  for (const RestartSummary& one : restarts_) {
    if (!is_status(one.status)) return false;
    n_left += one.status == Status::left_race ? 1 : 0;
  }
  if (!live_fit() || (n_left > 0 && !is_racing_)) return false;
  const bool is_second = n_started == n_restarts() && next_ >= 0 && next_ < n_started &&
                         live_.empty() && restarts_[next_].status == Status::left_race;
  const bool restarts_fit = n_started <= n_restarts() && (next_ == n_started || is_second) &&
                            has_best == (n_started > n_left + std::ssize(live_));
  const bool best_fits =
      !has_best || (best_restart_ >= 0 && best_restart_ < n_started && !is_live(best_restart_) &&
                    restarts_[best_restart_].status != Status::left_race);
  const bool held_fit = std::all_of(held_.begin(), held_.end(), [&](Index over) {
    return is_racing_ && over >= 0 && over < n_started;
  });
  const bool end_fits = is_finished_ == (has_best && live_.empty() && next_ == n_restarts());
  return restarts_fit && best_fits && held_fit && end_fits && round_ >= 1 &&
         round_ <= kMostRounds && rosters_fit();
}

void Session::restore(std::span<const std::byte> snapshot) {
  Archive ar(snapshot);
  restore(ar);
}

void Session::restore(Archive& ar) {
  const auto require = [](bool holds) {
    if (!holds) throw Error(ErrorCode::input, "", "saved state: does not fit together");
  };
  bool has_best = false;
  Index n_live = 0;
  identity(ar);
  progress(ar);
  ar("seconds", earlier_seconds_)("has_best", has_best)("n_live", n_live);
  require(best_restart_ >= 0 && best_restart_ < n_restarts());
  if (has_best) {
    Context context = context_of(best_restart_);
    best_ = revive(ar, "best", context);
  }
  for (Index i = 0; i < n_live; ++i) {
    Live one{.restart = 0, .context = context_of(0)};
    one.place(ar);
    require(one.restart >= 0 && one.restart < n_restarts());
    one.context = context_of(one.restart);
    one.method = revive(ar, "live", one.context);
    live_.push_back(std::move(one));
  }
  require(fits_together(has_best) && ar.at_end());
  roster_bytes_ = 0.0;
  for (const Roster& one : rosters_) roster_bytes_ += static_cast<double>(one.bytes());
}

Verdict TimeLimit::notice(const Event& event) {
  return event.session.session_seconds() >= seconds_ ? Verdict::out_of_time : Verdict::go_on;
}

}  // namespace gingham
