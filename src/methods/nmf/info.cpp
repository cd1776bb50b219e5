#include "gingham/methods/nonnegative/settings.hpp"
#include "gingham/methods/nonnegative/transform.hpp"

namespace gingham::methods::nmf {
namespace {

using nonnegative::Problem;

Problem problem_of(const Dataset&, const Options& options) {
  Problem problem;
  problem.rules.whole_factors = options.text("solver") == "bpp";
  const std::string& penalty = options.text("penalty");
  if (penalty == "none") return problem;
  nonnegative::set_scale_rule(options, problem.rules.sides[0]);
  const double beta = options.real("beta");
  (penalty == "frobenius" ? problem.rules.sides[1].ridge : problem.rules.sides[1].cross) = beta;
  return problem;
}

void check(const Dataset& data, const Options& options) {
  nonnegative::check_rank(data, options);
  const bool has_penalty = options.text("penalty") != "none";
  if (has_penalty) return nonnegative::check_scales(options, options.real("beta") > 0.0);
  if (!options.penalty("alpha").is("auto"))
    throw Error(ErrorCode::usage, "--alpha", "has no effect with --penalty none; choose a penalty");
}

Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx) {
  return nonnegative::transform(fresh, fitted, mode, problem_of(fresh, options).rules.sides[mode],
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
           {choice_option("penalty", "none", {"none", "frobenius", "l1"},
                          "What H costs: nothing, its squares, or the squared sum of each column."),
            nonnegative::alpha_option("W"),
            real_option("beta", "0.1", 0, 1e300,
                        "Weight of the penalty on H; not used with --penalty none."),
            choice_option("solver", "hals", {"hals", "bpp"},
                          "Column by column, or whole factors by block principal pivoting.")}),
       .arrays = nonnegative::common_arrays(),
       .panels = nonnegative::common_panels(),
       .check = check,
       .transform = transform},
      problem_of);
}

}  // namespace gingham::methods::nmf
