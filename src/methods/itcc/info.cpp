// Information-theoretic co-clustering (Dhillon, Mallela, Modha 2003): the matrix, divided by its
// sum, is a joint distribution p of a row X and a column Y, and groups X^, Y^ are sought that lose
// little of what each says about the other.
//
//   F = I(X; Y) - I(X^; Y^) = sum_ij p_ij log(p_ij / q_ij),   q_ij = p_gh (p_i / p_g) (p_j / p_h)
//
// with g, h the groups of row i and column j: the divergence of information with margins kept
// (checkerboard/fit.hpp).
#include "gingham/methods/checkerboard/checkerboard.hpp"
#include "gingham/methods/checkerboard/recompute.hpp"

namespace gingham::methods::itcc {
namespace {

constexpr checkerboard::Problem kProblem{.divergence = checkerboard::Divergence::information,
                                         .keeps_margins = true,
                                         .is_distribution = true};

void check(const Dataset& data, const Options&) {
  const Block& block = data.block(0);
  if (block.summary().nonzeros == 0) {
    throw Error(ErrorCode::input, block.name(), "all values are zero: there is no distribution");
  }
}

}  // namespace

MethodInfo info() {
  return {.name = "itcc",
          .title = "Information-theoretic co-clustering of a non-negative matrix as a distribution",
          .formula =
              "I(X;Y) - I(X^;Y^), rows X and columns Y drawn from the matrix over its sum, X^ "
              "and Y^ their groups",
          .reference = "Dhillon, Mallela, Modha: Information-theoretic co-clustering. KDD 2003",
          .python_class = "InformationCoclustering",
          .example = "gingham fit itcc counts.mtx -o out --row-clusters 5 --column-clusters 8",
          .input = InputKind::matrix,
          .traits = {.descent = true,
                     .accepts_sparse = true,
                     .needs_nonnegative = true,
                     .checkerboard = true},
          .options = checkerboard::group_options(),
          .arrays = {{"blocks",
                      "row groups x column groups: block averages; times the numbers of rows and "
                      "columns, over the sum of the data, the distribution of (X^, Y^)"}},
          .make =
              [](const Options& options) {
                return std::make_unique<checkerboard::Checkerboard>(
                    kProblem, checkerboard::row_groups(options),
                    checkerboard::column_groups(options));
              },
          .derive = [](const Dataset& data, const Options&,
                       Context& ctx) { return checkerboard::prepare(data, kProblem, ctx); },
          .check = check,
          .peak_bytes = checkerboard::peak_bytes,
          .recompute =
              [](const Dataset& data, const Options& options, const Model& model) {
                return checkerboard::recompute(kProblem, data, checkerboard::row_groups(options),
                                               checkerboard::column_groups(options), model);
              }};
}

}  // namespace gingham::methods::itcc
