#include "gingham/tools/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/tools/comparison.hpp"
#include "gingham/tools/evaluate.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/read_again.hpp"
#include "gingham/tools/read_within.hpp"
#include "gingham/tools/rerun.hpp"
#include "gingham/tools/verify_course.hpp"

namespace gingham {
namespace {

constexpr double kOfTheData =
    1e-12;  // rounding of a residual, relative to the data it is a residual of
// Shares of explained squares: a method that ends by a tolerance of its own leaves about its
// square.
constexpr double kOfShares = 1e-10;
// A gap is a distance between numbers of about 1 that carry the rounding of all that was taken
// away before; what it is compared with is the tolerance.
constexpr double kGapAbsolute = 1e-9;
constexpr double kGapOfTolerance = 0.1;

double data_squares(const Dataset& data) {
  double total = 0.0;
  for (const Block& block : data.blocks()) {
    for_each_entry(block,
                   [&](std::span<const Index>, double x) { total += std::isnan(x) ? 0.0 : x * x; });
  }
  return total;
}

void compare_inputs(const Dataset& data, const Result& result, Comparison& compare) {
  compare.truth(static_cast<Index>(result.inputs.size()) == data.size(),
                "the number of inputs differs");
  for (std::size_t b = 0; b < result.inputs.size() && static_cast<Index>(b) < data.size(); ++b) {
    const InputSummary& said = result.inputs[b];
    const Block& block = data.block(static_cast<Index>(b));
    const std::string name = "input " + printable(said.path);
    Index nonzeros = 0, observed = 0;
    for_each_entry(block, [&](std::span<const Index>, double x) {
      observed += std::isnan(x) ? 0 : 1;
      nonzeros += !std::isnan(x) && x != 0.0 ? 1 : 0;
    });
    compare.truth(said.shape == block.shape(),
                  fmt::format("{}: shape is reported as {}, found {}", name, shape_text(said.shape),
                              shape_text(block.shape())));
    compare.truth(said.digest == block.digest(),
                  fmt::format("{}: digest is reported as {}, found {}: the data are not the same",
                              name, said.digest, block.digest()));
    compare.number(name + ": nonzeros", static_cast<double>(said.nonzeros),
                   static_cast<double>(nonzeros));
    if (!block.is_sparse()) {
      compare.number(name + ": missing", static_cast<double>(said.missing),
                     static_cast<double>(cells(block.shape()) - observed));
    }
  }
}

void compare_shares(const std::string& component, const std::vector<double>& said,
                    const std::vector<double>& found, Comparison& compare) {
  compare.truth(said.size() == found.size(),
                component + ": the number of blocks it explains differs");
  for (std::size_t b = 0; b < said.size() && b < found.size(); ++b) {
    compare.number(fmt::format("{}: explained of block {}", component, b), said[b], found[b],
                   kOfTheData);
  }
}

void compare_arrays(const std::vector<NamedArray>& said, const std::vector<RecomputedArray>& found,
                    Comparison& compare) {
  for (const RecomputedArray& one : found) {
    const auto stored = std::find_if(
        said.begin(), said.end(), [&](const NamedArray& array) { return array.name == one.name; });
    compare.truth(stored != said.end(), one.name + " is missing");
    if (stored == said.end()) continue;
    const std::span<const double> values = values_of(*stored);
    compare.truth(values.size() == one.values.size(), one.name + " has another size");
    for (std::size_t i = 0; i < values.size() && i < one.values.size(); ++i) {
      if (std::isnan(one.values[i])) continue;
      const std::string from = one.from.empty() ? "" : fmt::format(" (from {})", one.from);
      compare.number(place_in(*stored, i) + from, values[i], one.values[i], one.tolerance);
    }
  }
}

// Numbers that are wrong beside arrays that are right, or arrays that are not those of the numbers:
// which arrays these are, before the numbers.
void name_arrays(const std::vector<NamedArray>& said, const std::vector<RecomputedArray>& found,
                 std::size_t n_before, Comparison& compare) {
  std::string names;
  for (const NamedArray& array : said) {
    const auto is_own = [&](const RecomputedArray& one) { return one.name == array.name; };
    const auto own = std::find_if(found.begin(), found.end(), is_own);
    const auto is_nan = [](double x) { return std::isnan(x); };
    if (own != found.end() && std::none_of(own->values.begin(), own->values.end(), is_nan))
      continue;
    names += (names.empty() ? "" : ", ") + array.name;
  }
  if (compare.result.differences.size() == n_before || names.empty()) return;
  std::vector<std::string>& all = compare.result.differences;
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(n_before),
             "what was recomputed from " + names + " as stored:");
}

// What was asked of each number of an option, in order; of a list of one the same for all of them.
std::vector<PenaltyValue> asked_values(const Options& options, const std::string& option,
                                       std::size_t n) {
  std::vector<PenaltyValue> all;
  if (!options.has(option) || !options.given(option)) return all;
  const OptionType type = options.record(option).type;
  if (type == OptionType::mode_penalties) {
    for (const ModePenalty& one : options.mode_penalties(option)) {
      const std::vector<PenaltyValue> own = one.penalty.values();
      all.insert(all.end(), own.begin(), own.end());
    }
  } else if (type == OptionType::penalties) {
    all = options.penalties(option);
    if (all.size() == 1) all.assign(n, PenaltyValue(all.front()));
  }
  return all;
}

// Numbers used are the shares that were asked for of what 100 % came to. One number stands for all
// that are alike. `known`: what the recomputation has of them from data and options.
void compare_shares_used(const Result& result, const UsedValues& said, const UsedValues* known,
                         Comparison& compare) {
  const std::size_t n = said.maxima.empty() ? said.values.size() : said.maxima.size();
  const std::vector<PenaltyValue> asked = asked_values(result.options, said.option, n);
  for (std::size_t k = 0; k < asked.size() && !said.values.empty(); ++k) {
    const double value = said.values[std::min(k, said.values.size() - 1)];
    const bool is_known = known != nullptr && !known->values.empty() &&
                          std::isfinite(known->values[std::min(k, known->values.size() - 1)]);
    const bool is_share = asked[k].kind == PenaltyValue::Kind::percent && asked[k].number > 0.0;
    if (!is_share || is_known || !std::isfinite(value)) continue;
    if (is_unfinished(result.status) && value == 0.0) continue;  // not used yet
    const bool is_there = k < said.maxima.size() && std::isfinite(said.maxima[k]);
    compare.truth(is_there,
                  fmt::format("{} used, number {}: what 100 % came to is missing", said.option, k));
    if (is_there)
      compare.number(fmt::format("{} used, number {}", said.option, k), value,
                     asked[k].resolve(said.maxima[k]));
  }
}

// Numbers used are those that the recomputation has from options and data; of options that it says
// nothing of, the numbers that were asked for, one for all or one for each.
void compare_used(const Result& result, const Recomputed& found, double floor,
                  Comparison& compare) {
  for (const UsedValues& said : result.model.used) {
    std::vector<double> values(said.values.size(), std::nan(""));
    const auto own = std::find_if(found.used.begin(), found.used.end(),
                                  [&](const UsedValues& one) { return one.option == said.option; });
    if (own != found.used.end()) {
      // One number stands for all that are alike.
      for (std::size_t k = 0; k < values.size() && !own->values.empty(); ++k)
        values[k] = own->values[std::min(k, own->values.size() - 1)];
    } else {
      const std::vector<PenaltyValue> asked =
          asked_values(result.options, said.option, values.size());
      for (std::size_t k = 0; k < values.size() && asked.size() == values.size(); ++k) {
        if (asked[k].kind == PenaltyValue::Kind::number) values[k] = asked[k].number;
      }
    }
    compare_shares_used(result, said, own != found.used.end() ? &*own : nullptr, compare);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (is_unfinished(result.status) && said.values[k] == 0.0) continue;  // not used yet
      if (!std::isfinite(values[k])) continue;  // chosen by the run, or beyond what JSON can hold
      compare.number(fmt::format("{} used, number {}", said.option, k), said.values[k], values[k],
                     floor);
    }
  }
}

// The number of components that options ask for; none where the method chose it.
std::optional<Index> asked_components(const MethodInfo& info, const Result& result) {
  const Options& options = result.options;
  if (options.has("atoms")) return options.integer("atoms");
  if (options.has("rank")) {
    if (options.record("rank").type == OptionType::integer) return options.integer("rank");
    const PenaltyValue& rank = options.penalty("rank");
    if (rank.kind != PenaltyValue::Kind::number) return std::nullopt;
    return static_cast<Index>(rank.number);
  }
  if (!options.has("clusters")) return std::nullopt;
  const Index clusters = options.integer("clusters");
  if (!info.traits.checkerboard || !options.has("row-clusters")) return clusters;
  const auto of = [&](const char* name) {
    return options.given(name) ? options.integer(name) : clusters;
  };
  return std::max(of("row-clusters"), of("column-clusters"));
}

// A run that came to its end has as many components as were asked for, or found no more.
void compare_count(const MethodInfo& info, const Result& result, bool is_exhausted,
                   Comparison& compare) {
  const std::optional<Index> asked = asked_components(info, result);
  const Index found = std::ssize(result.model.components);
  if (!asked || is_unfinished(result.status) || result.model.memberships.empty()) return;
  compare.truth(found == *asked || (found < *asked && is_exhausted),
                fmt::format("{} components are reported, {} were asked for", found, *asked));
}

// The estimate of the run: it counts the data unless their rows were read when needed, which may
// have been so there and not here, or the other way round.
void compare_peak(const MethodInfo& info, const Dataset& data, const Result& result,
                  Comparison& compare) {
  double expected = estimate_bytes(info, data, result.options);
  if (data.size() == 1 && rows_for(info, result.options) == Rows::may_be_streamed) {
    const Block& block = data.block(0);
    const double held = sizeof(double) * static_cast<double>(block.summary().listed);
    const double otherwise = block.row_source() != nullptr     ? expected + held
                             : block.dense_matrix() != nullptr ? expected - held
                                                               : expected;
    if (std::abs(result.peak_bytes - otherwise) < std::abs(result.peak_bytes - expected))
      expected = otherwise;
  }
  compare.number("peak_bytes", result.peak_bytes, expected);
}

void compare_numbers(const Dataset& data, const Result& result, Comparison& compare) {
  const MethodInfo& info = find_method(result.method);
  compare.truth(result.version == kVersion,
                fmt::format("made by version {}, verified by {}", result.version, kVersion));
  compare_inputs(data, result, compare);
  compare_peak(info, data, result, compare);
  compare_story(result, compare);
  compare_race(info, result, compare);
  compare_stability(result, compare);
  if (!info.recompute) {
    compare.truth(false, "the method has no recomputation");
    return;
  }
  try {
    check_inputs(info, data, result.options);
  } catch (const Error& error) {
    return compare.truth(false, std::string("no fit has these options: ") + error.what());
  }
  const Recomputed found = info.recompute(data, result.options, result.model);
  const double of_data = kOfTheData * data_squares(data);
  const double floor = found.squares ? kOfTheData * *found.squares : of_data;
  compare.set_floor(floor);
  compare_trace(info, result, found, floor / kOfTheData, compare);
  const std::size_t n_before = compare.result.differences.size();
  compare.squares("loss", result.terms.loss, found.terms.loss);
  compare.named("term", result.terms.penalties, found.terms.penalties, floor);
  compare.squares("objective", result.terms.objective(), found.terms.objective());
  compare.named("gap", result.terms.gaps, found.terms.gaps,
                std::max(kGapAbsolute, kGapOfTolerance * result.options.real("tolerance")));
  compare.named("measure", result.model.measures, found.measures, std::sqrt(floor * kOfTheData));
  compare.number("explained", result.model.explained, found.explained, kOfShares);
  compare.truth(result.model.components.size() == found.components.size(),
                "the number of components differs");
  for (std::size_t k = 0; k < result.model.components.size() && k < found.components.size(); ++k) {
    const std::string name = fmt::format("component {}", k);
    const double size = std::sqrt(floor / kOfTheData);
    compare.number(name + ": weight", result.model.components[k].weight, found.components[k].weight,
                   kOfTheData * size);
    compare.number(name + ": level", result.model.components[k].level, found.components[k].level,
                   kOfTheData * size);
    compare.number(name + ": explained", result.model.components[k].explained,
                   found.components[k].explained, kOfShares);
    compare_shares(name, result.model.components[k].block_explained,
                   found.components[k].block_explained, compare);
  }
  compare.truth(result.model.memberships.size() == found.memberships.size(),
                "the number of memberships differs");
  for (std::size_t i = 0; i < result.model.memberships.size() && i < found.memberships.size();
       ++i) {
    compare.members(result.model.memberships[i], found.memberships[i]);
  }
  name_arrays(result.model.arrays, found.arrays, n_before, compare);
  compare_arrays(result.model.arrays, found.arrays, compare);
  compare_used(result, found, std::sqrt(of_data * kOfTheData), compare);
  compare_count(info, result, found.is_exhausted, compare);
}

// What differs from a second run comes first: it names the very entries.
void run_again(const Dataset& data, const Result& result, Comparison& compare) {
  Comparison second;
  compare_rerun(data, result, second);
  std::vector<std::string>& all = compare.result.differences;
  all.insert(all.begin(), second.result.differences.begin(), second.result.differences.end());
  compare.result.n_checked += second.result.n_checked;
}

}  // namespace

Verification verify_result(const Dataset& data, const Result& result, Depth depth) {
  Comparison compare;
  compare_numbers(data, result, compare);
  if (depth == Depth::run_again) run_again(data, result, compare);
  return std::move(compare.result);
}

Verification verify_directory(const std::string& directory, const std::vector<std::string>& inputs,
                              const std::map<std::string, std::string>& attached, Depth depth) {
  ResultDirectory stored = read_result(directory);
  Comparison compare;
  attach_again(stored.json.result.options, stored.json.attached, directory, attached);
  for (const std::string& change : changed_files(stored.json.result.options, stored.json.attached))
    compare.truth(false, change);
  if (!compare.result.passed()) return std::move(compare.result);
  const Result& result = stored.json.result;
  const Dataset data = read_data_again(stored.json, inputs);
  compare_numbers(data, result, compare);
  compare.squares("objective in result.json", stored.json.objective, result.terms.objective());
  for (const std::string& key : stored.json.changed_parameters)
    compare.truth(false, "parameters: " + printable(key, 60) + " is not what was requested");
  if (!result.truth.empty()) {
    compare.named("score", result.scores,
                  score_result(result, {.files = result.truth}, result.truth_mode), 0.0);
  }
  for (std::size_t i = 0; i < result.model.memberships.size(); ++i) {
    const Membership& membership = result.model.memberships[i];
    compare.truth(strongest(membership) == stored.labels[i],
                  fmt::format("labels/{}.txt does not agree with clusters.tsv", membership.key()));
    const std::vector<Index> sizes = sizes_of(membership, std::ssize(stored.json.sizes));
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      compare.number(fmt::format("component {}: size in {}", k, membership.key()),
                     static_cast<double>(stored.json.sizes[k][i]), static_cast<double>(sizes[k]));
    }
  }
  if (depth == Depth::run_again) {
    const MethodInfo& info = find_method(result.method);
    check_memory(estimate_bytes(info, data, result.options), memory_limit(0.0));
    run_again(data, result, compare);
  }
  return std::move(compare.result);
}

}  // namespace gingham
