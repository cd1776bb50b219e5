// Bregman co-clustering (Banerjee, Dhillon, Ghosh, Merugu, Modha 2007): groups of rows and columns
// such that the matrix is close to the best approximation that keeps the averages of the blocks
// (their basis C2), or of blocks, rows and columns (C5); checkerboard/fit.hpp has the formulas.
#include "gingham/engine/check.hpp"
#include "gingham/methods/checkerboard/checkerboard.hpp"
#include "gingham/methods/checkerboard/recompute.hpp"
#include "gingham/methods/checkerboard/simulate.hpp"

namespace gingham::methods::bregman {
namespace {

using checkerboard::Divergence;
using checkerboard::Problem;

Problem problem_of(const Options& options) {
  const bool euclidean = options.text("divergence") == "euclidean";
  return {.divergence = euclidean ? Divergence::squares : Divergence::information,
          .keeps_margins = options.text("scheme") == "margins"};
}

void check(const Dataset& data, const Options& options) {
  const Block& block = data.block(0);
  const Problem problem = problem_of(options);
  checkerboard::require_values(block);
  if (problem.keeps_margins && block.has_missing()) {
    throw Error(ErrorCode::input, block.name(),
                "has missing values; --scheme margins takes complete data only: fill or drop them, "
                "or use --scheme blocks");
  }
  if (problem.divergence == Divergence::squares) return;
  require_nonnegative(block,
                      "--divergence i-divergence needs it; shift or clip the data, or use "
                      "--divergence euclidean");
  if (problem.keeps_margins && block.summary().nonzeros == 0) {
    throw Error(ErrorCode::input, block.name(),
                "all values are zero: there are no margins to keep; use --scheme blocks");
  }
}

std::vector<OptionRecord> options() {
  std::vector<OptionRecord> all = checkerboard::group_options();
  all.push_back({.name = "divergence",
                 .type = OptionType::choice,
                 .initial = "euclidean",
                 .words = {"euclidean", "i-divergence"},
                 .help = "Distance of x from its fit f: (x - f)^2, or x log(x/f) - x + f for data "
                         "of at least 0."});
  all.push_back({.name = "scheme",
                 .type = OptionType::choice,
                 .initial = "blocks",
                 .words = {"blocks", "margins"},
                 .help = "What the fit keeps: blocks, the average of every block (C2; euclidean: "
                         "sum-squared residue x - block mean), or margins, those of rows and "
                         "columns too (C5; i-divergence: as itcc)."});
  return all;
}

}  // namespace

MethodInfo info() {
  return {
      .name = "bregman",
      .title = "Bregman co-clustering: rows and columns in groups, blocks near their averages",
      .formula = "sum_ij d(x_ij, f_ij), f the best fit that keeps block averages",
      .reference =
          "Banerjee, Dhillon, Ghosh, Merugu, Modha: A generalized maximum entropy approach to "
          "Bregman co-clustering and matrix approximation. JMLR 8 (2007)",
      .python_class = "BregmanCoclustering",
      .example = "gingham fit bregman table.csv -o out --row-clusters 4 --column-clusters 3",
      .input = InputKind::matrix,
      .traits = {.descent = true,
                 .accepts_missing = true,
                 .accepts_sparse = true,
                 .checkerboard = true},
      .options = options(),
      .arrays = {{"blocks", "row groups x column groups: block averages"}},
      .make =
          [](const Options& options) {
            return std::make_unique<checkerboard::Checkerboard>(
                problem_of(options), checkerboard::row_groups(options),
                checkerboard::column_groups(options));
          },
      .derive = [](const Dataset& data, const Options& options,
                   Context& ctx) { return checkerboard::prepare(data, problem_of(options), ctx); },
      .derived_from = {"divergence", "scheme"},
      .check = check,
      .peak_bytes = checkerboard::peak_bytes,
      .recompute =
          [](const Dataset& data, const Options& options, const Model& model) {
            return checkerboard::recompute(problem_of(options), data,
                                           checkerboard::row_groups(options),
                                           checkerboard::column_groups(options), model);
          },
      .simulators = {checkerboard::simulator()}};
}

}  // namespace gingham::methods::bregman
