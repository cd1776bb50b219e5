// Sparse singular value decomposition (Lee, Shen, Huang, Marron 2010): rank-one terms of one
// matrix, columns first, with adaptive weights |z|^-g.
#include "gingham/kernels/products.hpp"
#include "gingham/methods/rank_one/named_penalty.hpp"
#include "gingham/methods/rank_one/rank_one.hpp"
#include "gingham/methods/rank_one/recompute.hpp"
#include "gingham/methods/rank_one/transform.hpp"
#include "gingham/methods/ssvd/simulate.hpp"

namespace gingham::methods::ssvd {
namespace {

rank_one::Rules rules_of(const Options& options) {
  rank_one::Rules rules;
  rules.options = options;
  const double exponent = options.real("adaptive");
  rules.sides.rows = {options.penalty("row-sparsity"), {}, exponent};
  rules.sides.columns = {options.penalty("column-sparsity"), {}, exponent};
  rules.columns_first = true;
  rules.n_components = options.integer("clusters");
  rank_one::make_room_for_penalties(rules);
  return rules;
}

}  // namespace

MethodInfo info() {
  const std::vector<std::string> words{"auto"};
  return {
      .name = "ssvd",
      .title = "Sparse singular value decomposition: co-clusters one after the other",
      .formula =
          "0.5||R - s u v'||^2 + row_sparsity sum w|s u| + column_sparsity sum w|s v|, |u| = "
          "|v| = 1",
      .reference =
          "Lee, Shen, Huang, Marron: Biclustering via sparse singular value decomposition. "
          "Biometrics 66 (2010)",
      .python_class = "SparseSVD",
      .example = "gingham fit ssvd expression.csv -o out --clusters 3",
      .input = InputKind::matrix,
      .traits = {.accepts_missing = true, .accepts_sparse = true, .deterministic_start = true},
      .options = {integer_option("clusters", "1", 1, 1e6, "Co-clusters to look for."),
                  {.name = "row-sparsity",
                   .type = OptionType::penalties,
                   .initial = "auto",
                   .min = 0,
                   .words = words,
                   .help = "Penalty on rows: a number, a share of the value that removes all "
                           "rows, or auto (BIC).",
                   .is_single = true},
                  {.name = "column-sparsity",
                   .type = OptionType::penalties,
                   .initial = "auto",
                   .min = 0,
                   .words = words,
                   .help = "Penalty on columns: a number, a share of the value that removes "
                           "all, or auto (BIC).",
                   .is_single = true},
                  real_option(
                      "adaptive", "2", 0, 16,
                      "Exponent g of the weights |z|^-g that spare large entries; 0 for "
                      "plain shrinkage. With g above 0, auto sparsity or missing values the "
                      "result is a fixed point: u and v are the directions of their own "
                      "steps' minimisers, the other fixed, and s minimises the objective at "
                      "the penalties this came to; u and v need not."),
                  mode_penalties_option(
                      "Penalty of rows or of columns in place of its sparsity, as "
                      "rows=nonneg+l1:20% or columns=top:12; 100 % is at the first steps; "
                      "ball, box, ridge, simplex and smooth do not go with vectors of length 1.")},
      .arrays = {{"u", "rows x components, unit columns"},
                 {"v", "columns x components, unit columns"},
                 {"s",
                  "per component: the weight that minimises the objective, penalties included; 0 "
                  "where the whole is better without it"},
                 {"levels",
                  "per component: u'Rv, the size of the term without shrinkage, at which it is "
                  "taken away before the next is looked for"},
                 {"row_lengths",
                  "per component: length of the minimiser of the rows' step, whose direction u is"},
                 {"column_lengths",
                  "per component: the same for the columns and v; transform needs them"}},
      .make = [](const Options& options) -> std::unique_ptr<Method> {
        return std::make_unique<rank_one::RankOne>(rules_of(options));
      },
      .check = [](const Dataset& data,
                  const Options& options) { rank_one::check_penalties(data, rules_of(options)); },
      .peak_bytes =
          [](const Dataset& data, const Options& options) {
            const Block& block = data.block(0);
            const auto m = static_cast<double>(block.shape()[0]),
                       n = static_cast<double>(block.shape()[1]);
            const auto k = static_cast<double>(options.integer("clusters"));
            // Lanczos basis, cycle history, finished components and their copies, model; a
            // sparse matrix's other orientation.
            return 8.0 * (m + n) * (72.0 + 16.0 * k) + 16.0 * n + transposed_bytes(block);
          },
      .recompute = rank_one::recompute,
      .transform =
          [](const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
             Context& ctx) {
            return rank_one::transform(fresh, rules_of(options), fitted, mode, ctx);
          },
      .simulators = {simulator()}};
}

}  // namespace gingham::methods::ssvd
