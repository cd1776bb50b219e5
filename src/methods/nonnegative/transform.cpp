#include "gingham/methods/nonnegative/transform.hpp"

#include <fmt/format.h>

#include "gingham/alternation/fit_items.hpp"
#include "gingham/kernels/copies.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/nonnegative/model.hpp"

namespace gingham::methods::nonnegative {
namespace {

constexpr const char* kFactors[] = {"W", "H"};
constexpr const char* kItems[] = {"rows", "columns"};

// Both factors, one row per item each; that of the other side fits the data.
std::vector<Matrix> factors_of(const Dataset& fresh, const Model& fitted, Index mode) {
  const Index rank = std::ssize(fitted.components), n = fresh.block(0).shape()[1 - mode];
  const auto rows_of = [&](Index side, Index n_items) {
    return side == 0 ? find_matrix(fitted, "W", n_items, rank)
                     : transposed(find_matrix(fitted, "H", rank, n_items));
  };
  std::vector<Matrix> factors(2);
  factors[1 - mode] = rows_of(1 - mode, n);
  factors[mode] = rows_of(mode, -1);
  return factors;
}

std::vector<std::string> notes_on(const alternation::NewFactor& found, const SideRules& rules,
                                  Index mode) {
  std::vector<std::string> notes;
  if (rules.penalty->entry() == nullptr && (rules.groups == nullptr || rules.has_group_penalty()))
    notes.push_back(fmt::format("the penalty{} ties {} together; new ones do not pay it",
                                rules.groups != nullptr ? " of groups" : "", kItems[mode]));
  if (rules.is_in_ball)
    notes.push_back(fmt::format(
        "the length of {} is at most 1 over the {} of the fit; it is not limited over new ones",
        mode == 0 ? "W's columns" : "H's rows", kItems[mode]));
  const Index n_unseen = found.n_unseen;
  if (n_unseen > 0)
    notes.push_back(
        fmt::format("{} new {} have no observed value; they are zero", n_unseen, kItems[mode]));
  Index n_zero = 0;
  for (Index i = 0; i < found.items.rows(); ++i) n_zero += is_zero(found.items.row(i)) ? 1 : 0;
  if (n_zero > n_unseen)
    notes.push_back(
        fmt::format("{} of {} new {} use no component", n_zero, found.items.rows(), kItems[mode]));
  return notes;
}

}  // namespace

Transformed transform(const Dataset& fresh, const Model& fitted, Index mode, const SideRules& rules,
                      Context& ctx) {
  std::vector<Matrix> factors = factors_of(fresh, fitted, mode);
  const Matrix fixed = factors[1 - mode];
  ctx.phase("items");
  EntryRule rule = rules.penalty->rest();
  rule.low = 0.0;
  alternation::NewFactor found = alternation::fit_items(
      fresh.block(0), mode, {.modes = std::move(factors), .rule = rule, .cross = rules.cross},
      ctx.executor());
  Transformed all;
  all.terms.loss = found.loss;
  if (rule.ridge > 0.0 || rule.l1 > 0.0 || rules.cross > 0.0)
    all.terms.penalties = {{kFactors[mode], found.penalty}};
  all.terms.gaps = {{kFactors[mode], found.gap}};
  all.memberships = {membership_of(kItems[mode], std::nullopt, weighted_by(found.items, fixed))};
  all.notes = notes_on(found, rules, mode);
  all.arrays.push_back(
      {kFactors[mode], mode == 0 ? std::move(found.items) : transposed(found.items)});
  return all;
}

}  // namespace gingham::methods::nonnegative
