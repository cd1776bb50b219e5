// One number of a stored result at a time is changed: each array, each number used, each option.
// verify must find it by computing again. What it cannot find yet stands in the lists below, which
// must be exact: a change that is found there is to be taken off.
#include <gtest/gtest.h>

#include <cmath>
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
    "mvcca components 51",      "mvcca dimensions 1",       "tensor expect 0.37",
    "tensor signed yes",        "tensor strategy deflation"};

// How a search goes, not what is searched for: any value leads to a result that may be right.
const std::set<std::string> kHow{"seed",
                                 "coding",
                                 "precision",
                                 "max-iterations",
                                 "restarts",
                                 "threads",
                                 "time-limit",
                                 "memory-limit",
                                 "checkpoint-interval",
                                 "tolerance",
                                 "start",
                                 "starts",
                                 "swaps",
                                 "solver",
                                 "line-search",
                                 "init",
                                 "steps",
                                 "batch",
                                 "epochs",
                                 "learning-rate",
                                 "max-rank",
                                 "allow-negative",
                                 "balance",
                                 "dual-gap",
                                 "palm"};

struct Fit {
  Dataset data;
  Result result;
};

Fit fitted(const MethodInfo& info) {
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
  fit.result = run(info, fit.data, options);
  return fit;
}

bool is_found(const Dataset& data, const Result& changed) {
  try {
    return !verify_result(data, changed).passed();
  } catch (const Error& error) {
    return error.code() == ErrorCode::input || error.code() == ErrorCode::usage;
  }
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

// Whether a change of the largest entry, of the last, and of one in the middle are all found.
bool finds_changes(const Dataset& data, const Result& result, std::size_t which) {
  if (const auto* sparse = std::get_if<SparseMatrix>(&result.model.arrays[which].values)) {
    Result changed = result;
    changed.model.arrays[which].values = changed_entry(*sparse, sparse->entries() / 2);
    return is_found(data, changed);
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
    const bool found = is_found(data, copy);
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
  if (record.type == OptionType::penalties) texts = {"0.37"};
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

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const MethodInfo& info : all_methods()) all.push_back(info.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Methods, VerifyFinds, ::testing::ValuesIn(names()), [](const auto& one) {
  std::string name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace gingham
