#include <algorithm>

#include "gingham/kernels/products.hpp"
#include "gingham/methods/mvfl/mvfl.hpp"
#include "gingham/methods/mvfl/recompute.hpp"
#include "gingham/operators/column_gram.hpp"

namespace gingham::methods::mvfl {
namespace {

OptionRecord sparsity(std::string name, std::string help) {
  return {.name = std::move(name),
          .type = OptionType::penalties,
          .initial = "0.5%",
          .min = 0,
          .help = std::move(help),
          .is_single = true};
}

}  // namespace

MethodInfo info() {
  MethodInfo info{
      .name = "mvfl",
      .title =
          "Feature learning: weights of all views' features towards a cluster indicator, few of "
          "them "
          "large",
      .formula =
          "||XW + 1b' - F||^2 + g1 sum_kv ||w_k^v|| + g2 sum_j ||w^j||, F: scaled indicator of a "
          "partition",
      .reference =
          "Wang, Nie, Huang: Multi-view clustering and feature learning via structured sparsity. "
          "ICML 2013",
      .python_class = "MultiviewFeatureLearning",
      .example = "gingham fit mvfl pixels.npy fourier.npy -o out --clusters 10",
      .input = InputKind::views,
      .traits = {.descent = true, .accepts_sparse = true},
      .options = views::grouping_options(),
      .arrays = {{"weights_<i>",
                  "columns of view i x clusters: W, what each feature adds; small, not 0, "
                  "where penalties leave nothing"},
                 {"intercept", "clusters: b"}},
      .make = [](const Options& options) { return std::make_unique<Mvfl>(options); },
      .derive = Mvfl::derive,
      .derived_from = {"scale", "view-sparsity", "feature-sparsity"},
      .peak_bytes =
          [](const Dataset& data, const Options& options) {
            const Index rows = data.block(0).shape()[0];
            const auto n = static_cast<double>(rows);
            const auto k = static_cast<double>(std::min(options.integer("clusters"), rows));
            double d = 0.0, bytes = 0.0;
            for (const Block& block : data.blocks()) {
              d += static_cast<double>(block.shape()[1]);
              bytes += transposed_bytes(block);
            }
            // X^T X and the rows it is made from.
            if (has_column_gram(data)) bytes += 8.0 * d * (d + 512.0);
            // Bases of the start, W and F in several versions, vectors of each column's gradients.
            return bytes + 8.0 * (n + d) * (8.0 * k + 120.0) + 8.0 * k * k +
                   2.0 * views::grouping_bytes(rows, k, options);
          },
      .recompute = recompute};
  // Side by side, a view must not count for its number of columns.
  info.options.push_back(views::scale_option("unit"));
  info.options.push_back(sparsity(
      "view-sparsity",
      "Weight of the group penalty that brings a whole view's weights for a cluster near 0 (not to "
      "0: the norm is smooth there): a number, or a share of twice the largest view's norm."));
  info.options.push_back(sparsity(
      "feature-sparsity",
      "Weight of the row penalty that brings a feature's weights for all clusters near 0 (not "
      "to 0: the norm is smooth there): a number, or a share of twice the largest view's "
      "norm."));
  return info;
}

}  // namespace gingham::methods::mvfl
