#include "gingham/engine/session.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/fake_method.hpp"
#include "gingham/engine/run.hpp"

namespace gingham {
namespace {

using test::At;
using test::expect_error;
using test::fake_info;
using test::Plan;
using test::small_data;
using test::with;

using Settings = std::vector<std::pair<std::string, std::string>>;

Result run_plan(const Plan& plan, const Settings& settings,
                const std::vector<Observer*>& observers = {}) {
  const MethodInfo info = fake_info(plan);
  const Dataset data = small_data();
  const Options options = with(info, settings);
  ThreadPool pool(1);
  return Session(info, data, options, pool).run(observers);
}

TEST(Session, ConvergesOnceTheGapIsAtMostTheTolerance) {
  for (const int k : {0, 1, 5, 13}) {
    const Result result = run_plan({}, {{"tolerance", to_text(std::exp2(-k))}});
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_EQ(result.iterations, std::max(k, 1));
    EXPECT_LE(result.terms.gap(), std::exp2(-k));
    EXPECT_EQ(std::ssize(result.trace), result.iterations);
    EXPECT_EQ(result.restarts.size(), 1u);
  }
}

TEST(Session, WritesTheTraceAndWhatItWorkedOn) {
  const Result result = run_plan({}, {{"tolerance", "0.1"}});
  ASSERT_EQ(result.trace.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(result.trace[k].iteration, static_cast<Index>(k) + 1);
    EXPECT_EQ(result.trace[k].gap, std::exp2(-static_cast<double>(k) - 1));
    EXPECT_GE(result.trace[k].seconds, k == 0 ? 0.0 : result.trace[k - 1].seconds);
  }
  EXPECT_EQ(result.trace.back().objective, result.terms.objective());
  EXPECT_EQ(result.method, "fake");
  EXPECT_EQ(result.inputs.size(), 1u);
  EXPECT_EQ(result.inputs[0].path, "small");
  EXPECT_EQ(result.inputs[0].nonzeros, 6);
  EXPECT_EQ(result.inputs[0].digest, small_data().block(0).digest());
  EXPECT_EQ(result.item_labels[0][0][1], "b");
  EXPECT_GE(result.peak_bytes, 1000.0 + 48.0);
  EXPECT_EQ(result.seconds[0].name, "fit");
  EXPECT_EQ(result.vector("sum")[0], 21.0);
  expect_error(ErrorCode::usage, {"no array 'W'"}, [&] { static_cast<void>(result.matrix("W")); });
  expect_error(ErrorCode::usage, {"no labels for 'rows'"},
               [&] { static_cast<void>(result.labels("rows")); });
}

TEST(Session, StopsAtTheIterationLimitAndSaysSo) {
  const Result result = run_plan({}, {{"tolerance", "0"}, {"max-iterations", "7"}});
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_EQ(result.iterations, 7);
  EXPECT_EQ(run_plan({}, {{"tolerance", "0.0078125"}, {"max-iterations", "7"}}).status,
            Status::converged);
}

TEST(Session, ReportsACycleUnlessTheGapIsReached) {
  Plan plan{.cycle = [](const At& at) { return at.iteration == 3; }};
  EXPECT_EQ(run_plan(plan, {}).status, Status::cycle);
  EXPECT_EQ(run_plan(plan, {}).iterations, 3);
  EXPECT_EQ(run_plan(plan, {{"tolerance", "0.125"}}).status, Status::converged);
  EXPECT_EQ(run_plan(plan, {{"max-iterations", "3"}}).status, Status::cycle);
}

TEST(Session, WhatWasNotMeasuredHasNotConverged) {
  // Gaps are measured at every third iteration, motion at every one.
  const Plan plan{.change = [](const At& at, Accuracy accuracy, Terms& terms) {
    terms.moved = 1e-9;
    if (accuracy == Accuracy::running && at.iteration % 3 != 0) terms.gaps.clear();
  }};
  const Result result = run_plan(plan, {{"tolerance", "0.5"}});
  EXPECT_EQ(result.status, Status::converged);
  ASSERT_EQ(result.iterations, 3);
  for (const Record& record : result.trace) {
    EXPECT_EQ(std::isnan(record.gap), record.iteration != 3);
    EXPECT_EQ(record.moved, 1e-9);
  }
  const Plan never{.change = [](const At&, Accuracy, Terms& terms) { terms.gaps.clear(); }};
  const Result open = run_plan(never, {{"tolerance", "1"}, {"max-iterations", "4"}});
  EXPECT_EQ(open.status, Status::iteration_limit);
  EXPECT_EQ(open.iterations, 4);
  EXPECT_TRUE(std::isnan(open.trace.back().moved));
}

TEST(Session, EndsWhereTheMethodSaysSo) {
  const auto ends = [](bool Terms::*flag) {
    return Plan{.change = [flag](const At& at, Accuracy, Terms& terms) {
      terms.*flag = at.iteration == 2;
    }};
  };
  const std::vector<std::pair<bool Terms::*, Status>> all{{&Terms::is_finished, Status::finished},
                                                          {&Terms::cycle, Status::cycle}};
  for (const auto& [flag, status] : all) {
    const Plan plan = ends(flag);
    const Result result = run_plan(plan, {});
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.iterations, 2);
    EXPECT_EQ(run_plan(plan, {{"tolerance", "0.25"}}).status, Status::converged);
  }
}

TEST(Session, AnObjectiveThatRisesIsAFailureAndShown) {
  const Plan plan{
      .objective = [](const At& at) { return static_cast<double>(at.iteration); },
      .change = [](const At& at, Accuracy, Terms& terms) { terms.has_risen = at.iteration > 1; }};
  for (const char* tolerance : {"0", "0.25"}) {
    const Result result = run_plan(plan, {{"tolerance", tolerance}});
    EXPECT_EQ(result.status, Status::numerical_failure);
    EXPECT_EQ(result.iterations, 2);
    EXPECT_EQ(result.terms.objective(), 2.0);
    EXPECT_EQ(result.trace.back().objective, 2.0);
  }
}

TEST(Session, DoesNotCallItConvergedWhenTheExactGapIsLarger) {
  Plan plan{.exact_gap = [](const At&) { return 0.5; }};
  EXPECT_EQ(run_plan(plan, {{"tolerance", "0.1"}}).status, Status::iteration_limit);
  plan.exact_gap = [](const At&) { return std::nan(""); };
  EXPECT_EQ(run_plan(plan, {{"tolerance", "0.1"}}).status, Status::numerical_failure);
}

TEST(Session, NumbersThatAreNotFiniteAreAFailure) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    const Plan objective{.objective = [&](const At& at) { return at.iteration == 2 ? bad : 1.0; }};
    EXPECT_EQ(run_plan(objective, {}).status, Status::numerical_failure);
    EXPECT_EQ(run_plan(objective, {}).iterations, 2);
    if (bad < 0) continue;
    const Plan gap{.gap = [&](const At& at) { return at.iteration == 2 ? bad : 1.0; }};
    EXPECT_EQ(run_plan(gap, {}).status, Status::numerical_failure);
  }
}

TEST(Session, KeepsTheRestartWithTheLowestObjective) {
  const std::vector<double> objective{5, 3, std::nan(""), 1, 1, 4};
  const Plan plan{.objective = [&](const At& at) { return objective[at.restart]; }};
  const Result result = run_plan(plan, {{"restarts", "6"}, {"tolerance", "0.25"}});
  EXPECT_EQ(result.best_restart, 3);  // the first of two equal ones
  EXPECT_EQ(result.terms.objective(), 1);
  EXPECT_EQ(result.status, Status::converged);
  ASSERT_EQ(result.restarts.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(result.restarts[k].status, k == 2 ? Status::numerical_failure : Status::converged);
    EXPECT_EQ(result.restarts[k].iterations, k == 2 ? 1 : 2);
  }
  EXPECT_EQ(result.trace.front().objective, 1);
}

TEST(Session, IgnoresFailedRestartsWhereverTheyAre) {
  for (const double worst : {std::nan(""), -HUGE_VAL}) {
    const Plan first{.objective = [&](const At& at) { return at.restart == 0 ? worst : 9.0; }};
    EXPECT_EQ(run_plan(first, {{"restarts", "2"}, {"max-iterations", "2"}}).best_restart, 1);
    const Plan last{.objective = [&](const At& at) { return at.restart == 1 ? worst : 9.0; }};
    EXPECT_EQ(run_plan(last, {{"restarts", "2"}, {"max-iterations", "2"}}).best_restart, 0);
    const Plan all{.objective = [&](const At&) { return worst; }};
    const Result failed = run_plan(all, {{"restarts", "3"}});
    EXPECT_EQ(failed.status, Status::numerical_failure);
    EXPECT_EQ(failed.best_restart, 0);
  }
}

TEST(Session, GivesEachRestartItsOwnRandomNumbers) {
  const Settings settings{{"restarts", "4"}, {"max-iterations", "2"}, {"tolerance", "0"}};
  const Result result = run_plan({}, settings);
  for (std::size_t k = 1; k < 4; ++k)
    EXPECT_NE(result.restarts[k].objective, result.restarts[0].objective);
  EXPECT_EQ(run_plan({}, settings).terms.objective(), result.terms.objective());
  Settings other = settings;
  other.emplace_back("seed", "1");
  EXPECT_NE(run_plan({}, other).terms.objective(), result.terms.objective());
}

TEST(Session, TakesComponentsOneByOneAndReportsTheWorst) {
  // The second component cycles, the third runs into the limit.
  const Plan plan{.components = 4,
                  .gap =
                      [](const At& at) {
                        return at.component == 1 || at.component == 2
                                   ? 1.0
                                   : std::exp2(-static_cast<double>(at.iteration));
                      },
                  .exact_gap = [](const At&) { return 0.0; },
                  .cycle = [](const At& at) { return at.component == 1 && at.iteration == 2; }};
  const Result result = run_plan(plan, {{"tolerance", "0.125"}, {"max-iterations", "5"}});
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_EQ(
      result.vector("ended"),
      (std::vector<double>{
          static_cast<double>(Status::converged), static_cast<double>(Status::cycle),
          static_cast<double>(Status::iteration_limit), static_cast<double>(Status::converged)}));
  std::vector<std::pair<Index, Index>> places;
  for (const Record& record : result.trace) places.emplace_back(record.component, record.iteration);
  EXPECT_EQ(places, (std::vector<std::pair<Index, Index>>{{0, 1},
                                                          {0, 2},
                                                          {0, 3},
                                                          {1, 1},
                                                          {1, 2},
                                                          {2, 1},
                                                          {2, 2},
                                                          {2, 3},
                                                          {2, 4},
                                                          {2, 5},
                                                          {3, 1},
                                                          {3, 2},
                                                          {3, 3}}));
}

TEST(Session, ObserversSeeEveryStepAndEveryRecordOnce) {
  Index events = 0, records = 0, finished = 0;
  Callback watch([&](const Event& event) {
    ++events;
    finished += event.finished ? 1 : 0;
    if (event.record != nullptr) {
      EXPECT_EQ(event.record->iteration, ++records);
    }
    EXPECT_EQ(event.session.n_over(), event.finished ? 1 : 0);
    return Verdict::go_on;
  });
  const Result result = run_plan({.steps_per_iteration = 3}, {{"tolerance", "0.25"}}, {&watch});
  EXPECT_EQ(records, result.iterations);
  EXPECT_EQ(events, 1 + 3 * result.iterations);
  EXPECT_EQ(finished, 1);
}

TEST(Session, AnObserverCanStopTheRun) {
  for (const auto& [verdict, status] : {std::pair{Verdict::cancel, Status::cancelled},
                                        std::pair{Verdict::out_of_time, Status::time_limit}}) {
    for (Index stop_at = 1; stop_at <= 12; ++stop_at) {
      Index asked = 0, told = 0;
      Callback stop([&, v = verdict](const Event& event) {
        told += event.stopping ? 1 : 0;
        return !event.stopping && ++asked == stop_at ? v : Verdict::go_on;
      });
      const Result result = run_plan({.steps_per_iteration = 2},
                                     {{"max-iterations", "3"}, {"restarts", "2"}}, {&stop});
      EXPECT_EQ(asked, stop_at);
      EXPECT_EQ(told, 1);  // once more, that it ends here
      EXPECT_EQ(result.status, status);
      EXPECT_EQ(std::ssize(result.restarts), (stop_at - 1) / 6);
      EXPECT_TRUE(std::isfinite(result.terms.objective()));
      EXPECT_EQ(std::ssize(result.trace), stop_at >= 7 ? 3 : (stop_at - 1) / 2);
    }
  }
}

TEST(Session, TheFirstVerdictCountsAndAllObserversAreAsked) {
  Index asked = 0;
  Callback late([](const Event&) { return Verdict::out_of_time; });
  Callback stop([](const Event&) { return Verdict::cancel; });
  Callback count([&](const Event& event) {
    asked += event.stopping ? 0 : 1;
    return Verdict::go_on;
  });
  EXPECT_EQ(run_plan({}, {}, {&count, &late, &stop, &count}).status, Status::time_limit);
  EXPECT_EQ(asked, 2);
}

TEST(Session, AVerdictAtTheVeryEndChangesNothing) {
  Callback stop(
      [](const Event& event) { return event.finished ? Verdict::cancel : Verdict::go_on; });
  EXPECT_EQ(run_plan({}, {{"tolerance", "0.1"}}, {&stop}).status, Status::converged);
}

TEST(Session, StopFlagAndTimeLimit) {
  std::atomic<bool> flag{false};
  StopFlag on_flag(flag);
  EXPECT_EQ(run_plan({}, {}, {&on_flag}).status, Status::converged);
  flag = true;
  EXPECT_EQ(run_plan({}, {}, {&on_flag}).status, Status::cancelled);
  TimeLimit none(1e9), at_once(0.0);
  EXPECT_EQ(run_plan({}, {}, {&none}).status, Status::converged);
  EXPECT_EQ(run_plan({}, {}, {&at_once}).status, Status::time_limit);
}

TEST(Session, StoppedBeforeAnythingWasFoundThereIsNoObjective) {
  Callback stop([](const Event&) { return Verdict::cancel; });
  const Result result = run_plan({.checks_stop = true}, {}, {&stop});
  EXPECT_EQ(result.status, Status::cancelled);
  EXPECT_TRUE(std::isnan(result.terms.objective()));
  EXPECT_TRUE(result.model.arrays.empty());
}

TEST(Session, GoesOnAfterItWasStoppedInTheMiddleOfAStep) {
  const Plan plan{.components = 2, .steps_per_iteration = 2, .checks_stop = true};
  const MethodInfo info = fake_info(plan);
  const Dataset data = small_data();
  const Options options = with(info, {{"max-iterations", "4"}, {"restarts", "2"}});
  ThreadPool pool(1);
  const Result whole = Session(info, data, options, pool).run({});
  for (Index every = 1; every <= 9; ++every) {
    Session session(info, data, options, pool);
    Index asked = 0;
    Callback stop([&](const Event&) {
      return ++asked % (4 + every) == 0 ? Verdict::cancel : Verdict::go_on;
    });
    Result result = session.run({&stop});
    while (result.status == Status::cancelled) result = session.run({&stop});
    EXPECT_GT(asked, 20);
    EXPECT_EQ(result.terms.objective(), whole.terms.objective());
    EXPECT_EQ(result.vector("found"), whole.vector("found"));
    EXPECT_EQ(result.trace.size(), whole.trace.size());
    EXPECT_EQ(result.restarts[1].objective, whole.restarts[1].objective);
  }
}

// Keeps what it was given, and settles a number in the first restart.
class Sharing final : public Method {
 public:
  void settled(Archive& ar) override { ar("number", number_); }
  void start(const Dataset& data, Context& ctx) override {
    attach(data, ctx);
    if (number_ == 0) number_ = 10 + ctx.restart();
  }
  void attach(const Dataset&, Context& ctx) override { shared_ = ctx.derived<Index>(); }
  Done step(Context&) override { return Done::iteration; }
  Terms terms(Context& ctx, Accuracy) override {  // the last restart is the best
    Terms terms;
    terms.loss = 100.0 - static_cast<double>(ctx.restart());
    terms.gaps = {{"all", 0.0}};
    return terms;
  }
  bool conclude(Status, Context&) override { return false; }
  Model model(Context&) const override {
    Model model;
    model.arrays = {
        {"seen", std::vector<double>{static_cast<double>(*shared_), static_cast<double>(number_)}}};
    return model;
  }
  void state(Archive& ar) override { settled(ar); }

 private:
  std::shared_ptr<const Index> shared_;
  Index number_ = 0;
};

TEST(Session, DerivesOnceForAllRestartsAndForRunsThatAgreeInWhatItDependsOn) {
  Index made = 0;
  MethodInfo info = fake_info(Plan{});
  info.make = [](const Options&) { return std::make_unique<Sharing>(); };
  info.derive = [&](const Dataset&, const Options&, Context&) -> Derived {
    return std::make_shared<Index>(++made);
  };
  info.derived_from = {"flavour"};
  const Dataset data = small_data();
  ThreadPool pool(1);
  Derivation derivation;
  const auto seen = [&](const Settings& settings) {
    const Options options = with(info, settings);
    return Session(info, data, options, pool, derivation).run({}).vector("seen");
  };
  EXPECT_EQ(seen({{"restarts", "3"}}), (std::vector<double>{1, 10}));
  EXPECT_EQ(seen({{"restarts", "2"}, {"seed", "5"}}), (std::vector<double>{1, 10}));
  EXPECT_EQ(seen({{"flavour", "sweet"}}), (std::vector<double>{2, 10}));
  EXPECT_EQ(seen({}), (std::vector<double>{3, 10}));
  const Options options = with(info, {{"restarts", "3"}});
  EXPECT_EQ(Session(info, data, options, pool).run({}).vector("seen"),
            (std::vector<double>{4, 10}));
}

TEST(Session, ErrorsOfAMethodComeOut) {
  const Plan plan{.in_step = [](const At& at) {
    if (at.iteration == 2) throw Error(ErrorCode::internal, "", "broken");
  }};
  expect_error(ErrorCode::internal, {"broken"}, [&] { run_plan(plan, {}); });
}

TEST(Run, TakesThreadsTimeAndSnapshotFromItsArguments) {
  const Plan plan;
  const MethodInfo info = fake_info(plan);
  const Dataset data = small_data();
  EXPECT_EQ(run(info, data, with(info, {{"threads", "2"}})).status, Status::converged);
  EXPECT_EQ(run(info, data, with(info, {{"time-limit", "0"}})).status, Status::time_limit);
  std::vector<std::byte> snapshot;
  Callback keep([&](const Event& event) {
    if (event.record != nullptr && event.record->iteration == 4)
      snapshot = event.session.snapshot();
    return Verdict::go_on;
  });
  const Result whole = run(info, data, with(info, {}), {&keep});
  EXPECT_EQ(run(info, data, with(info, {}), {}, nullptr, snapshot).terms.objective(),
            whole.terms.objective());
}

}  // namespace
}  // namespace gingham
