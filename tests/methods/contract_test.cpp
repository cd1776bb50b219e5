// What every registered method must keep, whatever it computes.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gingham/base/digest.hpp"
#include "gingham/engine/run.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/contract_data.hpp"
#include "support/matrix_rows.hpp"
#include "support/shuffled_executor.hpp"

namespace gingham {
namespace {

using testing::dataset_for;
using testing::planted_matrix;
using testing::scaled;

class MethodContract : public ::testing::TestWithParam<std::string> {
 protected:
  const MethodInfo& info() const { return find_method(GetParam()); }
  Options options() const {
    Options made = info().make_options();
    made.set("max-iterations", "200");
    if (made.integer("restarts") > 3) made.set("restarts", "3");
    return made;
  }
  Dataset data(const Matrix& x) const { return dataset_for(info(), x); }
};

// Everything but the seconds.
std::string digest_of(const Result& result) {
  Digest digest;
  digest.add(status_name(result.status));
  digest.add(result.terms.loss);
  for (const auto& list : {result.terms.penalties, result.terms.gaps}) {
    for (const NamedValue& one : list) digest.add(one.value);
  }
  for (const Record& record : result.trace) {
    digest.add(record.component);
    digest.add(record.iteration);
    digest.add(record.objective);
    digest.add(record.gap);
    digest.add(record.moved);
  }
  for (const RestartSummary& restart : result.restarts) digest.add(restart.objective);
  for (const NamedArray& array : result.model.arrays) {
    digest.add(array.name);
    if (const auto* matrix = std::get_if<Matrix>(&array.values)) digest.add(matrix->values());
    if (const auto* vector = std::get_if<std::vector<double>>(&array.values)) {
      digest.add(std::span<const double>(*vector));
    }
    if (const auto* sparse = std::get_if<SparseMatrix>(&array.values)) digest.add(sparse->values());
  }
  for (const Membership& membership : result.model.memberships) {
    for (const Member& member : membership.members) {
      digest.add(member.component);
      digest.add(member.item);
      digest.add(member.value);
    }
  }
  for (const std::vector<double>& mode : result.stability)
    digest.add(std::span<const double>(mode));
  for (const Component& component : result.model.components)
    digest.add(std::span<const double>(component.block_explained));
  return digest.hex();
}

bool all_finite(const Result& result) {
  bool finite = std::isfinite(result.terms.objective());
  for (const NamedArray& array : result.model.arrays) {
    std::span<const double> values;
    if (const auto* matrix = std::get_if<Matrix>(&array.values)) values = matrix->values();
    if (const auto* vector = std::get_if<std::vector<double>>(&array.values)) values = *vector;
    for (const double value : values) finite = finite && std::isfinite(value);
  }
  return finite;
}

void expect_verified(const Dataset& data, const Result& result, const std::string& what) {
  const Verification verification = verify_result(data, result);
  EXPECT_TRUE(verification.passed())
      << what << ": " << (verification.passed() ? "" : verification.differences[0]);
  EXPECT_GT(verification.n_checked, 5) << what;
}

// A run on awkward data either says by a named error why it cannot be, or ends in a result that
// verifies.
void expect_defined(const MethodInfo& info, const Options& options, const Matrix& x,
                    const std::string& what) {
  SCOPED_TRACE(what);
  try {
    const Dataset data = dataset_for(info, x);
    const Result result = run(info, data, options);
    const bool stopped = result.status == Status::time_limit && result.model.arrays.empty();
    if (result.status == Status::numerical_failure || stopped) return;
    EXPECT_TRUE(all_finite(result));
    expect_verified(data, result, what);
  } catch (const Error& error) {
    EXPECT_NE(error.code(), ErrorCode::internal) << error.what();
    EXPECT_FALSE(std::string(error.what()).empty());
  }
}

// The arrays a result must hold, "<i>" written out for every block and "<n>" for every mode.
std::vector<std::string> array_names(const MethodInfo& info, const Dataset& data) {
  std::vector<std::string> names;
  for (const ArrayInfo& array : info.arrays) {
    if (array.is_optional) continue;
    const std::size_t at = std::min(array.name.find("<i>"), array.name.find("<n>"));
    const bool is_of_mode = array.name.find("<n>") != std::string::npos;
    const Index count = is_of_mode ? data.block(0).modes() : data.size();
    for (Index i = 0; i < (at == std::string::npos ? 1 : count); ++i) {
      std::string name = array.name;
      if (at != std::string::npos) name.replace(at, 3, std::to_string(i));
      names.push_back(name);
    }
  }
  return names;
}

TEST_P(MethodContract, IsDescribed) {
  EXPECT_FALSE(info().title.empty());
  EXPECT_FALSE(info().formula.empty());
  EXPECT_FALSE(info().reference.empty());
  EXPECT_FALSE(info().python_class.empty());
  EXPECT_NE(info().example.find("gingham fit " + info().name), std::string::npos);
  EXPECT_TRUE(info().make && info().recompute && info().peak_bytes);
  for (const OptionRecord& record : info().options)
    EXPECT_GT(record.help.size(), 8u) << record.name;
  for (const PanelInfo& panel : info().panels) {
    EXPECT_TRUE(std::any_of(info().arrays.begin(), info().arrays.end(),
                            [&](const ArrayInfo& array) { return array.name == panel.array; }))
        << panel.array;
    EXPECT_FALSE(panel.title.empty()) << panel.array;
    EXPECT_TRUE(panel.text.ends_with(".")) << panel.array;
    EXPECT_TRUE(panel.labels_option.empty() || info().make_options().has(panel.labels_option))
        << panel.array;
  }
}

TEST_P(MethodContract, RunsAndVerifies) {
  const Dataset input = data(planted_matrix(24, 15, 1));
  const Result result = run(info(), input, options());
  EXPECT_NE(result.status, Status::numerical_failure);
  EXPECT_TRUE(all_finite(result));
  EXPECT_GE(result.iterations, 1);
  std::vector<std::string> found;
  for (const NamedArray& array : result.model.arrays) found.push_back(array.name);
  EXPECT_EQ(found, array_names(info(), input));
  for (const PanelInfo& panel : info().panels) {
    if (!panel.labels) continue;
    EXPECT_EQ(std::ssize(panel.labels(options())), result.matrix(panel.array).rows());
  }
  for (const Component& component : result.model.components) {
    const Index n_shares = std::ssize(component.block_explained);
    EXPECT_TRUE(n_shares == 0 || (n_shares == input.size() && n_shares > 1));
  }
  const bool has_stability = options().integer("restarts") > 1;
  ASSERT_EQ(result.stability.size(), has_stability ? result.model.memberships.size() : 0u);
  expect_verified(input, result, "planted");
}

TEST_P(MethodContract, VerifyNoticesAChange) {
  const Dataset input = data(planted_matrix(24, 15, 1));
  Result result = run(info(), input, options());
  result.terms.loss *= 1.0 + 1e-6;
  EXPECT_FALSE(verify_result(input, result).passed());
}

TEST_P(MethodContract, TakesEveryOptionAtItsLimits) {
  const Matrix x = planted_matrix(12, 9, 2);
  for (const OptionRecord& record : info().all_options()) {
    std::vector<std::string> texts;
    if (record.type == OptionType::flag) texts = {"yes", "no"};
    if (record.type == OptionType::choice || record.type == OptionType::matrix)
      texts = record.words;
    if (record.type == OptionType::integer) {
      texts = {to_text(static_cast<Index>(record.min)),
               to_text(static_cast<Index>(std::min(record.max, 40.0)))};
    }
    if (record.type == OptionType::real)
      texts = {to_text(record.min), to_text(std::min(record.max, 1e6))};
    if (record.type == OptionType::penalties) {
      texts = record.words;
      if (record.takes_percent) texts.insert(texts.end(), {"0%", "50%", "100%", "200%"});
      for (const double number : {0.0, 1e-300, 1.0, 1e6}) {
        if (number >= record.min && number <= record.max) texts.push_back(to_text(number));
      }
    }
    for (const std::string& text : texts) {
      Options changed = options();
      changed.set(record.name, text);
      expect_defined(info(), changed, x, "--" + record.name + " " + text);
    }
    if (record.type == OptionType::matrix) {
      for (const Matrix& matrix : testing::awkward_matrices({12, 9})) {
        Options changed = options();
        changed.attach_matrix(record.name, matrix);
        expect_defined(info(), changed, x, "--" + record.name + changed.canonical(record.name));
      }
    }
    if (record.type != OptionType::lines) continue;
    for (const std::vector<std::string>& lines : testing::awkward_lines({12, 9})) {
      Options changed = options();
      changed.attach(record.name, lines);
      expect_defined(info(), changed, x,
                     fmt::format("--{} with the lines {}", record.name, fmt::join(lines, "|")));
    }
  }
}

TEST_P(MethodContract, RefusesValuesOutOfRangeByName) {
  for (const OptionRecord& record : info().all_options()) {
    std::vector<std::string> bad{"nonsense value"};
    if (record.type == OptionType::text) continue;
    if (record.type == OptionType::lines || record.type == OptionType::matrix) bad = {""};
    if (record.type == OptionType::integer)
      bad.insert(bad.end(), {"1.5", "", "99999999999999999999"});
    if (record.type == OptionType::real) bad.insert(bad.end(), {"nan", "inf", "1,5"});
    if (std::isfinite(record.min) && record.type != OptionType::penalties) {
      bad.push_back(to_text(static_cast<Index>(record.min) - 1));
    }
    if (record.type == OptionType::penalties)
      bad.insert(bad.end(), {"-1", "-5%", "nan", "1,,2", "%"});
    for (const std::string& text : bad) {
      Options changed = options();
      try {
        changed.set(record.name, text);
        ADD_FAILURE() << "--" << record.name << " took '" << text << "'";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        EXPECT_EQ(error.where(), "--" + record.name);
      }
    }
  }
}

TEST_P(MethodContract, HasADefinedOutcomeOnAwkwardData) {
  const Matrix x = planted_matrix(10, 8, 3);
  expect_defined(info(), options(), planted_matrix(1, 1, 1), "1 x 1");
  expect_defined(info(), options(), planted_matrix(1, 7, 1), "one row");
  expect_defined(info(), options(), planted_matrix(7, 1, 1), "one column");
  expect_defined(info(), options(), Matrix(6, 5), "all zero");
  Matrix constant(6, 5);
  for (double& value : constant.values()) value = 2.5;
  expect_defined(info(), options(), constant, "constant");
  Matrix one_entry(6, 5);
  one_entry(3, 2) = 7.0;
  expect_defined(info(), options(), one_entry, "one entry");
  Matrix identity(6, 6);
  for (Index i = 0; i < 6; ++i) identity(i, i) = 1.0;
  expect_defined(info(), options(), identity, "identity");
  Matrix zero_row = x;
  for (double& value : zero_row.row(4)) value = 0.0;
  expect_defined(info(), options(), zero_row, "a zero row");
  Matrix twins = x;
  std::copy(x.row(0).begin(), x.row(0).end(), twins.row(1).begin());
  expect_defined(info(), options(), twins, "two equal rows");
  expect_defined(info(), options(), scaled(x, -1.0), "negative");
  for (const double factor : {1e-150, 1e-30, 1e30, 1e150}) {
    expect_defined(info(), options(), scaled(x, factor), "scale " + to_text(factor));
  }
  if (info().make_options().has("clusters")) {
    Options many = options();
    many.set("clusters", "30");
    expect_defined(info(), many, x, "more clusters than rows");
  }
}

TEST_P(MethodContract, RefusesWhatItSaysItDoesNotTake) {
  Matrix with_hole = planted_matrix(8, 6, 4);
  with_hole(2, 3) = std::nan("");
  const Dataset input = data(with_hole);
  if (!info().traits.accepts_missing) {
    EXPECT_THROW(run(info(), input, options()), Error);
  } else {
    expect_verified(input, run(info(), input, options()), "missing");
  }
  Matrix with_infinity = planted_matrix(8, 6, 4);
  with_infinity(1, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(data(with_infinity), Error);
  EXPECT_THROW(run(info(), Dataset(), options()), Error);
  const Dataset sparse = dataset_for(info(), planted_matrix(8, 6, 4), true);
  if (!info().traits.accepts_sparse) {
    EXPECT_THROW(run(info(), sparse, options()), Error);
  }
}

TEST_P(MethodContract, ObjectiveNeverRisesWhereItSaysSo) {
  if (!info().traits.descent) return;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Result result = run(info(), data(planted_matrix(30, 12, seed)), options());
    for (std::size_t i = 1; i < result.trace.size(); ++i) {
      if (result.trace[i].component != result.trace[i - 1].component) continue;
      EXPECT_LE(result.trace[i].objective, result.trace[i - 1].objective * (1 + 1e-12))
          << "seed " << seed;
    }
  }
}

TEST_P(MethodContract, IsTheSameForAnyThreadsAndAnyOrderOfBlocks) {
  const Dataset input = data(planted_matrix(400, 230, 5));
  Options few = options();
  few.set("max-iterations", "15");
  ThreadPool one(1), two(2), three(3);
  const std::string expected = digest_of(run(info(), input, few, {}, &one));
  EXPECT_EQ(digest_of(run(info(), input, few, {}, &one)), expected);
  EXPECT_EQ(digest_of(run(info(), input, few, {}, &two)), expected);
  EXPECT_EQ(digest_of(run(info(), input, few, {}, &three)), expected);
  testing::ShuffledExecutor shuffled(1);
  EXPECT_EQ(digest_of(run(info(), input, few, {}, &shuffled)), expected);
}

TEST_P(MethodContract, SparseAndDenseStorageAgree) {
  if (!info().traits.accepts_sparse) return;
  Matrix x = planted_matrix(30, 20, 6);
  for (double& value : x.values()) value = value < 0.6 ? 0.0 : value;
  const Result dense = run(info(), dataset_for(info(), x, false), options());
  const Dataset sparse_data = dataset_for(info(), x, true);
  const Result sparse = run(info(), sparse_data, options());
  EXPECT_NEAR(sparse.terms.objective(), dense.terms.objective(),
              1e-10 * std::abs(dense.terms.objective()));
  expect_verified(sparse_data, sparse, "sparse");
}

// Also resumed and verified with the rows in the other place.
TEST_P(MethodContract, RowsThatAreReadWhenNeededGiveTheSameBits) {
  if (!info().streams || !info().streams(options())) return;
  const Matrix x = planted_matrix(300, 20, 8);
  const Dataset held{Block("X", x)}, streamed{test::streamed_block(x)};
  const Result expected = run(info(), held, options());
  const Result found = run(info(), streamed, options());
  EXPECT_EQ(digest_of(found), digest_of(expected));
  EXPECT_LT(found.peak_bytes, expected.peak_bytes);
  expect_verified(streamed, found, "streamed");
  expect_verified(held, found, "streamed, verified in memory");
  expect_verified(streamed, expected, "in memory, verified streamed");
  std::vector<std::byte> snapshot;
  Callback save([&](const Event& event) {
    snapshot = event.session.snapshot();
    return Verdict::cancel;
  });
  run(info(), held, options(), {&save});
  EXPECT_EQ(digest_of(run(info(), streamed, options(), {}, nullptr, snapshot)),
            digest_of(expected));
  if (!info().transform) return;
  ThreadPool pool(2);
  Context context(pool, 0, 0);
  const Transformed a = info().transform(held, options(), expected.model, 0, context);
  const Transformed b = info().transform(streamed, options(), expected.model, 0, context);
  EXPECT_EQ(a.terms.loss, b.terms.loss);
  ASSERT_EQ(a.memberships.size(), b.memberships.size());
  for (std::size_t i = 0; i < a.memberships.size(); ++i)
    EXPECT_EQ(strongest(a.memberships[i]), strongest(b.memberships[i]));
}

TEST_P(MethodContract, RelabellingRowsPermutesTheResult) {
  if (!info().traits.deterministic_start) return;
  const Matrix x = planted_matrix(20, 11, 7);
  const std::vector<Index> order = Rng::named(1, "order").permutation(20);
  Matrix y(20, 11);
  for (Index i = 0; i < 20; ++i)
    std::copy(x.row(order[i]).begin(), x.row(order[i]).end(), y.row(i).begin());
  const Result plain = run(info(), data(x), options());
  const Result permuted = run(info(), data(y), options());
  EXPECT_NEAR(plain.terms.objective(), permuted.terms.objective(), 1e-8 * plain.terms.objective());
  const std::string key = plain.model.memberships[0].key();
  const std::vector<Index> before = plain.labels(key), after = permuted.labels(key);
  for (Index i = 0; i < 20; ++i) EXPECT_EQ(after[i], before[order[i]]);
}

// Saves the run after every step.
class Snapshots final : public Observer {
 public:
  Verdict notice(const Event& event) override {
    taken.push_back(event.session.snapshot());
    return Verdict::go_on;
  }
  std::vector<std::vector<std::byte>> taken;
};

TEST_P(MethodContract, ResumesFromEveryStepToTheSameBits) {
  const Dataset input = data(planted_matrix(24, 15, 8));
  const Options chosen = options();
  Snapshots snapshots;
  const std::string expected = digest_of(run(info(), input, chosen, {&snapshots}));
  ASSERT_FALSE(snapshots.taken.empty());
  const std::size_t stride =
      snapshots.taken.size() / 60 | 1;  // odd: not always the same half of a sweep
  for (std::size_t i = 0; i < snapshots.taken.size(); i += stride) {
    EXPECT_EQ(digest_of(run(info(), input, chosen, {}, nullptr, snapshots.taken[i])), expected)
        << "step " << i;
  }
}

TEST_P(MethodContract, StoppingAtAnyStepLeavesAValidResult) {
  const Dataset input = data(planted_matrix(24, 15, 9));
  for (int stop_at = 1; stop_at < 40; ++stop_at) {
    int steps = 0;
    Callback stop(
        [&](const Event&) { return ++steps >= stop_at ? Verdict::cancel : Verdict::go_on; });
    const Result result = run(info(), input, options(), {&stop});
    if (result.status != Status::cancelled) return;
    if (result.model.arrays.empty()) continue;
    EXPECT_TRUE(all_finite(result));
    expect_verified(input, result, "stopped at step " + std::to_string(stop_at));
  }
}

TEST_P(MethodContract, LeavesItsInputAlone) {
  const Dataset input = data(planted_matrix(24, 15, 10));
  const std::string before = input.block(0).digest();
  run(info(), input, options());
  EXPECT_EQ(input.block(0).digest(), before);
}

TEST_P(MethodContract, ItsSimulatorsGiveDataItCanFit) {
  for (const Simulator& simulator : info().simulators) {
    Simulation made = simulator.make(Options(simulator.options), Rng::named(1, "simulate"));
    const Simulation again = simulator.make(Options(simulator.options), Rng::named(1, "simulate"));
    ASSERT_TRUE(!made.blocks.empty() || made.images.count > 0);
    if (made.blocks.empty()) {
      EXPECT_EQ(made.images.make(0).image.pixels, again.images.make(0).image.pixels);
    } else {
      EXPECT_EQ(made.blocks[0].digest(), again.blocks[0].digest());
    }
    ASSERT_FALSE(made.memberships.empty());
    for (const Membership& membership : made.memberships) EXPECT_FALSE(membership.members.empty());
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const MethodInfo& info : all_methods()) all.push_back(info.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, MethodContract, ::testing::ValuesIn(names()),
                         [](const auto& param) {
                           std::string name = param.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace gingham
