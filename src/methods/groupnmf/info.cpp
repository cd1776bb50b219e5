#include "gingham/methods/groupnmf/problem.hpp"
#include "gingham/methods/groupnmf/simulate.hpp"
#include "gingham/methods/nonnegative/settings.hpp"
#include "gingham/methods/nonnegative/transform.hpp"

namespace gingham::methods::groupnmf {
namespace {

// --alpha, where it has a number, is what the factor without groups pays.
std::string asked_alpha(const Options& options) {
  return options.penalty("alpha").is("auto") ? "" : "alpha";
}

// --beta is what the factor with groups pays, unless it is 0.
std::string asked_beta(const Options& options) {
  const PenaltyValue& beta = options.penalty("beta");
  return !beta.is("auto") && beta.number == 0.0 ? "" : "beta";
}

void check(const Dataset& data, const Options& options) {
  nonnegative::check_rank(data, options);
  std::vector<std::string> taken{asked_beta(options), asked_alpha(options)};
  if (options.text("axis") != "rows") std::swap(taken[0], taken[1]);
  nonnegative::check_asked(data, options, taken);
  const nonnegative::Problem problem = problem_of(data, options);
  const auto& own = problem.rules.sides[1 - problem.rules.free_side];
  nonnegative::check_scales(options, own.has_group_penalty());
}

std::vector<ArrayInfo> arrays() {
  std::vector<ArrayInfo> all = nonnegative::common_arrays();
  all.push_back({"group_norms", "groups x components: the norm of each group, 0 where it is out"});
  return all;
}

std::vector<PanelInfo> panels() {
  std::vector<PanelInfo> all = nonnegative::common_panels();
  all.insert(all.begin(),
             {.kind = PanelKind::matrix,
              .array = "group_norms",
              .title = "Which group uses which component",
              .text = "The larger the number the more of a component a group uses; where it is 0 "
                      "the group does without, so that a row shows what a group is made of and a "
                      "column which groups share a component.",
              .labels_option = "groups",
              .labels = group_names});
  return all;
}

Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx) {
  Transformed found = nonnegative::transform(
      fresh, fitted, mode,
      nonnegative::asked_of_new(options, fitted, mode, rules_for_new(options, mode)), ctx);
  if (options.given("missing-groups"))
    found.notes.push_back(
        "--missing-groups is about the items of the fit; what was not observed of new ones has to "
        "be missing from their data");
  return found;
}

}  // namespace

MethodInfo info() {
  return nonnegative::with_core(
      {.name = "groupnmf",
       .title = "Non-negative factorisation with group sparsity: which group uses which part",
       .formula = "1/2 ||X - W H||^2 + alpha ||W||^2 + sum_b beta_b ||H^(b)||_{1,q}, W, H >= 0",
       .reference = "Kim, Monteiro, Park: Group sparsity in nonnegative matrix factorization. SIAM "
                    "International Conference on Data Mining (2012)",
       .python_class = "GroupNMF",
       .example = "gingham fit groupnmf expression.npy -o out --rank 5 --groups treatments.txt",
       .options = nonnegative::with_common(
           {lines_option(
                "groups",
                "File whose line j names the groups of column (or row) j: a, or a,b, or a/b "
                "for a group within a group; an empty line for none. Without it all are one "
                "group."),
            choice_option("axis", "columns", {"columns", "rows"}, "What the groups are groups of."),
            choice_option("norm", "2", {"2", "inf"},
                          "What a group pays for a component: its length or its largest entry."),
            nonnegative::alpha_option("the factor without groups"),
            {.name = "beta",
             .type = OptionType::penalties,
             .initial = "10%",
             .min = 0,
             .help =
                 "Weight of the groups' penalty; 100% is where the first update switches all of "
                 "them off.",
             .is_single = true},
            {.name = "free",
             .type = OptionType::text,
             .help = "Groups that pay nothing, separated by commas."},
            lines_option("group-weights",
                         "File of lines 'name factor': what --beta is multiplied by for a group."),
            lines_option("missing-groups",
                         "File whose line i names the groups in which row (or column) i was not "
                         "observed; their cells are missing."),
            mode_penalties_option(
                "What the factor without groups is asked besides: rows=nonneg+smooth:20%."),
            choice_option("solver", "vector", {"vector", "matrix"},
                          "Column by column, or whole factors by accelerated gradient steps.")}),
       .arrays = arrays(),
       .panels = panels(),
       .check = check,
       .transform = transform,
       .simulators = {picture_simulator(), document_simulator(), language_simulator()}},
      problem_of);
}

}  // namespace gingham::methods::groupnmf
