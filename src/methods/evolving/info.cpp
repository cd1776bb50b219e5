// Co-clusters of time-varying matrices (Ji, Zhang, Liu 2012): sparse rank-one terms whose vectors
// change little from one time to the next.
#include <fmt/format.h>

#include <algorithm>

#include "gingham/kernels/products.hpp"
#include "gingham/methods/evolving/simulate.hpp"
#include "gingham/methods/rank_one/named_penalty.hpp"
#include "gingham/methods/rank_one/rank_one.hpp"
#include "gingham/methods/rank_one/recompute.hpp"
#include "gingham/methods/rank_one/transform.hpp"

namespace gingham::methods::evolving {
namespace {

constexpr double kLeastDualGap = 1e-15;  // relative; below it is rounding

// The step that ends an iteration is that of the fused side, so that its stored vectors are that
// step's minimiser: rows then columns, unless the rows alone are fused. Where nothing is fused it
// is the sparse SVD of each matrix, columns first.
rank_one::Rules rules_of(const Options& options) {
  rank_one::Rules rules;
  rules.options = options;
  double dual_gap = 0.0;
  if (options.text("solver") == "dual") {
    // The squared error of the dual's solution is at most its gap.
    const double tolerance = options.real("tolerance");
    const PenaltyValue& asked = options.penalty("dual-gap");
    dual_gap = asked.is("auto") ? std::clamp(0.01 * tolerance * tolerance, kLeastDualGap, 1e-8)
                                : asked.number;
  }
  const auto rule_of = [&](const char* sparsity, const char* fusion) {
    return rank_one::SideRule{options.penalty(sparsity), options.penalty(fusion), 0.0,
                              rank_one::Bic::relaxed, dual_gap};
  };
  rules.sides = {rule_of("row-sparsity", "row-fusion"),
                 rule_of("column-sparsity", "column-fusion")};
  rules.columns_first = !rules.sides.columns.is_fused();
  rules.n_components = options.integer("clusters");
  rules.is_series = true;
  rank_one::make_room_for_penalties(rules);
  return rules;
}

// Matrices whose rows (columns) are held together over time must have the same ones; `remedy` says
// what to do about it.
void check_shared(const Dataset& data, Index mode, const std::string& remedy) {
  const char* items = mode == 0 ? "rows" : "columns";
  const char* option = mode == 0 ? "row-fusion" : "column-fusion";
  const Block& first = data.block(0);
  for (const Block& block : data.blocks()) {
    if (block.shape()[mode] != first.shape()[mode]) {
      throw Error(ErrorCode::input, block.name(),
                  fmt::format("has {} {}, but {} has {}; --{} needs the same {} at all times: {}",
                              block.shape()[mode], items, first.name(), first.shape()[mode], option,
                              items, remedy));
    }
    const Labels &here = block.labels(mode), &there = first.labels(mode);
    if (here.empty() || there.empty() || here == there) continue;
    const auto at = static_cast<std::size_t>(
        std::mismatch(here.begin(), here.end(), there.begin()).first - here.begin());
    throw Error(ErrorCode::input, block.name(),
                fmt::format("{} {} is called '{}', but in {} it is '{}'; put the {} of all times "
                            "into the same order, or {}",
                            mode == 0 ? "row" : "column", at + 1, here[at], first.name(), there[at],
                            items, remedy));
  }
}

bool is_fused(const rank_one::Rules& rules, Index mode) {
  return mode == 0 ? rules.sides.rows.is_fused() : rules.sides.columns.is_fused();
}

void check(const Dataset& data, const Options& options) {
  const rank_one::Rules rules = rules_of(options);
  for (const Index mode : {Index{0}, Index{1}}) {
    if (data.size() < 2 || !is_fused(rules, mode)) continue;
    check_shared(data, mode,
                 fmt::format("set it to 0 (and --{} to max, if the others are shared)",
                             mode == 0 ? "column-fusion" : "row-fusion"));
  }
  rank_one::check_penalties(data, rules);
  if (rules.sides.rows.dual_gap == 0.0) return;
  for (const Block& block : data.blocks()) {
    if (block.summary().missing == 0) continue;
    throw Error(ErrorCode::input, block.name(),
                fmt::format("{} values are missing; --solver dual takes complete data only: use "
                            "--solver exact",
                            block.summary().missing));
  }
}

// Items that the fit holds together over time are the same new ones at all times.
Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx) {
  const rank_one::Rules rules = rules_of(options);
  if (fresh.size() > 1 && is_fused(rules, mode)) {
    check_shared(fresh, mode, "give every time the same new ones");
  }
  return rank_one::transform(fresh, rules, fitted, mode, ctx);
}

double peak_bytes(const Dataset& data, const Options& options) {
  double items = 0.0, other = 0.0, largest = 0.0;
  const auto k = static_cast<double>(options.integer("clusters"));
  for (const Block& block : data.blocks()) {
    const auto m = static_cast<double>(block.shape()[0]), n = static_cast<double>(block.shape()[1]);
    items += m + n;
    largest = std::max(largest, m + n);
    other += transposed_bytes(block);
  }
  // Iterates that are kept, finished components and their copies, model and its members; Lanczos
  // basis and partial sums; edges between times while the weights are found.
  return 8.0 * items * (84.0 + 24.0 * k) + 8.0 * largest * (88.0 + 2.0 * k) + other;
}

OptionRecord penalty(const char* name, const char* initial, std::vector<std::string> words,
                     const char* help) {
  return {.name = name,
          .type = OptionType::penalties,
          .initial = initial,
          .min = 0,
          .words = std::move(words),
          .help = help,
          .is_single = true};
}

}  // namespace

MethodInfo info() {
  return {
      .name = "evolving",
      .title = "Co-clusters of time-varying matrices: groups that persist, change, appear, vanish",
      .formula =
          "sum_i 0.5||R_i - s_i u_i v_i'||^2 + row_sparsity |s_i u_i| + column_sparsity |s_i "
          "v_i| + row_fusion |s_i+1 u_i+1 - s_i u_i| + column_fusion |s_i+1 v_i+1 - s_i v_i|",
      .reference =
          "Ji, Zhang, Liu: A sparsity-inducing formulation for evolutionary co-clustering. "
          "KDD (2012)",
      .python_class = "EvolvingCoclusters",
      .example = "gingham fit evolving age1.csv age2.csv age3.csv -o out --clusters 5",
      .input = InputKind::series,
      .traits = {.accepts_missing = true, .accepts_sparse = true, .deterministic_start = true},
      .options = {integer_option("clusters", "1", 1, 1e6, "Co-clusters to look for."),
                  penalty("row-sparsity", "auto", {"auto"},
                          "Penalty on rows: a number, a share of the value that removes all rows, "
                          "or auto (BIC)."),
                  penalty("column-sparsity", "auto", {"auto"},
                          "Penalty on columns: a number, a share of the value that removes all, "
                          "or auto (BIC)."),
                  penalty("row-fusion", "0", {"auto", "max"},
                          "Penalty on changes of the rows over time: a number, a share of the "
                          "value that allows none, or max (none at all; auto is the same); above "
                          "0 all times need the same rows."),
                  penalty("column-fusion", "auto", {"auto", "max"},
                          "Penalty on changes of the columns over time: a number, a share of the "
                          "value that allows none, or max (none at all; auto is the same); above "
                          "0 all times need the same columns. With any fusion, auto sparsity or "
                          "missing values the result is a fixed point: each side is the direction "
                          "of its own step's minimiser, the other side's unit vectors fixed, and s "
                          "minimises the objective at the penalties this came to; u and v need "
                          "not."),
                  {.name = "solver",
                   .type = OptionType::choice,
                   .initial = "exact",
                   .words = {"exact", "dual"},
                   .help = "Fused steps directly, or by gradient steps on the dual, whose gaps are "
                           "kept."},
                  {.name = "dual-gap",
                   .type = OptionType::penalties,
                   .initial = "auto",
                   .min = kLeastDualGap,
                   .max = 1,
                   .words = {"auto"},
                   .help = "With --solver dual: the duality gap at which a fused step ends, as a "
                           "share of half its targets' squares where these are above 1 (the "
                           "paper's is 1e-8), or auto, 0.01 tolerance^2 but at most 1e-8; vectors "
                           "are off by up to its root, so a larger one may keep the fit from its "
                           "tolerance.",
                   .is_single = true,
                   .takes_percent = false},
                  mode_penalties_option(
                      "Penalty of rows or of columns in place of its sparsity, as "
                      "rows=nonneg+l1:20% or columns=top:12; 100 % is at the first steps; "
                      "ball, box, ridge, simplex and smooth do not go with vectors of length 1.")},
      .arrays = {{"u_<i>", "rows x components at time i, unit columns"},
                 {"v_<i>", "columns x components at time i, unit columns"},
                 {"s",
                  "times x components: the weights that minimise the objective, penalties "
                  "included; 0 at all times where the whole is better without it"},
                 {"levels",
                  "times x components: u'Rv, the size of the term without shrinkage, at which it "
                  "is taken away before the next is looked for"},
                 {"row_lengths",
                  "times x components: length of the minimiser of the rows' step, whose direction "
                  "u is"},
                 {"column_lengths",
                  "times x components: the same for the columns and v; transform needs them"},
                 {.name = "dual_gaps",
                  .meaning = "iterations x components: duality gap in the last fused step, its "
                             "last value repeated to the "
                             "end; with --solver dual",
                  .is_optional = true}},
      .make = [](const Options& options) -> std::unique_ptr<Method> {
        return std::make_unique<rank_one::RankOne>(rules_of(options));
      },
      .check = check,
      .peak_bytes = peak_bytes,
      .recompute = rank_one::recompute,
      .transform = transform,
      .simulators = {simulator(), group_simulator()}};
}

}  // namespace gingham::methods::evolving
