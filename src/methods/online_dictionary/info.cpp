#include "gingham/kernels/lasso.hpp"
#include "gingham/methods/online_dictionary/online_dictionary.hpp"
#include "gingham/methods/sparse_coding/recompute.hpp"
#include "gingham/methods/sparse_coding/settings.hpp"
#include "gingham/methods/sparse_coding/transform.hpp"

namespace gingham::methods::online_dictionary {
namespace {

double peak_bytes(const Dataset& data, const Options& options) {
  const sparse_coding::Samples samples(data.block(0), options);
  const Index m = options.integer("atoms"), p = samples.length();
  const Index batch = sparse_coding::asked_batch(options).value_or(1);
  const auto n_atoms = static_cast<double>(m), length = static_cast<double>(p + 8);
  constexpr double kThreads = 64.0;
  // One tile per thread, but no more tiles than batches have.
  const double n_tiles =
      std::min(kThreads, 1.0 + static_cast<double>(std::max<Index>(batch, 2048) / 64));
  const double sums = 8.0 * n_atoms * (n_atoms + 3.0 * length);
  return sparse_coding::peak_bytes(data, options, batch, 8.0) + sums +
         n_tiles * lasso_tile_bytes(m, p);
}

}  // namespace

MethodInfo info() {
  return {
      .name = "online-dictionary",
      .title = "Sparse coding: online dictionary learning with exact codes",
      .formula = "(1/n) sum_i 1/2 ||x_i - D z_i||^2 + lambda ||z_i||_1, ||d_j|| <= 1",
      .reference =
          "Mairal, Bach, Ponce, Sapiro: Online dictionary learning for sparse coding. ICML 2009",
      .python_class = "OnlineDictionaryLearning",
      .example = "gingham fit online-dictionary patches.npy -o out --atoms 500",
      .input = InputKind::matrix,
      .traits = {.accepts_sparse = true},
      .options = sparse_coding::with_common({sparse_coding::batch_option(
          "512", {}, "Samples that are coded with the same dictionary.")}),
      .arrays = sparse_coding::common_arrays(),
      .panels = sparse_coding::common_panels(),
      .make = [](const Options& options) { return std::make_unique<OnlineDictionary>(options); },
      .streams = sparse_coding::streams,
      .check = sparse_coding::check,
      .peak_bytes = peak_bytes,
      .recompute = sparse_coding::recompute,
      .transform = sparse_coding::transform};
}

}  // namespace gingham::methods::online_dictionary
