#include "gingham/methods/rank_one/named_penalty.hpp"

#include <fmt/format.h>

namespace gingham::methods::rank_one {
namespace {

[[noreturn]] void refuse(const std::string& mode, const std::string& reason) {
  throw Error(ErrorCode::usage, "--penalty", fmt::format("of {}: {}", mode, reason));
}

// The method's own option for the sparsity of a mode, where it was given; a default is none.
std::string own_option(const Options& options, const char* name) {
  return options.canonical(name) == options.record(name).initial ? "" : name;
}

}  // namespace

std::vector<std::string> penalty_modes() { return {"rows", "columns"}; }

void make_room_for_penalties(Rules& rules) {
  if (asked_penalty(rules.options, "rows") != nullptr) rules.sides.rows.sparsity = {};
  if (asked_penalty(rules.options, "columns") != nullptr) rules.sides.columns.sparsity = {};
}

void check_penalties(const Dataset& data, const Rules& rules) {
  const Options& options = rules.options;
  const Shape& shape = data.block(0).shape();
  check_mode_penalties(
      options, penalty_modes(), {shape[0], shape[1]},
      {own_option(options, "row-sparsity"), own_option(options, "column-sparsity")});
  for (const Which which : kSides) {
    const auto mode = static_cast<Index>(which);
    const std::string name = penalty_modes()[mode];
    const auto penalty = any_penalty(options, mode, shape[mode]);
    if (!penalty) continue;
    const PenaltyTraits traits = penalty->traits();
    if (!traits.is_homogeneous || traits.is_bounded) {
      refuse(name,
             "every vector gets length 1 after its step, so that its size cannot be penalised or "
             "bounded; l1, nonneg, top, fused, unimodal, group, groupmax and their sums go with "
             "that");
    }
    const SideRule& rule = rules.sides[which];
    const std::string fusion = mode == 0 ? "row-fusion" : "column-fusion";
    if (data.size() > 1 && rule.is_fused() && !rule.is_tied()) {
      refuse(name, fmt::format("--{0} holds them together over time, which goes with --{1} only; "
                               "set --{0} to max or 0",
                               fusion, mode == 0 ? "row-sparsity" : "column-sparsity"));
    }
    for (const Block& block : data.blocks()) {
      if (asked_penalty(options, name)->file().empty()) continue;
      if (block.shape()[mode] == shape[mode]) continue;
      refuse(name, fmt::format("the groups name {} items, but {} has {}", shape[mode], block.name(),
                               block.shape()[mode]));
    }
  }
}

std::shared_ptr<const Penalty> any_penalty(const Options& options, Index mode, Index n_items) {
  const std::string name = penalty_modes()[mode];
  const PenaltyRequest* request = asked_penalty(options, name);
  if (request == nullptr) return nullptr;
  return request->make(std::vector<double>(static_cast<std::size_t>(request->n_weights()), 1.0),
                       penalty_groups(options, name, n_items));
}

std::shared_ptr<const Penalty> fitted_penalty(const Options& options, const Model& fitted,
                                              Index mode, Index n_items) {
  const std::string name = penalty_modes()[mode];
  const PenaltyRequest* request = asked_penalty(options, name);
  if (request == nullptr) return nullptr;
  const auto groups = penalty_groups(options, name, n_items);
  if (!request->has_percentages()) return request->make(request->numbers(), groups);
  std::size_t begin = 0;  // numbers of all modes, in the order they were typed
  for (const ModePenalty& one : options.mode_penalties("penalty")) {
    if (one.mode == name) break;
    begin += static_cast<std::size_t>(one.penalty.n_weights());
  }
  const auto count = static_cast<std::size_t>(request->n_weights());
  for (const UsedValues& used : fitted.used) {
    if (used.option != "penalty" || used.values.size() < begin + count) continue;
    const auto first = used.values.begin() + static_cast<std::ptrdiff_t>(begin);
    return request->make({first, first + static_cast<std::ptrdiff_t>(count)}, groups);
  }
  throw Error(ErrorCode::input, "penalty", "the numbers used are missing from the result");
}

}  // namespace gingham::methods::rank_one
