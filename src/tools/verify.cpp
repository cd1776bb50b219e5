#include "gingham/tools/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

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
// Shares of explained squares: a method that ends by a tolerance of its own leaves about its
// square.
constexpr double kOfShares = 1e-10;
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

// The entries of an array row by row, of a sparse one those it lists.
std::span<const double> values_of(const NamedArray& array) {
  if (const auto* matrix = std::get_if<Matrix>(&array.values)) return matrix->values();
  if (const auto* vector = std::get_if<std::vector<double>>(&array.values)) return *vector;
  return std::get<SparseMatrix>(array.values).values();
}

std::string place_in(const NamedArray& array, std::size_t at) {
  const auto* matrix = std::get_if<Matrix>(&array.values);
  if (matrix == nullptr) return fmt::format("{} [{}]", array.name, at);
  const auto width = static_cast<std::size_t>(matrix->cols());
  return fmt::format("{} [{}, {}]", array.name, at / width, at % width);
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
      if (!std::isnan(one.values[i]))
        compare.number(place_in(*stored, i), values[i], one.values[i], one.tolerance);
    }
  }
}

// A number that was asked for is the number used, for all alike or one for each; of a count that
// is beyond the items there are, all of them.
void compare_asked(const MethodInfo& info, const Result& result, Comparison& compare) {
  const auto are_all = [&](double count) {
    const std::vector<Membership>& modes = result.model.memberships;
    return std::any_of(modes.begin(), modes.end(), [&](const Membership& mode) {
      return static_cast<double>(mode.n_items) == count;
    });
  };
  // Nothing is asked of a mode that has one item, and of changes over time where there is one.
  const auto is_alone = [&](std::size_t mode) {
    const std::vector<InputSummary>& inputs = result.inputs;
    if (info.input == InputKind::series) return inputs.size() == 1;
    return inputs.size() == 1 && mode < inputs[0].shape.size() && inputs[0].shape[mode] == 1;
  };
  for (const UsedValues& used : result.model.used) {
    if (!result.options.has(used.option) || !result.options.given(used.option)) continue;
    if (result.options.record(used.option).type != OptionType::penalties) continue;
    const std::vector<PenaltyValue>& asked = result.options.penalties(used.option);
    if (asked.size() != 1 && asked.size() != used.values.size()) continue;
    for (std::size_t k = 0; k < used.values.size(); ++k) {
      const PenaltyValue& one = asked[asked.size() == 1 ? 0 : k];
      if (is_unfinished(result.status) && used.values[k] == 0.0) continue;  // not used yet
      const bool is_cut = used.values[k] < one.number && are_all(used.values[k]);
      if (is_alone(k) && used.values[k] == 0.0) continue;
      if (one.kind == PenaltyValue::Kind::number && !is_cut)
        compare.number(fmt::format("{} used, number {}", used.option, k), used.values[k],
                       one.number);
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

// A run that came to its end has as many components as were asked for, or has used up all rows.
void compare_count(const MethodInfo& info, const Result& result, Comparison& compare) {
  const std::optional<Index> asked = asked_components(info, result);
  const Index found = std::ssize(result.model.components);
  if (!asked || is_unfinished(result.status) || result.model.memberships.empty()) return;
  const std::vector<Index> labels = strongest(result.model.memberships[0]);
  // A refinement afterwards may leave a row with nothing.
  const bool is_refined =
      std::any_of(result.model.measures.begin(), result.model.measures.end(),
                  [](const NamedValue& one) { return one.name == "refined" && one.value != 0.0; });
  const bool all_taken = is_refined || std::find(labels.begin(), labels.end(), -1) == labels.end();
  compare.truth(found == *asked || (found < *asked && all_taken),
                fmt::format("{} components are reported, {} were asked for", found, *asked));
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

// Where a method says that its objective never rises, its trace does not, but for the rounding of
// running sums (of `squares`).
void compare_descent(const MethodInfo& info, const Result& result, double squares,
                     Comparison& compare) {
  constexpr double kRunning = 1e-9;
  if (!info.traits.descent || result.options.text("precision") != "double") return;
  for (std::size_t i = 1; i < result.trace.size(); ++i) {
    const Record &before = result.trace[i - 1], &now = result.trace[i];
    if (now.component != before.component) continue;
    compare.truth(
        now.objective <= before.objective + kRunning * (std::abs(before.objective) + squares),
        fmt::format("trace record {}: the objective rises from {} to {}", i,
                    to_text(before.objective), to_text(now.objective)));
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
  compare_descent(info, result, floor / kOfTheData, compare);
  compare.squares("loss", result.terms.loss, found.terms.loss);
  compare_named("term", result.terms.penalties, found.terms.penalties, floor, compare);
  compare.squares("objective", result.terms.objective(), found.terms.objective());
  compare_named("gap", result.terms.gaps, found.terms.gaps,
                std::max(kGapAbsolute, kGapOfTolerance * result.options.real("tolerance")),
                compare);
  compare_named("measure", result.model.measures, found.measures, std::sqrt(floor * kOfTheData),
                compare);
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
    compare_members(result.model.memberships[i], found.memberships[i], compare);
  }
  compare_arrays(result.model.arrays, found.arrays, compare);
  compare_asked(info, result, compare);
  compare_count(info, result, compare);
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
  for (const std::string& key : stored.json.changed_parameters)
    compare.truth(false, "parameters: " + printable(key, 60) + " is not what was requested");
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
