#include <fmt/format.h>

#include <cmath>

#include "gingham/kernels/products.hpp"
#include "gingham/methods/multiview/multiview.hpp"
#include "gingham/methods/multiview/recompute.hpp"
#include "gingham/methods/multiview/simulate.hpp"
#include "gingham/methods/multiview/transform.hpp"
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::multiview {
namespace {

void check_count(const Options& options, const char* name, Index wanted, const char* what) {
  if (!options.given(name)) return;
  const auto given = std::ssize(options.penalties(name));
  if (given == 1 || given == wanted) return;
  throw Error(ErrorCode::usage, fmt::format("--{}", name),
              fmt::format("{} values were given for {} {}: give one value, or one for each", given,
                          wanted, what));
}

// Whole numbers from 1, percentages above 0, or auto.
void check_sizes(const Options& options, const char* name) {
  for (const PenaltyValue& one : options.penalties(name)) {
    const bool is_count = one.kind != PenaltyValue::Kind::number ||
                          (one.number >= 1.0 && one.number == std::floor(one.number));
    const bool is_share = one.kind != PenaltyValue::Kind::percent || one.number > 0.0;
    if (is_count && is_share) continue;
    throw Error(ErrorCode::usage, fmt::format("--{}", name),
                fmt::format("found {}; expected a whole number from 1, a percentage above 0, or "
                            "auto",
                            one.text()));
  }
}

void check(const Dataset& data, const Options& options) {
  check_count(options, "rows", options.integer("clusters"), "clusters");
  check_count(options, "columns", data.size(), "views");
  check_count(options, "weights", data.size(), "views");
  check_sizes(options, "rows");
  check_sizes(options, "columns");
  if (!(options.real("gamma") > 1.0))
    throw Error(ErrorCode::usage, "--gamma", "found 1; expected a number above 1");
  if (!options.given("weights")) return;
  for (const PenaltyValue& one : options.penalties("weights")) {
    if (one.kind == PenaltyValue::Kind::number && one.number > 0.0) continue;
    throw Error(ErrorCode::usage, "--weights",
                fmt::format("found {}; expected numbers above 0", one.text()));
  }
}

double peak_bytes(const Dataset& data, const Options& options) {
  const auto k = static_cast<double>(options.integer("clusters"));
  double total = 0.0;
  for (const Block& block : data.blocks()) {
    const auto n = static_cast<double>(block.shape()[0]), d = static_cast<double>(block.shape()[1]);
    total += 8.0 * (n + d) * (11.0 * k + 90.0);
    total += transposed_bytes(block);
  }
  const auto n = static_cast<double>(data.block(0).shape()[0]);
  return total + 8.0 * n * (10.0 * k + 60.0);
}

}  // namespace

MethodInfo info() {
  return {
      .name = "multiview",
      .title = "Multi-view co-clusters: one grouping of subjects, its features in every view",
      .formula =
          "sum_k w_k ||X_k - diag(omega) u_k v_k'||^2, |omega|_0 <= rows, |v_k|_0 <= columns",
      .reference =
          "Sun, Lu, Xu, Bi: Multi-view sparse co-clustering via proximal alternating "
          "linearized minimization. ICML (2015)",
      .python_class = "MultiviewCoclusters",
      .example = "gingham fit multiview genes.npy symptoms.csv -o out --clusters 3",
      .input = InputKind::views,
      .traits = {.descent = true, .accepts_missing = true, .accepts_sparse = true},
      .options =
          {integer_option("clusters", "3", 1, 1e6, "Co-clusters to look for."),
           {.name = "rows",
            .type = OptionType::penalties,
            .initial = "auto",
            .min = 1,
            .words = {"auto"},
            .help = "Most rows of a co-cluster, one number or one per co-cluster in the order they "
                    "are found: a count, a share of the rows, or auto (the rows that stand out)."},
           {.name = "columns",
            .type = OptionType::penalties,
            .initial = "auto",
            .min = 1,
            .words = {"auto"},
            .help = "Most columns of a co-cluster, one number or one per view: a count, a share of "
                    "the columns, or auto (the fewest that hold 90% of the squared loadings of "
                    "the view's first principal component)."},
           choice_option(
               "solver", "exact", {"exact", "palm"},
               "Each block at its minimum, or a gradient step and the largest entries kept."),
           choice_option(
               "palm", "rescaled", {"rescaled", "literal"},
               "Of --solver palm. literal: Algorithm 1 of the paper, its constants, no refinement, "
               "--sign auto as any. rescaled: the tight constants; before omega's step rows that "
               "are out get their best weights u, and each row's scale moves into omega, then "
               "back."),
           real_option("gamma", "1.01", 1, 1e6,
                       "Of --solver palm, above 1: steps are 1 / (gamma L). Rows and columns stay "
                       "unless others explain more than gamma^2 times as much."),
           choice_option(
               "sign", "auto", {"auto", "one", "any"},
               "Whether the rows of a co-cluster must have the same sign in every view; auto: "
               "for centred scales."),
           choice_option(
               "refine", "yes", {"yes", "no"},
               "Where co-clusters are to cover all rows: move rows to the one that explains "
               "them best, in the end, by exact steps."),
           integer_option("swaps", "10", 0, 1e6,
                          "After refinement: attempts in a row, without success, to replace a "
                          "co-cluster by a new one before the run ends."),
           choice_option(
               "next", "exclude", {"exclude", "deflate"},
               "The next co-cluster from the rows that are left, or from what is left of all."),
           views::scale_option(),
           {.name = "weights",
            .type = OptionType::penalties,
            .min = 0,
            .help = "Weight of each view's loss, above 0, one number or one per view; 1 where not "
                    "given.",
            .takes_percent = false},
           choice_option("start", "pca", {"pca", "ones", "random"},
                         "Where the columns of a co-cluster begin."),
           integer_option("starts", "1", 1, 1e6,
                          "Starts per co-cluster, the best of which goes on: the first as --start "
                          "says, the others from random rows.")},
      .arrays = {{"omega", "rows x co-clusters: 0 where a row is out"},
                 {"u_<i>", "rows x co-clusters: the rows' weights in view i"},
                 {"v_<i>", "columns x co-clusters: the columns' weights in view i"},
                 {"center_<i>", "columns: what was taken from each column of view i"},
                 {"scale_<i>", "columns: what it was multiplied by then"},
                 {"least_gain", "co-clusters: what the row that fits worst explains"}},
      .make = [](const Options& options) -> std::unique_ptr<Method> {
        return std::make_unique<Multiview>(options);
      },
      .derive = Multiview::derive,
      .derived_from = {"scale", "weights"},
      .check = check,
      .peak_bytes = peak_bytes,
      .recompute = recompute,
      .transform = transform,
      .simulators = {simulator()}};
}

}  // namespace gingham::methods::multiview
