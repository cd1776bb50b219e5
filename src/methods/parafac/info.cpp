#include "gingham/methods/multilinear/asked.hpp"
#include "gingham/methods/multilinear/memory.hpp"
#include "gingham/methods/multilinear/model.hpp"
#include "gingham/methods/multilinear/recompute.hpp"
#include "gingham/methods/multilinear/transform.hpp"
#include "gingham/methods/parafac/parafac.hpp"

namespace gingham::methods::parafac {

MethodInfo info() {
  return {
      .name = "parafac",
      .title = "Non-negative PARAFAC: n-way arrays as sums of outer products",
      .formula = "||X - sum_k w_k a_k o b_k o c_k||^2, a, b, c >= 0",
      .reference =
          "Harshman: Foundations of the PARAFAC procedure. UCLA Working Papers in "
          "Phonetics 16 (1970); steps: Cichocki, Phan: Fast local algorithms for "
          "large scale nonnegative matrix and tensor factorizations. IEICE Trans. "
          "E92-A (2009)",
      .python_class = "Parafac",
      .example = "gingham fit parafac counts.tns -o out --rank 5",
      .input = InputKind::tensor,
      .traits = {.descent = true, .accepts_missing = true, .accepts_sparse = true},
      .options = {integer_option("rank", "10", 1, 1e6, "Terms of the sum."),
                  {.name = "start",
                   .type = OptionType::choice,
                   .initial = "svd",
                   .words = {"svd", "random"},
                   .help = "Where the first restart begins (svd: from singular vectors); the "
                           "others begin from random factors."},
                  mode_penalties_option(
                      "A penalty in place of a >= 0 for a mode: MODE=WORD+WORD..., such as "
                      "mode_2=nonneg+smooth:5%. Where it costs something, modes without one "
                      "have columns of length at most 1."),
                  integer_option("restarts", "5", 1, 1e6,
                                 "Runs from different starts; the one with the lowest "
                                 "objective is kept.")},
      .arrays = {{"mode_<n>", "items of mode n x terms, unit columns; with --penalty as fitted"},
                 {"weights", "terms: the length of each; with --penalty 1, 0 for none"}},
      .make = [](const Options& options) -> std::unique_ptr<Method> {
        return std::make_unique<Parafac>(options);
      },
      .derive = multilinear::derive,
      .check = [](const Dataset& data,
                  const Options& options) { multilinear::check_asked(data.block(0), options); },
      .peak_bytes =
          [](const Dataset& data, const Options& options) {
            return multilinear::peak_bytes(data.block(0), options.integer("rank"),
                                           options.text("start") == "svd",
                                           !options.mode_penalties("penalty").empty());
          },
      .race = {.bytes =
                   [](const Dataset& data, const Options& options) {
                     return multilinear::restart_bytes(data.block(0), options.integer("rank"));
                   }},
      .recompute = multilinear::recompute,
      .transform = multilinear::transform};
}

}  // namespace gingham::methods::parafac
