#include "gingham/methods/nonnegative/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/methods/nonnegative/recompute.hpp"

namespace gingham::methods::nonnegative {
namespace {

const std::vector<std::string> kModes{"rows", "columns"};

}  // namespace

std::vector<OptionRecord> with_common(std::vector<OptionRecord> own) {
  std::vector<OptionRecord> all{
      {.name = "rank",
       .type = OptionType::penalties,
       .initial = "10",
       .min = 1,
       .max = 1e6,
       .words = {"auto"},
       .help = "Components; auto: as many as predict held-out cells best.",
       .is_single = true,
       .takes_percent = false},
      integer_option("max-rank", "20", 1, 1e6, "The highest rank that --rank auto looks at.")};
  all.insert(all.end(), own.begin(), own.end());
  all.push_back(choice_option("start", "nndsvd", {"nndsvd", "random"},
                              "Where the first restart begins; the others begin at random."));
  all.push_back(
      integer_option("restarts", "5", 1, 1e6,
                     "Runs from different starts; the one with the lowest objective is kept."));
  all.push_back(allow_negative_option());
  return all;
}

OptionRecord alpha_option(const std::string& factor) {
  return {
      .name = "alpha",
      .type = OptionType::penalties,
      .initial = "auto",
      .min = 0,
      .words = {"auto"},
      .help = fmt::format("Weight of the squares of {}; auto: none, but its columns have length "
                          "1 at most.",
                          factor),
      .is_single = true,
      .takes_percent = false};
}

std::vector<ArrayInfo> common_arrays() {
  return {{"W", "rows x components"},
          {"H", "components x columns"},
          {"rank_curve", "ranks x 3: rank, mean error of held-out cells, standard error", true},
          {"rank_errors", "ranks x 5: the error of each of five choices of held-out cells", true}};
}

std::vector<PanelInfo> common_panels() {
  return {{.kind = PanelKind::curve,
           .array = "rank_curve",
           .title = "How many components",
           .text = "Error in cells that were held out, by the number of components, with one "
                   "standard error: the kept number is the smallest one whose error lies within "
                   "one standard error of the lowest."}};
}

void set_scale_rule(const Options& options, SideRules& rules) {
  const PenaltyValue& alpha = options.penalty("alpha");
  rules.is_in_ball = alpha.is("auto");
  EntryRule rule = kNonneg;
  rule.ridge = rules.is_in_ball ? 0.0 : 2.0 * alpha.number;
  rules.penalty = std::make_shared<Separable>(rule);
}

void set_asked(const Dataset& data, const Options& options, Problem& problem) {
  const Shape& shape = data.block(0).shape();
  problem.asked = ModePenalties(options, kModes, {shape[0], shape[1]});
  Rules& rules = problem.rules;
  bool is_asked = false;
  for (int side = 0; side < 2; ++side) {
    if (!problem.asked.is_asked(side)) continue;
    is_asked = true;
    rules.sides[side].is_in_ball = false;
    const PenaltyRequest& request = *asked_penalty(options, kModes[static_cast<std::size_t>(side)]);
    const std::vector<double> ones(static_cast<std::size_t>(request.n_weights()), 1.0);
    rules.sides[side].penalty =
        request.make(request.numbers(ones),
                     penalty_groups(options, kModes[static_cast<std::size_t>(side)], shape[side]));
  }
  if (!is_asked) return;
  rules.free_side = rules.sides[0].has_cost() && !rules.sides[1].has_cost() ? 1 : 0;
  SideRules &free = rules.sides[rules.free_side], &paying = rules.sides[1 - rules.free_side];
  if (paying.has_cost() && !free.has_cost() && !free.is_bounded()) free.is_in_ball = true;
  // Columns that cost nothing would grow while those of the other factor, which all pay, shrink.
  for (int side = 0; side < 2; ++side) {
    SideRules& own = rules.sides[side];
    if (!problem.asked.is_asked(side) || !own.charges_some()) continue;
    if (!rules.sides[1 - side].charges_all()) continue;
    own.holds_length = true;
    own.set_penalty(own.penalty);
  }
}

SideRules asked_of_new(const Options& options, const Model& fitted, Index mode, SideRules rules) {
  std::shared_ptr<const Penalty> asked =
      fitted_penalty(options, fitted, kModes[static_cast<std::size_t>(mode)]);
  if (asked == nullptr) return rules;
  rules.is_in_ball = false;
  rules.penalty = std::move(asked);
  return rules;
}

std::string penalty_word(const Options& options) {
  return options.mode_penalties("penalty").empty() ? options.text("penalty") : "";
}

void check_asked(const Dataset& data, const Options& options, const std::vector<std::string>& own) {
  const Shape& shape = data.block(0).shape();
  check_mode_penalties(options, kModes, {shape[0], shape[1]}, own);
  if (options.mode_penalties("penalty").empty()) return;
  const auto refuse = [](const std::string& message) {
    throw Error(ErrorCode::usage, "--penalty", message);
  };
  Problem problem;
  set_asked(data, options, problem);
  const auto& sides = problem.rules.sides;
  for (int side = 0; side < 2; ++side) {
    const std::string& mode = kModes[static_cast<std::size_t>(side)];
    const PenaltyTraits traits = sides[side].penalty->traits();
    if (!traits.is_nonnegative)
      refuse(fmt::format("the factors are at least 0; type {}=nonneg+...", mode));
    if (sides[side].charges_some() && sides[1 - side].charges_some())
      refuse(
          "both factors have a penalty under which some columns cost nothing (fused, smooth, or "
          "groups without some items): nothing holds the scale; add l1 to one of them");
    if (traits.is_bounded && traits.has_weight && !sides[side].holds_length)
      refuse(
          fmt::format("a weight on {}, whose entries are bounded, would be undone by the other "
                      "factor growing; leave out the bound or the weight",
                      mode));
    const std::string& solver = options.text("solver");
    if (!traits.is_convex && (solver == "bpp" || solver == "matrix"))
      refuse(
          fmt::format("--solver {} takes convex penalties only; that of {} is not", solver, mode));
  }
  if (sides[0].penalty->traits().is_bounded && sides[1].penalty->traits().is_bounded)
    refuse("both factors are bounded: nothing can carry the size of the data; bound one of them");
}

void check_rank(const Dataset& data, const Options& options) {
  constexpr Index kAlways = 100;  // components that even the smallest data may be asked for
  const PenaltyValue& rank = options.penalty("rank");
  if (rank.is("auto")) return;
  const Shape& shape = data.block(0).shape();
  const Index most = std::max(kAlways, shape[0] + shape[1]);
  const bool is_whole = rank.number == std::floor(rank.number);
  if (is_whole && rank.number <= static_cast<double>(most)) return;
  throw Error(
      ErrorCode::usage, "--rank",
      fmt::format("found {}; expected a whole number from 1 to {}, or auto", rank.text(), most));
}

void check_scales(const Options& options, bool has_penalty) {
  const PenaltyValue& alpha = options.penalty("alpha");
  if (alpha.is("auto")) return;
  if (alpha.number > 0.0 && !has_penalty) {
    throw Error(ErrorCode::usage, "--alpha",
                "a penalty on one factor alone has no minimum: that factor shrinks, the other "
                "grows, and the product stays; give --beta above 0, or --alpha auto");
  }
  if (!(alpha.number > 0.0) && has_penalty) {
    throw Error(
        ErrorCode::usage, "--alpha",
        "with --alpha 0 the penalty of --beta has no minimum: the penalised factor shrinks, "
        "the other grows, and the product stays; give a number above 0, or auto");
  }
}

namespace {

double peak_bytes(const Dataset& data, const Options& options) {
  const Block& block = data.block(0);
  const auto m = static_cast<double>(block.shape()[0]), n = static_cast<double>(block.shape()[1]);
  const double k = static_cast<double>(asked_rank(options).value_or(options.integer("max-rank")));
  // Factors and products of two restarts, the panels of one side, factors in double beside those
  // in single precision; the report's copies.
  double total = 8.0 * (m + n) * (16.0 * k + 80.0) + 8.0 * 40.0 * k * k;
  if (options.text("precision") == "float") total += Observed::single_bytes(block);
  if (!asked_rank(options))
    total += Observed::held_out_bytes(block, RankSearch::most_held_out(m * n));
  const bool has_missing_blocks = options.has("missing-groups") && options.given("missing-groups");
  return total + Observed::bytes(block, has_missing_blocks);
}

// Factors, their products, and what the penalties of groups keep per item.
double restart_bytes(const Dataset& data, const Options& options) {
  const Shape& shape = data.block(0).shape();
  const auto items = static_cast<double>(shape[0] + shape[1]);
  const double k = static_cast<double>(asked_rank(options).value_or(options.integer("max-rank")));
  return 8.0 * items * (6.0 * k + 8.0) + 8.0 * 16.0 * k * k;
}

}  // namespace

MethodInfo with_core(MethodInfo own, MakeProblem make_problem) {
  own.input = InputKind::matrix;
  own.traits = {.descent = true,
                .accepts_missing = true,
                .accepts_sparse = true,
                .needs_nonnegative = true,
                .accepts_float = true};
  own.make = [](const Options& options) -> std::unique_ptr<Method> {
    return std::make_unique<Factorization>(options);
  };
  own.derive = [=](const Dataset& data, const Options& options, Context& ctx) -> Derived {
    return std::make_shared<Given>(make_problem(data, options), data.block(0), ctx.executor());
  };
  for (const OptionRecord& record : own.options) own.derived_from.push_back(record.name);
  own.peak_bytes = peak_bytes;
  own.race = {.bytes = restart_bytes};
  own.recompute = [=](const Dataset& data, const Options& options, const Model& model) {
    return recompute(data, options, model, make_problem(data, options));
  };
  return own;
}

}  // namespace gingham::methods::nonnegative
