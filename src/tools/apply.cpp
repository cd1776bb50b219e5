#include "gingham/tools/apply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "gingham/base/text.hpp"
#include "gingham/data/slices.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/kernels/blas.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/transform_views.hpp"

namespace gingham {
namespace {

const MethodInfo& method_with_transform(const std::string& name) {
  const MethodInfo& info = find_method(name);
  if (info.transform) return info;
  std::string known;
  for (const MethodInfo& other : all_methods()) {
    if (other.transform) known += " " + other.name;
  }
  throw Error(ErrorCode::usage, name, "cannot be applied to new data; methods that can:" + known);
}

// Options that say how a fit is applied, as they are wanted now.
void change_settings(Options& options, const std::map<std::string, std::string>& settings) {
  for (const auto& [name, text] : settings) {
    if (options.has(name) && options.record(name).is_for_transform) {
      options.set(name, text);
      continue;
    }
    std::string known;
    for (const OptionRecord& record : options.records())
      if (record.is_for_transform) known += (known.empty() ? "" : ", ") + record.name;
    throw Error(ErrorCode::usage, "--set",
                fmt::format("'{}' is not an option that may change here; there {}",
                            printable(name, 40), known.empty() ? "is none" : "is " + known));
  }
}

void check_mode(const ApplyRequest& request, const Result& fit) {
  const auto modes = fit.inputs.empty() ? 0 : std::ssize(fit.inputs[0].shape);
  if (request.mode >= 0 && request.mode < modes) return;
  throw Error(ErrorCode::usage, "--mode",
              fmt::format("there is no mode {}; the data of the fit have modes 0 to {}",
                          request.mode, modes - 1));
}

void check_sizes(const Block& block, const InputSummary& fit, Index mode) {
  const auto n_modes = std::ssize(fit.shape);
  if (block.modes() != n_modes) {
    throw Error(ErrorCode::input, block.name(),
                fmt::format("has {} modes ({}), expected {} as in the fit ({})", block.modes(),
                            shape_text(block.shape()), n_modes, shape_text(fit.shape)));
  }
  for (Index m = 0; m < n_modes; ++m) {
    if (m == mode || block.shape()[m] == fit.shape[m]) continue;
    throw Error(ErrorCode::input, block.name(),
                fmt::format("{}: {} items found, expected {} as in the fit; only {} may be others",
                            mode_name(m, n_modes), block.shape()[m], fit.shape[m],
                            mode_name(mode, n_modes)));
  }
}

// The names of the items of the other modes, where both sides have them. A stored fit has them fit
// for showing, so that is what is compared.
void check_names(const Block& block, const std::vector<Labels>& fit, Index mode) {
  for (Index m = 0; m < std::min(block.modes(), std::ssize(fit)); ++m) {
    const Labels &found = block.labels(m), &expected = fit[m];
    if (m == mode || found.size() != expected.size()) continue;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (shown_name(found[i]) == shown_name(expected[i])) continue;
      throw Error(ErrorCode::input, block.name(),
                  fmt::format("{}: item {} is called '{}', expected '{}' as in the fit; bring them "
                              "into its order",
                              mode_name(m, block.modes()), i + 1, printable(found[i], 60),
                              printable(expected[i], 60)));
    }
  }
}

// An array with one mode less than the fit's is one slice of the mode that is asked for.
std::vector<Block> with_all_modes(std::vector<Block> blocks, const Result& fit, Index mode) {
  if (blocks.size() != 1 || fit.inputs.size() != 1) return blocks;
  Shape expected = fit.inputs[0].shape;
  expected.erase(expected.begin() + mode);
  if (expected.size() < 2 || blocks[0].shape() != expected) return blocks;
  blocks.push_back(as_slice(blocks[0], mode));
  blocks.erase(blocks.begin());
  return blocks;
}

void check_data(const Dataset& fresh, const ApplyPlan& plan, const Result& fit, Index mode) {
  check_kind(*plan.info, fresh);
  check_signs(*plan.info, fresh, plan.options);
  for (const Index b : plan.places) {
    check_sizes(fresh.block(b), fit.inputs[b], mode);
    if (b < std::ssize(fit.item_labels)) check_names(fresh.block(b), fit.item_labels[b], mode);
  }
  if (mode == 0) check_shared(*plan.info, fresh);
}

Status status_of(const Terms& terms, const Options& options) {
  if (!std::isfinite(terms.objective()) || (!terms.gaps.empty() && !std::isfinite(terms.gap())))
    return Status::numerical_failure;
  return terms.gap() <= options.real("tolerance") ? Status::converged : Status::iteration_limit;
}

}  // namespace

ApplyPlan plan_apply(const Result& fit, const ApplyRequest& request, Index n_given) {
  ApplyPlan plan{.options = fit.options};
  change_settings(plan.options, request.settings);
  plan.info = &method_with_transform(fit.method);
  check_mode(request, fit);
  plan.places = places_of(request.views, *plan.info, fit.inputs, n_given);
  return plan;
}

Applied apply_fit(const Result& fit, std::vector<Block> given, const ApplyRequest& request) {
  const ApplyPlan plan = plan_apply(fit, request, std::ssize(given));
  const MethodInfo& info = *plan.info;
  Applied applied;
  applied.fresh =
      in_places(with_all_modes(std::move(given), fit, request.mode), plan.places, fit.inputs);
  check_data(applied.fresh, plan, fit, request.mode);
  Options alone = plan.options;  // nothing races here
  alone.set("race", "no");
  check_memory(
      estimate_bytes(info, applied.fresh, alone),
      memory_limit(request.memory_limit_bytes, static_cast<double>(applied.fresh.bytes())));

  const auto began = std::chrono::steady_clock::now();
  const BlasSingleThread blas;
  std::optional<ThreadPool> pool;
  if (request.executor == nullptr) pool.emplace(request.threads);
  Context context(pool ? static_cast<Executor&>(*pool) : *request.executor,
                  static_cast<std::uint64_t>(plan.options.integer("seed")), 0);
  applied.found = info.transform(applied.fresh, plan.options, fit.model, request.mode, context);
  applied.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (info.input == InputKind::views) {
    applied.views = plan.places;
    applied.n_views = std::ssize(fit.inputs);
  }
  std::erase_if(applied.found.arrays, [&](const NamedArray& array) {
    return is_of_absent_view(array.name, info, applied.views, applied.n_views);
  });
  applied.mode = mode_name(request.mode, applied.fresh.block(0).modes());
  applied.status = status_of(applied.found.terms, plan.options);
  return applied;
}

}  // namespace gingham
