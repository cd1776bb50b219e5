#include "gingham/engine/race.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/fake_method.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/engine/session.hpp"

namespace gingham {
namespace {

using test::At;
using test::fake_info;
using test::Plan;
using test::small_data;
using test::with;

using Settings = std::vector<std::pair<std::string, std::string>>;

MethodInfo racing_info(const Plan& plan) {
  MethodInfo info = fake_info(plan);
  info.race.bytes = [](const Dataset&, const Options&) { return 1e6; };
  return info;
}

Result run_plan(const MethodInfo& info, const Settings& settings,
                const std::vector<Observer*>& observers = {}) {
  const Dataset data = small_data();
  const Options options = with(info, settings);
  ThreadPool pool(1);
  return Session(info, data, options, pool).run(observers);
}

// What restarts would do if each ran to its end.
struct Course {
  std::vector<double> objective = {};  // after each iteration
  bool fails = false;                  // with the last one, else it converges
};

// Round by round, by the words of race.hpp.
std::vector<RestartSummary> raced(const std::vector<Course>& courses) {
  std::vector<RestartSummary> found(courses.size());
  std::vector<std::size_t> in_race;
  for (std::size_t r = 0; r < courses.size(); ++r) in_race.push_back(r);
  const auto run_on = [&](std::size_t r, std::size_t most) {
    const Course& course = courses[r];
    const std::size_t n = std::min(most, course.objective.size());
    const bool is_over = n == course.objective.size();
    found[r] = {course.objective[n - 1],
                !is_over       ? Status::cancelled
                : course.fails ? Status::numerical_failure
                               : Status::converged,
                static_cast<Index>(n)};
  };
  std::size_t length = 5, until = 0;
  for (Index round = 1; in_race.size() > 1 && round < 20; ++round) {
    until += length;
    length *= 2;
    for (std::size_t i = 0; i < in_race.size();) {
      // The last one that is left has nobody to wait for.
      const bool is_alone = in_race.size() == 1;
      run_on(in_race[i], is_alone ? 1000 : until);
      if (found[in_race[i]].status == Status::numerical_failure) {
        in_race.erase(in_race.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    const std::size_t n_stay = (in_race.size() + 1) / 2;
    while (in_race.size() > n_stay) {
      std::size_t last = in_race[0];
      for (const std::size_t r : in_race) {
        if (found[r].objective >= found[last].objective) last = r;
      }
      std::erase(in_race, last);
      if (found[last].status != Status::cancelled) continue;
      found[last].status = Status::left_race;
      found[last].round = round;
    }
  }
  for (const std::size_t r : in_race) run_on(r, 1000);
  return found;
}

std::vector<Course> random_courses(Index n, double failing, Rng& rng) {
  std::vector<Course> courses(static_cast<std::size_t>(n));
  for (Course& one : courses) {
    const Index length = 1 + rng.below(rng.below(3) == 0 ? 8 : 60);
    double objective = 20.0;
    for (Index i = 0; i < length; ++i) {
      objective -= rng.below(3) == 0 ? 0.0 : std::floor(3.0 * rng.uniform()) / 8.0;
      one.objective.push_back(objective);
    }
    one.fails = rng.uniform() < failing;
  }
  return courses;
}

Plan plan_of(const std::vector<Course>& courses) {
  const auto is_end = [&courses](const At& at) {
    return at.iteration >= std::ssize(courses[at.restart].objective);
  };
  return {.gap = [=](const At& at) { return is_end(at) ? 0.0 : 1.0; },
          .objective =
              [&courses](const At& at) {
                return courses[at.restart].objective[std::max<Index>(at.iteration, 1) - 1];
              },
          .change =
              [&courses, is_end](const At& at, Accuracy, Terms& terms) {
                terms.has_risen = is_end(at) && courses[at.restart].fails;
              },
          .memberships =
              [](const At& at) {
                return std::vector<Membership>{{"rows", std::nullopt, 20, {{0, at.restart, 1.0}}}};
              }};
}

void expect_same(const std::vector<RestartSummary>& found,
                 const std::vector<RestartSummary>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t r = 0; r < found.size(); ++r) {
    EXPECT_EQ(found[r].objective, expected[r].objective) << r;
    EXPECT_EQ(status_name(found[r].status), status_name(expected[r].status)) << r;
    EXPECT_EQ(found[r].iterations, expected[r].iterations) << r;
    EXPECT_EQ(found[r].round, expected[r].round) << r;
  }
}

TEST(Race, GoesByItsRule) {
  Rng rng(3, 1);
  Index n_left = 0, n_second = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::vector<Course> courses =
        random_courses(2 + rng.below(9), trial % 2 == 0 ? 0.0 : 0.2, rng);
    const Plan plan = plan_of(courses);
    const std::vector<RestartSummary> expected = raced(courses);
    const bool ends_well =
        std::any_of(expected.begin(), expected.end(),
                    [](const RestartSummary& one) { return one.status == Status::converged; });
    if (!ends_well) {
      ++n_second;
      continue;
    }
    Index n_records = 0;
    std::map<Index, Index> records;
    Callback count([&](const Event& event) {
      if (event.record != nullptr) {
        ++n_records;
        EXPECT_EQ(event.record->iteration, ++records[event.restart]);
        EXPECT_EQ(event.session.n_iterations(), n_records);
      }
      return Verdict::go_on;
    });
    const Result result =
        run_plan(racing_info(plan), {{"restarts", std::to_string(courses.size())}}, {&count});
    expect_same(result.restarts, expected);
    Index total = 0;
    for (const RestartSummary& one : expected) {
      total += one.iterations;
      n_left += one.status == Status::left_race ? 1 : 0;
      if (one.status == Status::converged) {
        EXPECT_LE(result.terms.objective(), one.objective);
      }
    }
    EXPECT_EQ(n_records, total);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_EQ(result.restarts[result.best_restart].objective, result.terms.objective());
    EXPECT_EQ(std::ssize(result.trace), result.restarts[result.best_restart].iterations);
    for (std::size_t i = 0; i < result.trace.size(); ++i)
      EXPECT_EQ(result.trace[i].objective, courses[result.best_restart].objective[i]);
  }
  EXPECT_GT(n_left, 500);
  EXPECT_LT(n_second, 40);
}

TEST(Race, WithoutItEachRestartRunsToItsEnd) {
  Rng rng(4, 1);
  for (int trial = 0; trial < 40; ++trial) {
    const std::vector<Course> courses = random_courses(5, 0.2, rng);
    const Plan plan = plan_of(courses);
    const Result without = run_plan(fake_info(plan), {{"restarts", "5"}});
    const Result no = run_plan(racing_info(plan), {{"restarts", "5"}, {"race", "no"}});
    expect_same(no.restarts, without.restarts);
    EXPECT_EQ(no.best_restart, without.best_restart);
    for (std::size_t r = 0; r < 5; ++r)
      EXPECT_EQ(no.restarts[r].iterations, std::ssize(courses[r].objective));
    MethodInfo unwilling = racing_info(plan);
    unwilling.race.takes = [](const Options&) { return false; };
    expect_same(run_plan(unwilling, {{"restarts", "5"}}).restarts, without.restarts);
  }
}

TEST(Race, OneRestartHasNobodyToRaceWith) {
  Rng rng(5, 1);
  const std::vector<Course> courses = random_courses(1, 0.0, rng);
  const Plan plan = plan_of(courses);
  const MethodInfo info = racing_info(plan);
  EXPECT_FALSE(races(info, info.make_options()));
  const Result result = run_plan(info, {});
  EXPECT_EQ(result.restarts[0].iterations, std::ssize(courses[0].objective));
  EXPECT_EQ(result.status, Status::converged);
}

TEST(Race, ThoseThatLeftBeginAgainWhereAllOthersFail) {
  // Restarts 2 and 0 stay longest, and both fail; 1 left with the lowest objective, and fails too.
  const auto falling = [](double from, Index n, bool fails) {
    Course course{.fails = fails};
    for (Index i = 0; i < n; ++i) course.objective.push_back(from - static_cast<double>(i));
    return course;
  };
  const std::vector<Course> courses{falling(100, 40, true), falling(110, 30, true),
                                    falling(90, 8, true), falling(120, 20, false)};
  const Plan plan = plan_of(courses);
  const Result result = run_plan(racing_info(plan), {{"restarts", "4"}});
  expect_same(result.restarts, {{61.0, Status::numerical_failure, 40},
                                {81.0, Status::numerical_failure, 30},
                                {83.0, Status::numerical_failure, 8},
                                {101.0, Status::converged, 20}});
  EXPECT_EQ(result.best_restart, 3);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(std::ssize(result.trace), 20);
}

TEST(Race, AStoppedOneShowsTheRestartThatIsAhead) {
  Rng rng(6, 1);
  for (int trial = 0; trial < 60; ++trial) {
    const std::vector<Course> courses = random_courses(6, 0.0, rng);
    const Plan plan = plan_of(courses);
    Index n = 0;
    const Index most = 1 + rng.below(60);
    Callback stop([&](const Event& event) {
      n += event.record != nullptr ? 1 : 0;
      return n >= most ? Verdict::cancel : Verdict::go_on;
    });
    const Result result = run_plan(racing_info(plan), {{"restarts", "6"}}, {&stop});
    if (result.status != Status::cancelled) continue;
    Index total = 0;
    for (const RestartSummary& one : result.restarts) {
      total += one.iterations;
      EXPECT_EQ(one.status == Status::left_race, one.round > 0);
      if (one.status == Status::left_race) continue;
      EXPECT_GE(one.objective, result.terms.objective());
    }
    EXPECT_EQ(total, most);
    const RestartSummary& shown = result.restarts[result.best_restart];
    EXPECT_EQ(shown.objective, result.terms.objective());
    EXPECT_EQ(shown.iterations, std::ssize(result.trace));
    EXPECT_NE(shown.status, Status::left_race);
  }
}

TEST(Race, StabilityCountsThoseThatLeft) {
  const std::vector<Course> courses(3, {.objective = std::vector<double>(20, 1.0)});
  Plan plan = plan_of(courses);
  plan.memberships = [](const At& at) {  // item 0: all, item 1: the first two
    Membership rows{"rows", std::nullopt, 9, {{0, 0, 1.0}}};
    if (at.restart < 2) rows.members.push_back({0, 1, 1.0});
    return std::vector<Membership>{rows};
  };
  const Result result = run_plan(racing_info(plan), {{"restarts", "3"}});
  EXPECT_EQ(result.best_restart, 0);
  EXPECT_EQ(result.restarts[1].status, Status::left_race);
  EXPECT_EQ(result.restarts[2].status, Status::left_race);
  ASSERT_EQ(result.stability.size(), 1u);
  EXPECT_EQ(result.stability[0], (std::vector<double>{1.0, 0.5}));
}

// Settles a number in its first iteration.
class Settling final : public Method {
 public:
  void settled(Archive& ar) override { ar("number", number_); }
  void start(const Dataset&, Context& ctx) override { restart_ = ctx.restart(); }
  void attach(const Dataset&, Context& ctx) override { restart_ = ctx.restart(); }
  Done step(Context&) override {
    if (number_ == 0) number_ = 10 + restart_;
    ++n_;
    return Done::iteration;
  }
  Terms terms(Context&, Accuracy) override {  // the last restart is the best
    Terms terms;
    terms.loss = 100.0 - static_cast<double>(restart_);
    terms.gaps = {{"all", n_ < 30 ? 1.0 : 0.0}};
    return terms;
  }
  bool conclude(Status, Context&) override { return false; }
  Model model(Context&) const override {
    Model model;
    model.arrays = {{"seen", std::vector<double>{static_cast<double>(number_)}}};
    return model;
  }
  void state(Archive& ar) override { ar("number", number_)("n", n_); }

 private:
  Index number_ = 0, n_ = 0, restart_ = 0;
};

TEST(Race, WhatTheFirstRestartSettlesIsReadByThoseBesideIt) {
  MethodInfo info = racing_info(Plan{});
  info.make = [](const Options&) { return std::make_unique<Settling>(); };
  const Result result = run_plan(info, {{"restarts", "5"}});
  EXPECT_EQ(result.best_restart, 4);
  EXPECT_EQ(result.restarts[0].status, Status::left_race);
  EXPECT_EQ(result.vector("seen"), (std::vector<double>{10}));
}

TEST(Race, TheBetterHalfStays) {
  const auto who = [](std::vector<double> objectives) {
    std::vector<Racer> racers;
    for (const double x : objectives) racers.push_back({x, std::ssize(racers)});
    std::vector<Index> found;
    for (const Racer& one : better_half(racers)) found.push_back(one.restart);
    return found;
  };
  EXPECT_EQ(who({3, 1, 2, 4}), (std::vector<Index>{1, 2}));
  EXPECT_EQ(who({3, 1, 2}), (std::vector<Index>{1, 2}));
  EXPECT_EQ(who({1, 1, 1, 1, 1}), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(who({std::nan(""), 1, -HUGE_VAL}), (std::vector<Index>{2, 1}));
  EXPECT_EQ(who({7}), (std::vector<Index>{0}));
  EXPECT_EQ(who({1 + 1e-13, 1, 5, 1 - 1e-13, 1}), (std::vector<Index>{0, 1, 3}));
  EXPECT_EQ(who({HUGE_VAL, HUGE_VAL, 1}), (std::vector<Index>{2, 0}));
  EXPECT_EQ(iterations_by(1), 5);
  EXPECT_EQ(iterations_by(4), 75);
}

TEST(Race, TakesMemoryForAllRestartsAndIsLeftOutWhereThereIsNone) {
  const Plan plan;
  const MethodInfo info = racing_info(plan);
  const Dataset data = small_data();
  Options options = with(info, {{"restarts", "5"}});
  const double with_race = estimate_bytes(info, data, options);
  EXPECT_FALSE(race_within(info, data, options, with_race));
  EXPECT_EQ(options.text("race"), "yes");
  const auto remark = race_within(info, data, options, with_race - 1.0);
  ASSERT_TRUE(remark);
  EXPECT_NE(remark->find("--race no"), std::string::npos) << *remark;
  EXPECT_EQ(options.text("race"), "no");
  EXPECT_EQ(estimate_bytes(info, data, options), with_race - 4e6);
  EXPECT_FALSE(race_within(info, data, options, 1.0));  // it does not race any more
  Options one = info.make_options();
  EXPECT_FALSE(race_within(info, data, one, 1.0));
  EXPECT_EQ(one.text("race"), "yes");
}

}  // namespace
}  // namespace gingham
