#include "gingham/tools/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/tools/evaluate.hpp"
#include "gingham/tools/read_again.hpp"
#include "gingham/tools/read_within.hpp"

namespace gingham {
namespace {

constexpr double kRelative = 1e-9;  // two ways of adding up the same numbers
constexpr double kOfTheData =
    1e-12;  // rounding of a residual, relative to the data it is a residual of
// A gap is a distance between numbers of about 1 that carry the rounding of all that was taken
// away before; what it is compared with is the tolerance.
constexpr double kGapAbsolute = 1e-9;
constexpr double kGapOfTolerance = 0.1;

class Comparison {
 public:
  void number(const std::string& what, double reported, double recomputed, double floor = 0.0) {
    ++result.n_checked;
    const bool both_nan = std::isnan(reported) && std::isnan(recomputed);
    const double allowed =
        kRelative * std::max(std::abs(reported), std::abs(recomputed)) + std::max(floor, 0.0);
    if (both_nan || reported == recomputed || std::abs(reported - recomputed) <= allowed) return;
    result.differences.push_back(fmt::format("{} is reported as {}, recomputed as {}", what,
                                             to_text(reported), to_text(recomputed)));
  }
  void set_floor(double floor) { floor_ = floor; }
  // In the units of the data's sum of squares.
  void squares(const std::string& what, double reported, double recomputed) {
    number(what, reported, recomputed, floor_);
  }
  void truth(bool holds, const std::string& complaint) {
    ++result.n_checked;
    if (!holds) result.differences.push_back(complaint);
  }

  Verification result;

 private:
  double floor_ = 0.0;
};

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

void compare_named(const std::string& kind, const std::vector<NamedValue>& said,
                   const std::vector<NamedValue>& found, double floor, Comparison& compare) {
  compare.truth(said.size() == found.size(), "the number of " + kind + " differs");
  for (std::size_t i = 0; i < said.size() && i < found.size(); ++i) {
    compare.truth(
        said[i].name == found[i].name,
        fmt::format("{} '{}' found where '{}' was expected", kind, said[i].name, found[i].name));
    compare.number(kind + " " + said[i].name, said[i].value, found[i].value, floor);
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

void compare_members(const Membership& said, const Membership& found, Comparison& compare) {
  const std::string key = said.key();
  compare.truth(key == found.key() && said.n_items == found.n_items,
                "memberships of " + key + " do not match");
  if (said.members.size() != found.members.size()) {
    compare.truth(false, fmt::format("{}: {} members are reported, {} recomputed", key,
                                     said.members.size(), found.members.size()));
    return;
  }
  for (std::size_t i = 0; i < said.members.size(); ++i) {
    const Member &a = said.members[i], &b = found.members[i];
    compare.truth(a.component == b.component && a.item == b.item,
                  fmt::format("{}: member {} of component {} is not among the recomputed ones", key,
                              a.item, a.component));
    compare.number(fmt::format("{}: value of item {} in component {}", key, a.item, a.component),
                   a.value, b.value);
  }
}

// What a trace and a status must satisfy among themselves.
void compare_story(const Result& result, Comparison& compare) {
  const double tolerance = result.options.real("tolerance");
  compare.truth(
      result.status != Status::converged || result.terms.gap() <= tolerance,
      fmt::format("the status is converged, but the largest gap is {} and the tolerance {}",
                  to_text(result.terms.gap()), to_text(tolerance)));
  compare.number("iterations", static_cast<double>(result.iterations),
                 static_cast<double>(result.trace.size()));
  const Index limit = result.options.integer("max-iterations");
  for (std::size_t i = 0; i < result.trace.size(); ++i) {
    const Record& now = result.trace[i];
    const bool first = i == 0 || now.component != result.trace[i - 1].component;
    compare.truth(
        now.iteration == (first ? 1 : result.trace[i - 1].iteration + 1) && now.iteration <= limit,
        fmt::format("trace record {} has iteration {} out of order or beyond {}", i, now.iteration,
                    limit));
  }
  if (result.restarts.empty()) return;
  compare.truth(
      result.best_restart >= 0 && result.best_restart < static_cast<Index>(result.restarts.size()),
      "best_restart is not one of the restarts");
  if (result.best_restart < 0 || result.best_restart >= static_cast<Index>(result.restarts.size()))
    return;
  const RestartSummary& kept = result.restarts[result.best_restart];
  compare.number("objective of the restart that was kept", kept.objective,
                 result.terms.objective());
  for (const RestartSummary& other : result.restarts) {
    compare.truth(
        other.status == Status::numerical_failure || !is_lower(other.objective, kept.objective),
        "a restart with a lower objective was not kept");
  }
}

// What restarts found is not kept; only that the shares can be some of these members'.
void compare_stability(const Result& result, Comparison& compare) {
  if (result.stability.empty()) return;
  const std::vector<Membership>& memberships = result.model.memberships;
  const auto is_usable = [](const RestartSummary& one) {
    return one.status != Status::numerical_failure;
  };
  compare.truth(std::count_if(result.restarts.begin(), result.restarts.end(), is_usable) > 1,
                "there are stabilities, but no two restarts to compare");
  compare.truth(result.stability.size() == memberships.size(),
                "stabilities and memberships do not match");
  for (std::size_t i = 0; i < result.stability.size() && i < memberships.size(); ++i) {
    const std::vector<double>& shares = result.stability[i];
    compare.truth(
        shares.size() == memberships[i].members.size() &&
            std::all_of(shares.begin(), shares.end(),
                        [](double share) { return share >= 0.0 && share <= 1.0; }),
        fmt::format("{}: not every member has a stability from 0 to 1", memberships[i].key()));
  }
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
  compare_stability(result, compare);
  if (!info.recompute) {
    compare.truth(false, "the method has no recomputation");
    return;
  }
  const Recomputed found = info.recompute(data, result.options, result.model);
  const double of_data = kOfTheData * data_squares(data);
  const double floor = found.squares ? kOfTheData * *found.squares : of_data;
  compare.set_floor(floor);
  compare.squares("loss", result.terms.loss, found.terms.loss);
  compare_named("term", result.terms.penalties, found.terms.penalties, floor, compare);
  compare.squares("objective", result.terms.objective(), found.terms.objective());
  compare_named("gap", result.terms.gaps, found.terms.gaps,
                std::max(kGapAbsolute, kGapOfTolerance * result.options.real("tolerance")),
                compare);
  compare_named("measure", result.model.measures, found.measures, std::sqrt(floor * kOfTheData),
                compare);
  compare.number("explained", result.model.explained, found.explained, kOfTheData);
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
                   found.components[k].explained, kOfTheData);
    compare_shares(name, result.model.components[k].block_explained,
                   found.components[k].block_explained, compare);
  }
  compare.truth(result.model.memberships.size() == found.memberships.size(),
                "the number of memberships differs");
  for (std::size_t i = 0; i < result.model.memberships.size() && i < found.memberships.size();
       ++i) {
    compare_members(result.model.memberships[i], found.memberships[i], compare);
  }
  for (const UsedValues& used : found.used) {
    for (const UsedValues& said : result.model.used) {
      if (said.option != used.option) continue;
      for (std::size_t k = 0; k < used.values.size() && k < said.values.size(); ++k) {
        if (!std::isfinite(used.values[k])) continue;  // beyond what JSON can hold
        compare.number(fmt::format("{} used for component {}", used.option, k), said.values[k],
                       used.values[k], std::sqrt(of_data * kOfTheData));
      }
    }
  }
}

}  // namespace

Verification verify_result(const Dataset& data, const Result& result) {
  Comparison compare;
  compare_numbers(data, result, compare);
  return std::move(compare.result);
}

Verification verify_directory(const std::string& directory, const std::vector<std::string>& inputs,
                              const std::map<std::string, std::string>& attached) {
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
  if (!result.truth.empty()) {
    compare_named("score", result.scores,
                  score_result(result, {.files = result.truth}, result.truth_mode), 0.0, compare);
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
  return std::move(compare.result);
}

}  // namespace gingham
