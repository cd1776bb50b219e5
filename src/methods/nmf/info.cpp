#include "gingham/methods/nonnegative/settings.hpp"
#include "gingham/methods/nonnegative/transform.hpp"

namespace gingham::methods::nmf {
namespace {

using nonnegative::Problem;

OptionRecord with_default(OptionRecord record, std::string initial) {
  record.initial = std::move(initial);
  return record;
}

// --penalty frobenius or l1: what H pays, W in the unit ball or with --alpha.
Problem named_problem(const Options& options) {
  Problem problem;
  problem.rules.whole_factors = options.text("solver") == "bpp";
  const std::string word = nonnegative::penalty_word(options);
  if (word == "none" || word.empty()) return problem;
  nonnegative::set_scale_rule(options, problem.rules.sides[0]);
  const double beta = options.real("beta");
  if (word == "frobenius") {
    EntryRule rule = nonnegative::kNonneg;
    rule.ridge = 2.0 * beta;
    problem.rules.sides[1].penalty = std::make_shared<Separable>(rule);
  } else {
    problem.rules.sides[1].cross = beta;
  }
  return problem;
}

Problem problem_of(const Dataset& data, const Options& options) {
  Problem problem = named_problem(options);
  nonnegative::set_asked(data, options, problem);
  return problem;
}

void check(const Dataset& data, const Options& options) {
  nonnegative::check_rank(data, options);
  nonnegative::check_asked(data, options, {});
  const std::string word = nonnegative::penalty_word(options);
  if (word == "frobenius" || word == "l1")
    return nonnegative::check_scales(options, options.real("beta") > 0.0);
  if (!options.penalty("alpha").is("auto"))
    throw Error(ErrorCode::usage, "--alpha",
                word == "none" ? "has no effect with --penalty none; choose a penalty"
                               : "goes with --penalty frobenius or l1; add rows=nonneg+ridge:2 to "
                                 "--penalty instead");
}

Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx) {
  return nonnegative::transform(
      fresh, fitted, mode,
      nonnegative::asked_of_new(options, fitted, mode, named_problem(options).rules.sides[mode]),
      ctx);
}

}  // namespace

MethodInfo info() {
  return nonnegative::with_core(
      {.name = "nmf",
       .title = "Non-negative matrix factorisation: parts that add up",
       .formula =
           "1/2 ||X - W H||^2 + alpha ||W||^2 + beta (||H||^2 or sum_j ||h_j||_1^2), W, H >= 0",
       .reference =
           "Kim, Park: Fast nonnegative matrix factorization: an active-set-like method and "
           "comparisons. SIAM J. Sci. Comput. 33 (2011); columns: Cichocki, Phan: Fast local "
           "algorithms for large scale nonnegative matrix and tensor factorizations. IEICE Trans. "
           "E92-A (2009)",
       .python_class = "NMF",
       .example = "gingham fit nmf counts.mtx -o out --rank 10",
       .options = nonnegative::with_common(
           {with_default(
                mode_penalties_option(
                    "What the factors pay: MODE=PENALTY for rows and columns; or none, frobenius "
                    "(the squares of H), l1 (the squared sum of each column of H).",
                    {"none", "frobenius", "l1"}),
                "none"),
            nonnegative::alpha_option("W"),
            real_option("beta", "0.1", 0, 1e300,
                        "Weight of --penalty frobenius or l1; not used otherwise."),
            choice_option("solver", "hals", {"hals", "bpp"},
                          "Column by column, or whole factors by block principal pivoting.")}),
       .arrays = nonnegative::common_arrays(),
       .panels = nonnegative::common_panels(),
       .check = check,
       .transform = transform},
      problem_of);
}

}  // namespace gingham::methods::nmf
