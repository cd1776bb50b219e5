#include "gingham/engine/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/engine/check.hpp"

namespace gingham {
namespace {

using Seconds = std::chrono::duration<double>;

// Whether these are the terms of an iterate one can go on from.
bool is_sound(const Terms& terms) {
  return !terms.has_risen && std::isfinite(terms.objective()) &&
         (terms.gaps.empty() || std::isfinite(terms.gap()));
}

}  // namespace

Session::Session(const MethodInfo& info, const Dataset& data, const Options& options,
                 Executor& executor)
    : info_(info),
      data_(data),
      options_(options),
      executor_(executor),
      context_(executor, static_cast<std::uint64_t>(options.integer("seed")), 0, this) {
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

void Session::start_restart() {
  component_ = iteration_ = 0;
  worst_ = Status::converged;
  trace_.clear();
  phase("start");
  context_ = context_of(restart_);
  std::unique_ptr<Method> fresh = info_.make(options_);
  if (best_) {
    Archive written;
    best_->settled(written);
    const std::vector<std::byte> bytes = written.take();
    Archive read(bytes);
    fresh->settled(read);
  }
  if (earlier_model_ && restart_ == 0) fresh->begin_from(*earlier_model_);
  fresh->start(data_, context_);
  method_ = std::move(fresh);
}

void Session::step() {
  if (!method_) {
    start_restart();
  } else if (method_->step(context_) == Done::iteration) {
    judge();
  }
}

// After an iteration: writes its record and decides whether the component goes on.
void Session::judge() {
  phase("terms");
  const Terms terms = method_->terms(context_, Accuracy::running);
  ++iteration_;
  last_record_ = {component_, iteration_, terms.objective(), terms.gap(), terms.moved, seconds()};
  trace_.push_back(last_record_);
  record_restart_ = restart_;
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
    } else if (iteration_ >= max_iterations()) {
      status = Status::iteration_limit;
    } else {
      return;
    }
  }
  worst_ = worse(worst_, status);
  if (method_->conclude(status, context_)) {
    ++component_;
    iteration_ = 0;
  } else {
    finish_restart(worst_);
  }
}

bool Session::is_usable(Index restart) const {
  return restarts_[restart].status != Status::numerical_failure;
}

// What a restart found, when it is let go for a better one; its model is not asked for again.
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
  const Terms terms = method_->terms(context_, Accuracy::exact);
  if (!is_sound(terms)) status = Status::numerical_failure;
  if (status == Status::converged && !(terms.gap() <= options_.real("tolerance"))) {
    status = Status::iteration_limit;
  }
  restarts_.push_back({terms.objective(), status, static_cast<Index>(trace_.size())});
  const bool better = !best_ || (is_usable(restart_) &&
                                 (!is_usable(best_restart_) ||
                                  is_lower(terms.objective(), restarts_[best_restart_].objective)));
  if (best_) remember(better ? *best_ : *method_, better ? best_restart_ : restart_);
  if (better) {
    best_ = std::move(method_);
    best_restart_ = restart_;
    best_trace_ = trace_;
    best_terms_ = terms;
  }
  method_.reset();
  ++restart_;
  is_finished_ = restart_ >= n_restarts();
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
  result.restarts = restarts_;
  result.peak_bytes = estimate_bytes(info_, data_, options_);
  // A finished restart is worth more than an unfinished one.
  Method* shown = best_ ? best_.get() : method_.get();
  result.best_restart = best_ ? best_restart_ : restart_;
  result.trace = best_ ? best_trace_ : trace_;
  result.iterations = static_cast<Index>(result.trace.size());
  Context context(executor_, static_cast<std::uint64_t>(options_.integer("seed")),
                  result.best_restart);
  const bool is_last = is_finished_ && best_ && best_terms_;  // nobody asks for more
  if (shown != nullptr) result.model = is_last ? shown->take_model(context) : shown->model(context);
  if (result.model.arrays.empty()) {
    result.terms.loss = std::nan("");
  } else {
    result.terms = best_ && best_terms_ ? *best_terms_ : shown->terms(context, Accuracy::exact);
  }
  if (best_ && is_usable(best_restart_)) result.stability = stability_of(result.model, rosters_);
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
  ar("finished", is_finished_)("restart", restart_)("component", component_)("iteration",
                                                                             iteration_);
  ar("worst", worst_)("trace", trace_)("restarts", restarts_);
  ar("best_restart", best_restart_)("best_trace", best_trace_)("phases", phase_seconds_);
  ar("rosters", rosters_);
}

void Session::save(Archive& ar) const {
  identity(ar);
  // Writing does not change anything; the one list of fields serves both ways.
  const_cast<Session*>(this)->progress(ar);
  double spent = seconds();
  bool has_best = best_ != nullptr, has_present = method_ != nullptr;
  ar("seconds", spent)("has_best", has_best)("has_present", has_present);
  if (has_best) ar("best", *best_);
  if (has_present) ar("present", *method_);
}

std::vector<std::byte> Session::snapshot() const {
  Archive ar;
  save(ar);
  return ar.take();
}

std::unique_ptr<Method> Session::revive(Archive& ar, const char* field, Index restart) {
  context_ = context_of(restart);
  std::unique_ptr<Method> method = info_.make(options_);
  method->attach(data_, context_);
  ar(field, *method);
  return method;
}

bool Session::rosters_fit() const {
  Index n_usable = 0;
  for (Index restart = 0; restart < std::ssize(restarts_); ++restart)
    n_usable += is_usable(restart) ? 1 : 0;
  return std::ssize(rosters_) <= std::max<Index>(n_usable - 1, 0) &&
         std::all_of(rosters_.begin(), rosters_.end(),
                     [](const Roster& one) { return one.is_whole(); });
}

// What holds between any two steps, and what later ones rely on.
bool Session::fits_together(bool has_present, bool has_best) const {
  const auto n_done = static_cast<Index>(restarts_.size());
  const auto n_iterations = static_cast<Index>(trace_.size());
  const bool restarts_fit = restart_ == n_done && restart_ <= n_restarts() &&
                            has_best == (n_done > 0) && best_restart_ >= 0 &&
                            best_restart_ < std::max<Index>(n_done, 1);
  const bool end_fits =
      is_finished_ == (restart_ == n_restarts()) && !(is_finished_ && has_present);
  const bool place_fits = component_ >= 0 && component_ <= n_iterations && iteration_ >= 0 &&
                          iteration_ <= n_iterations;
  return restarts_fit && end_fits && place_fits && rosters_fit() && is_status(worst_) &&
         std::all_of(restarts_.begin(), restarts_.end(),
                     [](const RestartSummary& one) { return is_status(one.status); });
}

void Session::restore(std::span<const std::byte> snapshot) {
  Archive ar(snapshot);
  restore(ar);
}

void Session::restore(Archive& ar) {
  const auto require = [](bool holds) {
    if (!holds) throw Error(ErrorCode::input, "", "saved state: does not fit together");
  };
  bool has_best = false, has_present = false;
  identity(ar);
  progress(ar);
  ar("seconds", earlier_seconds_)("has_best", has_best)("has_present", has_present);
  require(fits_together(has_present, has_best));
  roster_bytes_ = 0.0;
  for (const Roster& one : rosters_) roster_bytes_ += static_cast<double>(one.bytes());
  if (has_best) best_ = revive(ar, "best", best_restart_);
  if (has_present) method_ = revive(ar, "present", restart_);
  require(ar.at_end());
}

Verdict TimeLimit::notice(const Event& event) {
  return event.session.session_seconds() >= seconds_ ? Verdict::out_of_time : Verdict::go_on;
}

}  // namespace gingham
