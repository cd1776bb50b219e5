#include "gingham/methods/coregularized/coregularized.hpp"
#include "gingham/methods/coregularized/recompute.hpp"
#include "gingham/methods/views/plain.hpp"

namespace gingham::methods::coregularized {
namespace {

Matrix joint_embedding(const Dataset& data, const Options& options, const Model& model) {
  const Index n = data.block(0).shape()[0];
  if (options.text("form") == "centroid") return find_matrix(model, "centroid", n, -1);
  std::vector<Matrix> all;
  for (Index v = 0; v < data.size(); ++v)
    all.push_back(find_matrix(model, "embedding_" + std::to_string(v), n, -1));
  return kernel_views::side_by_side(all);
}

}  // namespace

MethodInfo info() {
  MethodInfo info = kernel_views::spectral_info(
      {.normalizes_kernels = true,
       .options = {{.name = "form",
                    .type = OptionType::choice,
                    .initial = "pairwise",
                    .words = {"pairwise", "centroid"},
                    .help = "What the views' embeddings are drawn to: each other (pairwise), or a "
                            "common one (centroid)."},
                   real_option("lambda", "0.01", 0, 1e6,
                               "How much disagreement between the views' embeddings costs.")},
       .recompute_objective = recompute_objective,
       .joint_embedding = joint_embedding});
  info.name = "coregularized";
  info.title = "Co-regularised spectral clustering: embeddings of the views drawn to each other";
  info.formula =
      "sum_v tr Uv'(I - Lv)Uv + lambda sum_(v<w) (k - ||Uv'Uw||^2), then k-means on [U1 ... Um]";
  info.reference = "Kumar, Rai, Daume: Co-regularized multi-view spectral clustering. NIPS 2011";
  info.python_class = "CoregularizedClustering";
  info.example = "gingham fit coregularized pixels.npy fourier.npy -o out --clusters 10";
  info.traits.descent = true;
  info.arrays.insert(
      info.arrays.end() - 1,
      {"centroid", "rows x clusters: the common embedding, with --form centroid", true});
  info.make = [](const Options& options) { return std::make_unique<Coregularized>(options); };
  return info;
}

}  // namespace gingham::methods::coregularized
