#include "gingham/methods/multilinear/transform.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gingham/alternation/fit_items.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/multilinear/asked.hpp"
#include "gingham/methods/multilinear/factors.hpp"

namespace gingham::methods::multilinear {
namespace {

// The number that came of an option, for one of its modes or components: one for all, or one each.
double used_number(const Model& fitted, const std::string& option, Index at) {
  for (const UsedValues& used : fitted.used) {
    if (used.option == option && !used.values.empty())
      return used.values[static_cast<std::size_t>(std::min(at, std::ssize(used.values) - 1))];
  }
  throw Error(ErrorCode::input, option, "the result does not say which number was used");
}

// What new items of a mode obey, each by itself, and what the fit calls that; empty: no term of the
// objective.
struct ItemRule {
  EntryRule entries;
  std::string name;
};

ItemRule rule_of(const Options& options, const Model& fitted, Index mode, const std::string& name) {
  EntryRule within, own{.low = 0.0};
  const bool has_sparsity = options.has("sparsity");
  if (has_sparsity && options.text("model") == "box") own.high = within.high = 1.0;
  if (has_sparsity && options.flag("signed")) own.low = -own.high;
  if (within.high < kInfinity) within.low = own.low;
  const PenaltyRequest* request = asked_penalty(options, name);
  if (request == nullptr) {
    if (has_sparsity) own.l1 = used_number(fitted, "sparsity", mode);
    return {own, has_sparsity ? fmt::format("sparsity_{}", mode) : ""};
  }
  std::unique_ptr<Penalty> asked;
  if (request->file().empty()) asked = fitted_penalty(options, fitted, name, within);
  if (asked == nullptr || asked->entry() == nullptr) {
    throw Error(ErrorCode::usage, "--penalty",
                fmt::format("{}={} holds items together: new ones cannot be fitted one by one",
                            name, request->text()));
  }
  return {*asked->entry(), fmt::format("penalty_{}", mode)};
}

alternation::FittedFactors factors_of(const Block& fresh, const Options& options,
                                      const Model& fitted, Index mode) {
  alternation::FittedFactors found;
  for (Index m = 0; m < fresh.modes(); ++m) {
    found.modes.push_back(find_matrix(fitted, fmt::format("mode_{}", m),
                                      m == mode ? -1 : fresh.shape()[m],
                                      m == 0 ? -1 : found.modes[0].cols()));
  }
  const Matrix& own = found.modes[mode];
  if (!options.has("model") || options.text("model") != "plain")
    found.weights = find_vector(fitted, "weights", own.cols());
  if (!options.has("sparsity")) return found;
  found.in_order = options.text("strategy") == "deflation";
  for (Index k = 0; k < own.cols(); ++k)
    found.least.push_back(used_number(fitted, "prune", k) * largest_in_column(own, k));
  return found;
}

std::vector<std::string> notes_on(const alternation::NewFactor& found, const char* component) {
  std::vector<std::string> notes;
  const Matrix& factor = found.items;
  if (found.n_unseen > 0)
    notes.push_back(
        fmt::format("{} new items have no observed value; they belong to nothing", found.n_unseen));
  Index n_outside = 0;
  for (Index i = 0; i < factor.rows(); ++i) n_outside += is_zero(factor.row(i)) ? 1 : 0;
  if (n_outside > found.n_unseen)
    notes.push_back(
        fmt::format("{} of {} new items are in no {}", n_outside, factor.rows(), component));
  return notes;
}

}  // namespace

Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx) {
  const Block& block = fresh.block(0);
  alternation::FittedFactors factors = factors_of(block, options, fitted, mode);
  const std::string name = mode_names(block)[mode];
  const ItemRule rule = rule_of(options, fitted, mode, name);
  factors.rule = rule.entries.times(0.5);  // the objective here is twice that of fit_items
  ctx.phase("slices");
  alternation::NewFactor found =
      alternation::fit_items(block, mode, std::move(factors), ctx.executor());
  Transformed all;
  all.memberships = {membership_of(name, std::nullopt, found.items)};
  all.notes = notes_on(found, options.has("sparsity") ? "co-cluster" : "term");
  all.terms.loss = 2.0 * found.loss;
  if (!rule.name.empty()) all.terms.penalties = {{rule.name, 2.0 * found.penalty}};
  all.terms.gaps = {{name, found.gap}};
  all.arrays.push_back({fmt::format("mode_{}", mode), std::move(found.items)});
  return all;
}

}  // namespace gingham::methods::multilinear
