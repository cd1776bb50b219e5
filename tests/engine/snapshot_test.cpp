// A run that is saved between any two steps, or in the middle of a long one, and continued
// elsewhere, ends with the same result but for the time it took.
#include <gtest/gtest.h>

#include "engine/fake_method.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/session.hpp"

namespace gingham {
namespace {

using test::At;
using test::error_of;
using test::expect_error;
using test::fake_info;
using test::Plan;
using test::small_data;
using test::with;

using Snapshot = std::vector<std::byte>;
using Settings = std::vector<std::pair<std::string, std::string>>;

const Settings kSettings{{"restarts", "3"}, {"tolerance", "0.1"}, {"max-iterations", "3"}};

Plan busy_plan() {
  return {.components = 2,
          .steps_per_iteration = 2,
          .checks_stop = true,
          .gap =
              [](const At& at) {
                return at.component == 0 ? 1.0 : std::exp2(-static_cast<double>(at.iteration) - 1);
              },
          .cycle = [](const At& at) { return at.restart == 1 && at.iteration == 2; },
          .memberships =
              [](const At& at) {
                return std::vector<Membership>{
                    {"rows", std::nullopt, 200, {{0, at.restart, 1.0}, {0, 150, 1.0}, {1, 7, 2.0}}},
                    {"columns", 1, 3, {{2, 1, 1.0}}}};
              }};
}

std::vector<std::string> facts_of(const Terms& terms) {
  std::vector<std::string> facts{to_text(terms.loss), terms.cycle ? "cycle" : ""};
  for (const auto& list : {terms.penalties, terms.gaps}) {
    for (const NamedValue& one : list) facts.push_back(one.name + "=" + to_text(one.value));
  }
  return facts;
}

// Everything in a result but seconds; numbers in the text that reads back to the same bits.
std::vector<std::string> facts_of(const Result& result) {
  std::vector<std::string> facts = facts_of(result.terms);
  const auto add = [&](const auto&... parts) {
    std::string line;
    ((line += parts, line += ' '), ...);
    facts.push_back(line);
  };
  add(result.version, result.method, std::string(status_name(result.status)),
      to_text(result.iterations), to_text(result.best_restart), to_text(result.peak_bytes));
  for (const OptionRecord& record : result.options.records()) {
    if (!record.may_differ_on_resume) add(record.name, result.options.canonical(record.name));
  }
  for (const InputSummary& input : result.inputs) {
    add(input.path, shape_text(input.shape), to_text(input.nonzeros), to_text(input.missing),
        input.digest);
  }
  for (const Record& one : result.trace) {
    add(to_text(one.component), to_text(one.iteration), to_text(one.objective), to_text(one.gap),
        to_text(one.moved));
  }
  for (const RestartSummary& one : result.restarts) {
    add(to_text(one.objective), std::string(status_name(one.status)), to_text(one.iterations),
        to_text(one.round));
  }
  for (const NamedArray& array : result.model.arrays) {
    add(array.name);
    for (const double x : std::get<std::vector<double>>(array.values)) add(to_text(x));
  }
  for (const std::vector<double>& mode : result.stability) {
    add("stability");
    for (const double share : mode) add(to_text(share));
  }
  for (const auto& labels : result.item_labels[0]) {
    for (const std::string& label : labels) add(label);
  }
  return facts;
}

class SnapshotTest : public testing::Test {
 protected:
  Result resumed(const Snapshot& from, const std::vector<Observer*>& observers = {},
                 const Settings& more = {}) {
    Settings settings = settings_;
    settings.insert(settings.end(), more.begin(), more.end());
    const Options options = with(info_, settings);
    ThreadPool pool(1);
    Session session(info_, data_, options, pool);
    if (!from.empty()) session.restore(from);
    return session.run(observers);
  }
  // One snapshot per time the observers were asked.
  std::vector<Snapshot> all_snapshots() {
    std::vector<Snapshot> snapshots;
    Callback keep([&](const Event& event) {
      snapshots.push_back(event.session.snapshot());
      return Verdict::go_on;
    });
    resumed({}, {&keep});
    return snapshots;
  }

  void expect_same_from_any_moment();
  void expect_same_if_stopped_everywhere();
  void expect_to_survive_flips(const Snapshot& snapshot);

  Settings settings_ = kSettings;
  Plan plan_ = busy_plan();
  MethodInfo info_ = fake_info(plan_);
  Dataset data_ = small_data();
};

// The same of restarts that race.
class RacingSnapshotTest : public SnapshotTest {
 protected:
  RacingSnapshotTest() {
    settings_ = {{"restarts", "6"}, {"tolerance", "0.001"}, {"max-iterations", "9"}};
    info_.race.bytes = [](const Dataset&, const Options&) { return 0.0; };
  }
};

void SnapshotTest::expect_same_from_any_moment() {
  const std::vector<std::string> expected = facts_of(resumed({}));
  const std::vector<Snapshot> snapshots = all_snapshots();
  EXPECT_GT(snapshots.size(), 100u);
  for (const Snapshot& snapshot : snapshots) ASSERT_EQ(facts_of(resumed(snapshot)), expected);
}

TEST_F(SnapshotTest, ContinuesFromAnyMomentToTheSameResult) { expect_same_from_any_moment(); }

TEST_F(RacingSnapshotTest, ContinuesFromAnyMomentToTheSameResult) {
  Index n_left = 0;
  for (const RestartSummary& one : resumed({}).restarts) n_left += one.round > 0 ? 1 : 0;
  EXPECT_GE(n_left, 3);
  expect_same_from_any_moment();
}

void SnapshotTest::expect_same_if_stopped_everywhere() {
  const std::vector<std::string> expected = facts_of(resumed({}));
  // In the middle of a long step nothing has changed yet: stopping there any number of times is
  // harmless. A run that is stopped only between steps moves on by one step each time.
  Snapshot at;
  Index parts = 0;
  for (;; ++parts) {
    ASSERT_LT(parts, 1000);
    Index asked = 0;
    Callback inside([&](const Event& event) {
      at = event.session.snapshot();
      return ++asked == 2 ? Verdict::cancel : Verdict::go_on;
    });
    const Result stopped = resumed(at, {&inside});
    Callback after([&](const Event& event) {
      at = event.session.snapshot();
      return ++asked % 4 == 2 ? Verdict::cancel : Verdict::go_on;
    });
    asked = -2;  // three times inside the step, once after it
    const Result result = resumed(at, {&after});
    if (result.status != Status::cancelled) {
      EXPECT_EQ(facts_of(result), expected);
      break;
    }
  }
  EXPECT_GT(parts, 20);
}

TEST_F(SnapshotTest, StoppedEverywhereAndResumedEachTimeTheResultIsTheSame) {
  expect_same_if_stopped_everywhere();
}

TEST_F(RacingSnapshotTest, StoppedEverywhereAndResumedEachTimeTheResultIsTheSame) {
  expect_same_if_stopped_everywhere();
}

TEST_F(SnapshotTest, AFinishedRunIsStillFinished) {
  const std::vector<Snapshot> snapshots = all_snapshots();
  Index asked = 0;
  Callback count([&](const Event&) {
    ++asked;
    return Verdict::go_on;
  });
  EXPECT_EQ(facts_of(resumed(snapshots.back(), {&count})), facts_of(resumed({})));
  EXPECT_EQ(asked, 0);
}

TEST_F(SnapshotTest, AnInterruptedStepLeavesTheStateAsItWas) {
  Snapshot before;
  bool compared = false;
  Index calls = 0;
  Callback look([&](const Event& event) {
    const Snapshot now = event.session.snapshot();
    // After the start: one notice, then three inside the first step.
    if (++calls == 4) before = now;
    if (calls == 7) {
      compared = true;
      EXPECT_EQ(now.size(), before.size());
      // Apart from the seconds and the phases' names the bytes agree: the same run follows from
      // both.
      EXPECT_EQ(facts_of(resumed(now)), facts_of(resumed(before)));
    }
    return calls == 7 ? Verdict::cancel : Verdict::go_on;
  });
  const Result result = resumed({}, {&look});
  EXPECT_TRUE(compared);
  EXPECT_EQ(result.status, Status::cancelled);
  EXPECT_TRUE(result.trace.empty());
}

TEST_F(SnapshotTest, LimitsAndThreadsMayDiffer) {
  const Snapshot snapshot = all_snapshots()[20];
  EXPECT_EQ(facts_of(resumed(snapshot, {}, {{"threads", "2"}, {"time-limit", "1000"}})),
            facts_of(resumed({})));
  const Result longer = resumed(snapshot, {}, {{"max-iterations", "4"}});
  EXPECT_EQ(longer.restarts[0].iterations, 4 + 3);
  EXPECT_NO_THROW(resumed(snapshot, {}, {{"max-iterations", "1"}}));
}

TEST_F(SnapshotTest, RefusesOtherOptionsDataAndMethodsByName) {
  const Snapshot snapshot = all_snapshots()[20];
  const auto refused = [&](const std::vector<std::string>& parts, const MethodInfo& info,
                           const Dataset& data, const Settings& more) {
    Settings settings = kSettings;
    settings.insert(settings.end(), more.begin(), more.end());
    const Options options = with(info, settings);
    ThreadPool pool(1);
    Session session(info, data, options, pool);
    std::vector<std::string> all = parts;
    all.push_back("--resume");
    expect_error(ErrorCode::usage, all, [&] { session.restore(snapshot); });
    EXPECT_NO_THROW(session.run({}));  // nothing was taken over
  };
  refused({"--seed 0, now it is 1"}, info_, data_, {{"seed", "1"}});
  refused({"--tolerance 0.1, now it is 0.2"}, info_, data_, {{"tolerance", "0.2"}});
  refused({"--restarts 3, now it is 4"}, info_, data_, {{"restarts", "4"}});
  refused({"--flavour plain, now it is sour"}, info_, data_, {{"flavour", "sour"}});
  refused({"method fake, now it is forged"}, fake_info(plan_, "forged"), data_, {});
  refused({"data", data_.block(0).digest(), small_data(7.0).block(0).digest()}, info_,
          small_data(7.0), {});
}

TEST_F(SnapshotTest, LinesOfAFileMustBeTheSameWhereverTheyLie) {
  info_.options.push_back(lines_option("groups", "Groups of items."));
  ThreadPool pool(1);
  const auto chosen = [&](const std::string& path, const std::vector<std::string>& lines) {
    Options options = with(info_, kSettings);
    if (!path.empty()) options.set("groups", path);
    if (!lines.empty()) options.attach("groups", lines);
    return options;
  };
  Snapshot snapshot;
  Callback keep([&](const Event& event) {
    if (snapshot.empty()) snapshot = event.session.snapshot();
    return Verdict::go_on;
  });
  const Options first = chosen("here.txt", {"a", "b"});
  Session(info_, data_, first, pool).run({&keep});
  const Options moved = chosen("there.txt", {"a", "b"});
  EXPECT_NO_THROW(Session(info_, data_, moved, pool).restore(snapshot));
  const auto refused = [&](const Options& options, const std::string& digest) {
    expect_error(ErrorCode::usage, {"--resume", "--groups", first.digest("groups"), digest},
                 [&] { Session(info_, data_, options, pool).restore(snapshot); });
  };
  const Options other = chosen("here.txt", {"a", "c"});
  refused(other, other.digest("groups"));
  refused(chosen("", {}), "(none)");
  const Options unread = chosen("here.txt", {});
  expect_error(ErrorCode::internal, {"--groups", "never attached"},
               [&] { Session(info_, data_, unread, pool).restore(snapshot); });
}

TEST_F(SnapshotTest, AMatrixMustBeTheSameWhereverItLies) {
  info_.options.push_back(matrix_option("begin", "zero", {"zero"}, "Where to begin."));
  ThreadPool pool(1);
  const auto chosen = [&](const std::string& path, double value) {
    Options options = with(info_, kSettings);
    Matrix matrix(1, 2);
    matrix(0, 1) = value;
    options.set("begin", path);
    if (path != "zero") options.attach_matrix("begin", matrix);
    return options;
  };
  Snapshot snapshot;
  Callback keep([&](const Event& event) {
    if (snapshot.empty()) snapshot = event.session.snapshot();
    return Verdict::go_on;
  });
  const Options first = chosen("here.npy", 1.0);
  Session(info_, data_, first, pool).run({&keep});
  const Options moved = chosen("there.csv", 1.0);
  EXPECT_NO_THROW(Session(info_, data_, moved, pool).restore(snapshot));
  for (const Options& other : {chosen("here.npy", 2.0), chosen("zero", 0.0)}) {
    expect_error(ErrorCode::usage,
                 {"--resume", "--begin", first.digest("begin"), other.identity("begin")},
                 [&] { Session(info_, data_, other, pool).restore(snapshot); });
  }
}

TEST_F(SnapshotTest, RefusesEveryCutSnapshot) {
  const Snapshot snapshot = all_snapshots()[60];
  const Options options = with(info_, kSettings);
  ThreadPool pool(1);
  for (std::size_t size = 0; size < snapshot.size(); ++size) {
    Session session(info_, data_, options, pool);
    expect_error(ErrorCode::input, {"saved state"}, [&] {
      session.restore({snapshot.data(), size});
    });
  }
}

void SnapshotTest::expect_to_survive_flips(const Snapshot& snapshot) {
  const Options options = with(info_, settings_);
  ThreadPool pool(1);
  for (std::size_t at = 0; at < snapshot.size(); ++at) {
    for (const unsigned mask : {0x01u, 0x80u, 0xFFu}) {
      Snapshot damaged = snapshot;
      damaged[at] ^= std::byte(mask);
      Index steps = 0;
      Callback stop([&](const Event&) { return ++steps > 400 ? Verdict::cancel : Verdict::go_on; });
      const auto error = error_of([&] {
        Session session(info_, data_, options, pool);
        session.restore(damaged);
        const Result result = session.run({&stop});
        EXPECT_TRUE(is_status(result.status));
        EXPECT_LE(std::ssize(result.restarts), options.integer("restarts"));
        for (const RestartSummary& one : result.restarts) EXPECT_TRUE(is_status(one.status));
      });
      if (error) {
        ASSERT_TRUE(error->code() == ErrorCode::input || error->code() == ErrorCode::usage)
            << error->what();
      }
    }
  }
}

TEST_F(SnapshotTest, SurvivesEveryFlippedByte) {
  const std::vector<Snapshot> snapshots = all_snapshots();
  for (const Snapshot* snapshot : {&snapshots[1], &snapshots[60], &snapshots.back()})
    expect_to_survive_flips(*snapshot);
}

TEST_F(RacingSnapshotTest, SurvivesEveryFlippedByte) {
  const std::vector<Snapshot> snapshots = all_snapshots();
  for (const std::size_t third : {1, 2})
    expect_to_survive_flips(snapshots[third * snapshots.size() / 3]);
}

// Those that stayed fail, and one that left begins again.
TEST_F(RacingSnapshotTest, ContinuesWhereOneBeginsAgain) {
  Index n_cases = 0;
  for (Index sound = 0; sound < 6; ++sound) {
    plan_.change = [=](const At& at, Accuracy, Terms& terms) {
      terms.has_risen = at.restart != sound && at.component == 1;
    };
    Index n_starts = 0;
    Callback count([&](const Event& event) {
      const bool is_first =
          event.record != nullptr && event.record->component == 0 && event.record->iteration == 1;
      n_starts += is_first && event.restart == sound ? 1 : 0;
      return Verdict::go_on;
    });
    const Result result = resumed({}, {&count});
    EXPECT_EQ(result.best_restart, sound);
    EXPECT_EQ(result.restarts[sound].round, 0);
    if (n_starts < 2) continue;
    ++n_cases;
    expect_same_from_any_moment();
  }
  EXPECT_GE(n_cases, 2);
}

}  // namespace
}  // namespace gingham
