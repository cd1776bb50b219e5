// One number of a stored result at a time is changed: each array, each number used, each option.
// verify must find it by computing again. What it cannot find yet stands in the lists below, which
// must be exact: a change that is found there is to be taken off.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/contract_data.hpp"

namespace gingham {
namespace {

using testing::dataset_for;
using testing::planted_matrix;

// "method array": what follows from the whole course of a run, not from what is stored.
const std::set<std::string> kUnseenArrays{};
// "method option": numbers used of which nothing that is stored tells.
const std::set<std::string> kUnseenUsed{"multiview rows"};
// "method option value": what was found on these data is right for both.
const std::set<std::string> kSame{
    "coregularized scale none", "cotrained scale none",     "kernel-product scale none",
    "kernel-sum scale none",    "multiview next deflate",   "multiview refine no",
    "multiview gamma 1.26",     "multiview sign any",       "multiview sign one",
    "mvcca components 51",      "mvcca dimensions 1",       "tensor expect 37%",
    "tensor signed yes",        "tensor strategy deflation"};

// "method option value" where the option and what was used are both changed: what was found is
// right for both (all times are alike already), or nothing that is stored tells (entries grow again
// after they were pruned).
const std::set<std::string> kSameUsed{"evolving column-fusion 1", "evolving column-fusion 2",
                                      "tensor prune 0.37"};

// How a search goes, not what is searched for: any value leads to a result that may be right.
const std::set<std::string> kHow{
    "seed",          "coding",   "precision",      "max-iterations", "restarts",
    "race",          "threads",  "time-limit",     "memory-limit",   "checkpoint-interval",
    "tolerance",     "start",    "starts",         "swaps",          "solver",
    "line-search",   "init",     "steps",          "batch",          "epochs",
    "learning-rate", "max-rank", "allow-negative", "balance",        "dual-gap",
    "palm"};

struct Fit {
  Dataset data;
  Result result;
};

Fit fitted(const MethodInfo& info, const std::vector<Setting>& settings = {}) {
  Fit fit{dataset_for(info, planted_matrix(14, 9, 3)), {}};
  if (fit.data.size() == 2)  // two that differ
    fit.data =
        Dataset({Block("A", planted_matrix(14, 9, 3)), Block("B", planted_matrix(14, 9, 4))});
  Options options = info.make_options();
  options.set("max-iterations", "60");
  options.set("restarts", "1");
  for (const char* count : {"clusters", "rank"}) {
    if (options.has(count)) options.set(count, "2");
  }
  if (options.has("atoms")) options.set("atoms", "4");
  if (options.has("penalty") && !options.record("penalty").words.empty())
    options.set("penalty", "frobenius");
  if (options.has("groups")) {
    const Index n = fit.data.block(0).shape()[1];
    std::vector<std::string> groups;
    for (Index j = 0; j < n; ++j) groups.push_back(j < n / 2 ? "a" : "b");
    options.attach("groups", groups);
  }
  for (const Setting& one : settings) {
    if (options.has(one.name)) options.set(one.name, one.text);
  }
  fit.result = run(info, fit.data, options);
  return fit;
}

// What verify says of it; what it cannot even recompute is said by an error.
std::vector<std::string> said_of(const Dataset& data, const Result& changed,
                                 Depth depth = Depth::numbers) {
  try {
    return verify_result(data, changed, depth).differences;
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::input || error.code() == ErrorCode::usage);
    return {error.what()};
  }
}

bool is_found(const Dataset& data, const Result& changed) {
  return !said_of(data, changed).empty();
}

// Whether one of the sentences has this in it.
bool names(const std::vector<std::string>& sentences, const std::string& quantity) {
  return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& sentence) {
    return sentence.find(quantity) != std::string::npos;
  });
}

std::span<double> values_of(NamedArray& array) {
  if (auto* matrix = std::get_if<Matrix>(&array.values)) return matrix->values();
  return std::get<std::vector<double>>(array.values);
}

// The same codes with one of them changed.
SparseMatrix changed_entry(const SparseMatrix& sparse, Index at) {
  Array<Index> pointers(sparse.rows() + 1);
  Array<std::int32_t> columns(sparse.entries());
  Array<double> values(sparse.entries());
  std::copy_n(sparse.pointers().data(), pointers.size(), pointers.data());
  std::copy_n(sparse.columns().data(), columns.size(), columns.data());
  std::copy_n(sparse.values().data(), values.size(), values.data());
  values.data()[at] *= 1.01;
  return SparseMatrix(sparse.rows(), sparse.cols(), std::move(pointers), std::move(columns),
                      std::move(values));
}

// Whether a change of the largest entry, of the last, and of one in the middle are all found, and
// the array is named.
bool finds_changes(const Dataset& data, const Result& result, std::size_t which) {
  if (const auto* sparse = std::get_if<SparseMatrix>(&result.model.arrays[which].values)) {
    Result changed = result;
    changed.model.arrays[which].values = changed_entry(*sparse, sparse->entries() / 2);
    return names(said_of(data, changed), result.model.arrays[which].name);
  }
  Result copy = result;
  const std::span<double> values = values_of(copy.model.arrays[which]);
  std::size_t largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) > std::abs(values[largest])) largest = i;
  }
  if (values.empty()) return true;
  const double size = values[largest] != 0.0 ? std::abs(values[largest]) : 1.0;
  for (const std::size_t at : {largest, values.size() - 1, values.size() / 2}) {
    const double before = values[at];
    values[at] += 0.01 * size;
    const bool found = names(said_of(data, copy), result.model.arrays[which].name);
    values[at] = before;
    if (!found) return false;
  }
  return true;
}

// Values an option could as well have had.
std::vector<std::string> others(const Options& options, const OptionRecord& record) {
  std::vector<std::string> texts;
  if (record.type == OptionType::flag) texts = {"yes", "no"};
  if (record.type == OptionType::choice) texts = record.words;
  if (record.type == OptionType::integer)
    texts = {std::to_string(options.given(record.name) ? options.integer(record.name) + 1 : 3)};
  if (record.type == OptionType::real) {
    const double now = options.given(record.name) ? options.real(record.name) : 0.0;
    texts = {to_text(now < record.max ? std::min(now + 0.25, record.max) : now / 2)};
  }
  if (record.type == OptionType::penalties) texts = {"0.37", "37%"};
  std::erase(texts, options.canonical(record.name));
  return texts;
}

class VerifyFinds : public ::testing::TestWithParam<std::string> {
 protected:
  const MethodInfo& info() const { return find_method(GetParam()); }
};

TEST_P(VerifyFinds, AChangeInEveryArray) {
  const Fit fit = fitted(info());
  ASSERT_TRUE(verify_result(fit.data, fit.result).passed())
      << verify_result(fit.data, fit.result).differences.front();
  for (std::size_t i = 0; i < fit.result.model.arrays.size(); ++i) {
    const std::string name = info().name + " " + fit.result.model.arrays[i].name;
    EXPECT_EQ(finds_changes(fit.data, fit.result, i), kUnseenArrays.count(name) == 0) << name;
  }
}

TEST_P(VerifyFinds, AChangeInEveryNumberUsedAndInWhatIsExplained) {
  const Fit fit = fitted(info());
  for (std::size_t i = 0; i < fit.result.model.used.size(); ++i) {
    bool all_found = true;
    for (std::size_t k = 0; k < fit.result.model.used[i].values.size(); ++k) {
      Result changed = fit.result;
      double& value = changed.model.used[i].values[k];
      value += value == std::round(value) ? 1.0 : 0.01 * value;
      all_found = all_found && is_found(fit.data, changed);
      EXPECT_TRUE(names(said_of(fit.data, changed, Depth::run_again),
                        "run again: " + fit.result.model.used[i].option + " used"))
          << fit.result.model.used[i].option;
    }
    const std::string name = info().name + " " + fit.result.model.used[i].option;
    EXPECT_EQ(all_found, kUnseenUsed.count(name) == 0) << name << " used";
  }
  const auto change = [](double& share) { share = std::isnan(share) ? 0.5 : share + 1e-6; };
  Result changed = fit.result;
  change(changed.model.explained);
  EXPECT_TRUE(is_found(fit.data, changed));
  changed = fit.result;
  change(changed.model.components.front().explained);
  EXPECT_TRUE(is_found(fit.data, changed));
}

TEST_P(VerifyFinds, AChangeInEveryOptionOfTheProblem) {
  const Fit fit = fitted(info());
  for (const OptionRecord& record : info().all_options()) {
    if (kHow.count(record.name) > 0) continue;
    for (const std::string& text : others(fit.result.options, record)) {
      Result changed = fit.result;
      try {
        changed.options.set(record.name, text);
      } catch (const Error&) {
        continue;  // outside its range
      }
      const std::string name = info().name + " " + record.name;
      EXPECT_EQ(is_found(fit.data, changed), kSame.count(name + " " + text) == 0)
          << name << " " << text;
    }
  }
}

// Arrays that only some options lead to.
TEST(VerifyFindsAChange, InArraysThatOptionsLeadTo) {
  const struct {
    const char* method;
    std::vector<Setting> settings;
  } cases[] = {{"nmf", {{"rank", "auto"}, {"max-rank", 4}}},
               {"groupnmf", {{"rank", "auto"}, {"max-rank", 3}}},
               {"multiview", {{"solver", "palm"}, {"rows", 5}, {"columns", 4}}},
               {"multiview", {{"next", "deflate"}, {"rows", 5}, {"columns", 4}}},
               {"evolving", {{"solver", "dual"}, {"column-fusion", 0.3}, {"clusters", 2}}}};
  for (const auto& one : cases) {
    const Fit fit = fitted(find_method(one.method), one.settings);
    SCOPED_TRACE(std::string(one.method) + " " + one.settings.front().text);
    const std::vector<std::string> none = said_of(fit.data, fit.result);
    ASSERT_TRUE(none.empty()) << none.front();
    for (std::size_t i = 0; i < fit.result.model.arrays.size(); ++i)
      EXPECT_TRUE(finds_changes(fit.data, fit.result, i)) << fit.result.model.arrays[i].name;
  }
}

// Another percentage than the one that the fit went by, and a number beside one.
TEST(VerifyFindsAChange, InTheRaceOfRestarts) {
  for (const char* method : {"nmf", "parafac"}) {
    const Fit fit = fitted(find_method(method), {{"restarts", 6}, {"tolerance", 1e-9}});
    EXPECT_EQ(said_of(fit.data, fit.result, Depth::run_again), std::vector<std::string>{});
    std::size_t at = 0;
    while (at < 6 && fit.result.restarts[at].status != Status::left_race) ++at;
    ASSERT_LT(at, 6u) << method;
    ASSERT_GT(fit.result.iterations, 5);
    const auto finds = [&](const std::function<void(Result&, RestartSummary&)>& change) {
      Result changed = fit.result;
      change(changed, changed.restarts[at]);
      return is_found(fit.data, changed);
    };
    EXPECT_TRUE(finds([](Result&, RestartSummary& left) { ++left.iterations; }));
    EXPECT_TRUE(finds([](Result&, RestartSummary& left) { ++left.round; }));
    EXPECT_TRUE(finds([](Result&, RestartSummary& left) { left.round = 0; }));
    EXPECT_TRUE(finds([](Result&, RestartSummary& left) { left.round = 1000; }));
    EXPECT_TRUE(finds([](Result&, RestartSummary& left) { left.objective = -1.0; }));
    EXPECT_TRUE(finds([](Result&, RestartSummary& left) { left.status = Status::converged; }));
    EXPECT_TRUE(finds([](Result& result, RestartSummary&) { result.options.set("race", "no"); }));
    EXPECT_TRUE(finds([](Result& result, RestartSummary&) {
      result.restarts[result.best_restart].status = Status::left_race;
    }));
  }
}

TEST(VerifyFindsAChange, InPercentages) {
  const struct {
    const char *method, *option, *before, *after;
  } cases[] = {
      {"ssvd", "row-sparsity", "10%", "11%"},
      {"ssvd", "column-sparsity", "5%", "0.5%"},
      {"ssvd", "row-sparsity", "0.4", "10%"},
      {"evolving", "row-sparsity", "10%", "20%"},
      {"evolving", "row-fusion", "10%", "20%"},
      {"evolving", "column-fusion", "20%", "30%"},
      {"tensor", "sparsity", "5%", "6%"},
      {"tensor", "sparsity", "1.5", "5%"},
      {"tensor", "sparsity", "5%,6%", "5%,8%"},
      {"groupnmf", "beta", "5%", "6%"},
      {"dictionary", "lambda", "10%", "20%"},
      {"mvfl", "view-sparsity", "1%", "2%"},
      {"nmf", "penalty", "columns=nonneg+l1:10%", "columns=nonneg+l1:11%"},
      {"nmf", "penalty", "columns=nonneg+l1:10%+smooth:0.1", "columns=nonneg+l1:10%+smooth:0.2"},
      {"ssvd", "penalty", "rows=l1:5%", "rows=l1:6%"},
      {"tensor", "penalty", "rows=nonneg+l1:5% columns=nonneg+l1:0.5",
       "rows=nonneg+l1:5% columns=nonneg+l1:0.6"},
      {"parafac", "penalty", "rows=nonneg+smooth:5%", "rows=nonneg+smooth:6%"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(std::string(one.method) + " " + one.option + " " + one.before);
    const Fit fit = fitted(find_method(one.method), {{one.option, one.before}});
    const std::vector<std::string> none = said_of(fit.data, fit.result);
    ASSERT_TRUE(none.empty()) << none.front();
    Result changed = fit.result;
    changed.options.set(one.option, one.after);
    EXPECT_TRUE(names(said_of(fit.data, changed), std::string(one.option) + " used, number"));
  }
}

// A fit that ignored its options and says that it used what was asked for.
TEST_P(VerifyFinds, AnotherNumberInTheOptionAndInWhatWasUsed) {
  const Fit fit = fitted(info(), {{"rows", "6"}, {"columns", "4"}});
  for (const UsedValues& used : fit.result.model.used) {
    if (fit.result.options.record(used.option).type != OptionType::penalties) continue;
    for (const char* const text : {"0.37", "1", "2"}) {
      Result changed = fit.result;
      try {
        changed.options.set(used.option, text);
      } catch (const Error&) {
        continue;
      }
      if (changed.options.canonical(used.option) == fit.result.options.canonical(used.option))
        continue;
      for (UsedValues& one : changed.model.used) {
        if (one.option == used.option)
          std::fill(one.values.begin(), one.values.end(), std::stod(text));
      }
      const std::string name = info().name + " " + used.option + " " + text;
      EXPECT_EQ(is_found(fit.data, changed), kSameUsed.count(name) == 0) << name;
    }
  }
}

TEST_P(VerifyFinds, AChangeInTheLastRecordOfTheTraceAndInOneThatRises) {
  const Fit fit = fitted(info(), {{"row-sparsity", 0.1}, {"column-sparsity", 0.1}});
  ASSERT_FALSE(fit.result.trace.empty());
  const double size = 1e-3 * (1.0 + std::abs(fit.result.trace.front().objective));
  const std::size_t last = fit.result.trace.size() - 1;
  Result changed = fit.result;
  changed.trace[last].objective += size;
  const bool has_ended =
      fit.result.status == Status::converged || fit.result.status == Status::finished;
  if (has_ended) {
    EXPECT_TRUE(names(said_of(fit.data, changed), "trace record " + std::to_string(last)));
  }
  for (std::size_t i = 1; i < fit.result.trace.size() && info().traits.descent; ++i) {
    changed = fit.result;
    if (changed.trace[i].component != changed.trace[i - 1].component) continue;
    changed.trace[i].objective = changed.trace[i - 1].objective + size;
    EXPECT_TRUE(names(said_of(fit.data, changed), "trace record " + std::to_string(i)));
  }
}

// Running the fit again tells every number apart, by its name.
TEST_P(VerifyFinds, AnyChangeByRunningAgain) {
  const Fit fit = fitted(info());
  const auto finds = [&](const std::string& quantity, const std::function<void(Result&)>& change) {
    Result changed = fit.result;
    change(changed);
    const std::vector<std::string> said = said_of(fit.data, changed, Depth::run_again);
    EXPECT_TRUE(names(said, "run again: " + quantity)) << quantity;
  };
  const double by = fit.result.options.text("precision") == "float" ? 1e-4 : 1e-6;
  const std::vector<std::string> none = said_of(fit.data, fit.result, Depth::run_again);
  ASSERT_TRUE(none.empty()) << none.front();
  for (std::size_t a = 0; a < fit.result.model.arrays.size(); ++a) {
    const NamedArray& array = fit.result.model.arrays[a];
    finds(array.name + " [", [&](Result& changed) {
      NamedArray& own = changed.model.arrays[a];
      if (const auto* sparse = std::get_if<SparseMatrix>(&own.values)) {
        own.values = changed_entry(*sparse, 0);
      } else {
        values_of(own).back() += by * (1.0 + std::abs(values_of(own).back()));
      }
    });
  }
  const auto raise = [&](double& x) { x = std::isnan(x) ? 0.5 : x + by * (1.0 + std::abs(x)); };
  for (std::size_t i = 0; i < fit.result.trace.size(); ++i) {
    finds("trace record " + std::to_string(i) + ": objective",
          [&](Result& changed) { raise(changed.trace[i].objective); });
  }
  finds("trace record 0: gap", [&](Result& changed) { raise(changed.trace[0].gap); });
  finds("trace record 0: moved", [&](Result& changed) { raise(changed.trace[0].moved); });
  finds("trace: ", [](Result& changed) { changed.trace.pop_back(); });
  finds("status", [](Result& changed) { changed.status = Status::numerical_failure; });
  finds("restart 0: objective", [&](Result& changed) { raise(changed.restarts[0].objective); });
  finds("restart 0: iterations", [](Result& changed) { ++changed.restarts[0].iterations; });
  finds("best_restart", [](Result& changed) { ++changed.best_restart; });
  finds("loss", [&](Result& changed) { raise(changed.terms.loss); });
  finds("explained", [&](Result& changed) { raise(changed.model.explained); });
  finds("component 0: weight", [&](Result& changed) { raise(changed.model.components[0].weight); });
  finds("notes", [](Result& changed) { changed.model.notes.push_back("anything"); });
}

TEST(VerifyByRunningAgain, RefusesWhatCannotBeRepeated) {
  Fit fit = fitted(find_method("ssvd"));
  fit.result.is_warm = true;
  EXPECT_THROW(verify_result(fit.data, fit.result, Depth::run_again), Error);
  fit.result.is_warm = false;
  fit.result.status = Status::time_limit;
  EXPECT_THROW(verify_result(fit.data, fit.result, Depth::run_again), Error);
}

// Numbers that a run chooses: found to be others only by choosing again.
TEST(VerifyByRunningAgain, FindsWhatPercentagesAndWordsCameTo) {
  const struct {
    const char *method, *option, *value;
  } cases[] = {{"nmf", "rank", "auto"},
               {"groupnmf", "beta", "5%"},
               {"tensor", "sparsity", "5%"},
               {"tensor", "sparsity", "auto"},
               {"tensor", "sparsity", "paper"},
               {"ssvd", "row-sparsity", "10%"},
               {"evolving", "column-fusion", "20%"},
               {"multiview", "rows", "auto"},
               {"multiview", "columns", "auto"},
               {"dictionary", "lambda", "10%"}};
  for (const auto& one : cases) {
    const MethodInfo& info = find_method(one.method);
    Fit fit = fitted(info);
    Options options = fit.result.options;
    options.set(one.option, one.value);
    if (options.has("max-rank")) options.set("max-rank", "4");
    if (std::string(one.value) == "paper") options.set("expect", "3");
    fit.result = run(info, fit.data, options);
    const std::string name = std::string(one.method) + " " + one.option + " " + one.value;
    const auto said = said_of(fit.data, fit.result, Depth::run_again);
    EXPECT_TRUE(said.empty()) << name << ": " << said.front();
    bool is_there = false;
    for (std::size_t i = 0; i < fit.result.model.used.size(); ++i) {
      if (fit.result.model.used[i].option != one.option) continue;
      is_there = true;
      Result changed = fit.result;
      changed.model.used[i].values[0] += std::string(one.option) == "rank" ? 1.0 : 1e-3;
      EXPECT_TRUE(names(said_of(fit.data, changed, Depth::run_again),
                        std::string("run again: ") + one.option + " used"))
          << name;
    }
    EXPECT_TRUE(is_there) << name;
  }
  // The curve by which a rank was chosen.
  const MethodInfo& nmf = find_method("nmf");
  Fit fit = fitted(nmf);
  Options options = fit.result.options;
  options.set("rank", "auto");
  options.set("max-rank", "4");
  fit.result = run(nmf, fit.data, options);
  for (std::size_t a = 0; a < fit.result.model.arrays.size(); ++a) {
    if (fit.result.model.arrays[a].name != "rank_curve") continue;
    Result changed = fit.result;
    values_of(changed.model.arrays[a])[1] *= 1.0 + 1e-6;
    EXPECT_TRUE(
        names(said_of(fit.data, changed, Depth::run_again), "run again: rank_curve [0, 1]"));
  }
}

std::vector<std::string> method_names() {
  std::vector<std::string> all;
  for (const MethodInfo& info : all_methods()) all.push_back(info.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Methods, VerifyFinds, ::testing::ValuesIn(method_names()),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace gingham
