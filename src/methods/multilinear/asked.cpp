#include "gingham/methods/multilinear/asked.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gingham/penalties/in_ball.hpp"
#include "gingham/penalties/members/ball.hpp"

namespace gingham::methods::multilinear {
namespace {

bool is_boxed(const Options& options) {
  return options.has("model") && options.text("model") == "box";
}
bool is_signed(const Options& options) { return options.has("signed") && options.flag("signed"); }

// Inside the box: from 0 to 1 by the word for it, from -1 to 1 for penalties of single entries.
std::shared_ptr<const Penalty> boxed(const PenaltyRequest& request,
                                     const std::vector<double>& numbers,
                                     const std::shared_ptr<const Groups>& groups, bool has_signs) {
  if (has_signs && request.make(numbers, groups)->entry() == nullptr) {
    throw Error(ErrorCode::usage, "--penalty",
                fmt::format("{} does not go with members from -1 to 1", request.text()));
  }
  return request.make(numbers, groups, {.low = has_signs ? -1.0 : 0.0, .high = 1.0});
}

// Where some mode pays for the length of its columns, those that cost nothing of other modes lie in
// the unit ball. One mode that pays for some of its columns only may stay as it is if no other
// pays.
void hold_scales(const Block& block, const std::vector<double>& lambda, double low, Asked& asked) {
  Index n_paying = 0;
  bool pays_for_all = false;
  for (Index n = 0; n < block.modes(); ++n) {
    const bool pays = lambda[n] > 0.0 || (asked[n] && asked[n]->traits().has_weight);
    n_paying += pays ? 1 : 0;
    pays_for_all = pays_for_all || (pays && !(asked[n] && asked[n]->traits().has_free_columns));
  }
  for (Index n = 0; n < block.modes() && n_paying > 0; ++n) {
    if (lambda[n] > 0.0 || block.shape()[n] == 1) continue;
    if (!asked[n]) {
      asked[n] = std::make_shared<UnitBall>(EntryRule{.low = low});
      continue;
    }
    const PenaltyTraits traits = asked[n]->traits();
    if (!traits.has_free_columns || traits.is_bounded) continue;
    const bool is_the_only_one = traits.has_weight && n_paying == 1;
    if (traits.has_weight && n_paying > 1 && !pays_for_all) {
      throw Error(ErrorCode::usage, "--penalty",
                  "several modes have a penalty under which some columns cost nothing (fused, "
                  "smooth, or groups without some items), and none has one that every column pays: "
                  "nothing holds the scale; add l1 to one of them");
    }
    const bool has_minimiser = traits.is_convex || !block.has_missing();  // in the ball
    if (!is_the_only_one && has_minimiser) asked[n] = std::make_shared<InBall>(asked[n]);
  }
}

}  // namespace

std::vector<std::string> mode_names(const Block& block) {
  if (block.is_matrix()) return {"rows", "columns"};
  std::vector<std::string> names;
  for (Index n = 0; n < block.modes(); ++n) names.push_back(fmt::format("mode_{}", n));
  return names;
}

Asked asked_penalties(const Block& block, const Options& options, const std::vector<double>& lambda,
                      const std::vector<double>& numbers) {
  if (options.mode_penalties("penalty").empty()) return {};
  const std::vector<std::string> names = mode_names(block);
  Asked asked(names.size());
  std::size_t next = 0;
  for (const ModePenalty& one : options.mode_penalties("penalty")) {
    const auto mode = std::find(names.begin(), names.end(), one.mode) - names.begin();
    const std::size_t count = static_cast<std::size_t>(one.penalty.n_weights());
    if (mode == std::ssize(names) || next + count > numbers.size()) {
      throw Error(ErrorCode::input, "penalty", "the numbers used do not fit what was asked for");
    }
    const std::vector<double> own(numbers.begin() + static_cast<Index>(next),
                                  numbers.begin() + static_cast<Index>(next + count));
    next += count;
    if (block.shape()[mode] == 1) continue;
    const auto groups = penalty_groups(options, one.mode, block.shape()[mode]);
    asked[mode] = is_boxed(options) ? boxed(one.penalty, own, groups, is_signed(options))
                                    : one.penalty.make(own, groups);
  }
  if (is_boxed(options)) return asked;
  hold_scales(block, lambda, is_signed(options) ? -kInfinity : 0.0, asked);
  return asked;
}

Asked asked_kinds(const Block& block, const Options& options, const std::vector<double>& lambda) {
  std::vector<double> numbers;
  for (const ModePenalty& one : options.mode_penalties("penalty")) {
    const std::vector<double> own = one.penalty.numbers(
        std::vector<double>(static_cast<std::size_t>(one.penalty.n_weights()), 1.0));
    numbers.insert(numbers.end(), own.begin(), own.end());
  }
  return asked_penalties(block, options, lambda, numbers);
}

void check_asked(const Block& block, const Options& options) {
  const std::vector<ModePenalty>& requests = options.mode_penalties("penalty");
  if (requests.empty()) return;
  const std::vector<std::string> names = mode_names(block);
  const auto refuse = [](const std::string& reason) {
    throw Error(ErrorCode::usage, "--penalty", reason);
  };
  const bool has_own = options.has("sparsity") && options.canonical("sparsity") != "auto";
  check_mode_penalties(options, names, block.shape(),
                       std::vector<std::string>(names.size(), has_own ? "sparsity" : ""));
  if (options.has("prune") && options.canonical("prune") != "auto") {
    refuse("--prune goes with --sparsity alone: entries that are taken away may leave the domain");
  }
  Asked asked;
  try {
    // Modes of tensor without one have --sparsity.
    asked = asked_kinds(block, options,
                        std::vector<double>(names.size(), options.has("sparsity") ? 1.0 : 0.0));
  } catch (const Error& error) {
    if (!is_boxed(options)) throw;
    refuse(fmt::format("{}; --model plain has no box", error.message()));
  }
  bool is_held = !is_boxed(options);
  for (Index n = 0; n < block.modes(); ++n) {
    is_held = is_held && (block.shape()[n] == 1 || (asked[n] && asked[n]->traits().is_bounded));
  }
  if (is_held) {
    refuse("every mode is bounded, and none is left to carry the size of the data: leave one free");
  }
}

bool has_percentages(const Options& options) {
  const std::vector<ModePenalty>& all = options.mode_penalties("penalty");
  return std::any_of(all.begin(), all.end(),
                     [](const ModePenalty& one) { return one.penalty.has_percentages(); });
}

}  // namespace gingham::methods::multilinear
