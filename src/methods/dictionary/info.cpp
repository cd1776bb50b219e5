#include "gingham/methods/dictionary/dictionary.hpp"
#include "gingham/methods/dictionary/simulate.hpp"
#include "gingham/methods/dictionary/simulate_embryos.hpp"
#include "gingham/methods/sparse_coding/recompute.hpp"
#include "gingham/methods/sparse_coding/settings.hpp"
#include "gingham/methods/sparse_coding/transform.hpp"

namespace gingham::methods::dictionary {
namespace {

bool is_single(const Options& options) { return options.text("precision") == "float"; }

std::unique_ptr<Method> make(const Options& options) {
  if (is_single(options)) return std::make_unique<Dictionary<float>>(options);
  return std::make_unique<Dictionary<double>>(options);
}

void check(const Dataset& data, const Options& options) {
  parse_rate(options.text("learning-rate"));
  sparse_coding::check(data, options);
}

double peak_bytes(const Dataset& data, const Options& options) {
  const sparse_coding::Samples samples(data.block(0), options);
  return sparse_coding::peak_bytes(data, options, batch_of(options, samples.count()),
                                   is_single(options) ? 4.0 : 8.0);
}

}  // namespace

MethodInfo info() {
  return {
      .name = "dictionary",
      .title = "Sparse coding: a dictionary and sparse codes by stochastic coordinate coding",
      .formula = "(1/n) sum_i 1/2 ||x_i - D z_i||^2 + lambda ||z_i||_1, ||d_j|| <= 1",
      .reference =
          "Lin, Li, Sun, Lai, Davidson, Fan, Ye: Stochastic coordinate coding and its "
          "application for Drosophila gene expression pattern annotation. KDD 2014",
      .python_class = "DictionaryLearning",
      .example = "gingham fit dictionary patches.npy -o out --atoms 500",
      .input = InputKind::matrix,
      .traits = {.accepts_sparse = true, .accepts_float = true},
      .options = sparse_coding::with_common(
          {integer_option("steps", "3", 1, 1e6,
                          "Passes of coordinate descent per visit; the first finds the support."),
           sparse_coding::batch_option(
               "auto", {"auto"},
               "Samples coded with the same dictionary; 1 is the paper's algorithm, auto up to "
               "1024."),
           sparse_coding::coding_option(),
           {.name = "learning-rate",
            .initial = "adaptive",
            .help = "Steps of the atoms: adaptive, adaptive:d (what is left of old curvatures each "
                    "time), paper, or natural:a,b."},
           choice_option("precision", "float", {"double", "float"},
                         "Arithmetic the method works in.")}),
      .arrays = sparse_coding::common_arrays(),
      .panels = sparse_coding::common_panels(),
      .make = make,
      .streams = sparse_coding::streams,
      .check = check,
      .peak_bytes = peak_bytes,
      .recompute = sparse_coding::recompute,
      .transform = sparse_coding::transform,
      .simulators = {simulator(), embryo_simulator()}};
}

}  // namespace gingham::methods::dictionary
