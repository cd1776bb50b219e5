#include "gingham/methods/sparse_coding/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/methods/sparse_coding/evaluate.hpp"

namespace gingham::methods::sparse_coding {

std::vector<OptionRecord> with_common(std::vector<OptionRecord> own) {
  std::vector<OptionRecord> all{
      integer_option("atoms", "256", 1, 1e6, "Atoms of the dictionary."),
      {.name = "lambda",
       .type = OptionType::penalties,
       .initial = "auto",
       .min = 0,
       .words = {"auto"},
       .help = "Weight of the codes' sizes; auto: 1.2 / sqrt(length of a sample); 100% leaves no "
               "code at the start.",
       .is_single = true},
      integer_option("epochs", "5", 1, 1e6, "Visits of every sample.")};
  all.insert(all.end(), own.begin(), own.end());
  all.push_back(matrix_option("init", "patches", {"patches", "random", "kmeans"},
                              "First atoms: random samples, random directions, centres of groups, "
                              "or a file (length x atoms)."));
  all.push_back(
      choice_option("samples", "rows", {"rows", "columns"}, "What a sample is in the input."));
  all.push_back(
      choice_option("normalize", "yes", {"yes", "no"},
                    "Make each sample zero-mean and unit-norm; constant ones are dropped."));
  return all;
}

OptionRecord batch_option(std::string initial, std::vector<std::string> words, std::string help) {
  return {.name = "batch",
          .type = OptionType::penalties,
          .initial = std::move(initial),
          .min = 1,
          .max = 1e6,
          .words = std::move(words),
          .help = std::move(help),
          .is_single = true,
          .takes_percent = false};
}

std::vector<ArrayInfo> common_arrays() {
  return {{"dictionary", "length of a sample x atoms: an atom per column, of length 1 at most"},
          {"codes", "samples x atoms, sparse: codes.npz opens with scipy.sparse.load_npz"},
          {"usage", "per atom: samples that use it"},
          {"curvature", "per atom: the sum of its squared codes"}};
}

std::vector<PanelInfo> common_panels() {
  return {{.kind = PanelKind::atoms,
           .array = "dictionary",
           .title = "The atoms",
           .text = "What every sample is put together from, an atom each: clear shapes are "
                   "patterns that come back in the data, and an atom that looks like noise has "
                   "found none."},
          {.kind = PanelKind::usage,
           .array = "usage",
           .title = "How often atoms are used",
           .text = "How many atoms are used by how many samples: many atoms at 0 say that fewer "
                   "would do."},
          {.kind = PanelKind::codes,
           .array = "codes",
           .title = "The codes",
           .text = "How large the weights of the atoms are and how many a sample takes, with "
                   "samples beside what their few atoms make of them: the fewer atoms and the "
                   "more alike the two, the better the dictionary."}};
}

std::optional<Index> asked_batch(const Options& options) {
  const PenaltyValue& batch = options.penalty("batch");
  if (batch.kind == PenaltyValue::Kind::word) return std::nullopt;
  if (batch.number == std::floor(batch.number)) return static_cast<Index>(batch.number);
  throw Error(ErrorCode::usage, "--batch",
              fmt::format("found {}; expected a whole number of samples", batch.text()));
}

void check(const Dataset& data, const Options& options) {
  asked_batch(options);
  const Samples samples(data.block(0), options);
  const Matrix* const first = options.is_attached("init") ? options.matrix("init") : nullptr;
  const Index p = samples.length(), m = options.integer("atoms");
  if (first == nullptr || (first->rows() == p && first->cols() == m)) return;
  throw Error(
      ErrorCode::input, "--init",
      fmt::format("has shape {} x {}; expected {} x {}: the length of a sample times --atoms",
                  first->rows(), first->cols(), p, m));
}

namespace {

// What does not depend on the data; nothing for a percentage.
std::optional<double> plain_lambda(const PenaltyValue& asked, Index length) {
  if (asked.is("auto")) return 1.2 / std::sqrt(static_cast<double>(length));
  if (asked.kind == PenaltyValue::Kind::number) return asked.number;
  return std::nullopt;
}

}  // namespace

double fitted_lambda(const Options& options, const Model& fitted, Index length) {
  if (const auto plain = plain_lambda(options.penalty("lambda"), length)) return *plain;
  for (const UsedValues& used : fitted.used) {
    if (used.option == "lambda" && !used.values.empty()) return used.values[0];
  }
  throw Error(ErrorCode::input, "lambda", "the value that the fit used is missing");
}

UsedValues resolved_lambda(const Samples& samples, const Options& options,
                           const Matrix& first_atoms, Context& ctx) {
  const PenaltyValue& asked = options.penalty("lambda");
  if (const auto plain = plain_lambda(asked, samples.length())) return {"lambda", {*plain}};
  constexpr double kAbove = 1.0 + 1e-12;  // so that rounding leaves nothing at 100 %
  constexpr Index kTile = 32, kTiles = 256;
  const auto atoms = ready<double>(first_atoms, ctx.executor());
  std::vector<double> most(static_cast<std::size_t>(kTiles), 0.0);
  for (Index from = 0; from < samples.count(); from += kTile * kTiles) {
    ctx.check_stop();
    const Index end = std::min(samples.count(), from + kTile * kTiles);
    ctx.executor().map((end - from + kTile - 1) / kTile, [&](Index tile) {
      const Index first = from + tile * kTile, n = std::min(kTile, end - first);
      std::vector<double> rows(static_cast<std::size_t>(n * atoms.stride()));
      std::vector<double> products(static_cast<std::size_t>(n * atoms.width()));
      std::vector<char> is_kept(static_cast<std::size_t>(n));
      samples.read(first, n, atoms.stride(), rows.data(), is_kept.data());
      atoms.products(rows.data(), n, products.data());
      for (const double value : products) most[tile] = std::max(most[tile], std::abs(value));
    });
  }
  const double whole = *std::max_element(most.begin(), most.end()) * kAbove;
  return {"lambda", {asked.resolve(whole)}, {whole}};
}

double peak_bytes(const Dataset& data, const Options& options, Index batch, double value_bytes) {
  const Samples samples(data.block(0), options);
  const auto n = static_cast<double>(samples.count()), p = static_cast<double>(samples.length());
  const auto m = static_cast<double>(options.integer("atoms"));
  const Chunks chunks(samples.count(), samples.length(), batch);
  const double used = std::min({m, 0.25 * p + 8.0});  // atoms of a sample, on average
  const double codes = n * (used * (4.0 + value_bytes) + 8.0);
  const double result = n * (used * 12.0 + 8.0) + 40.0 * n;  // as a matrix; strongest atoms
  const double pool = static_cast<double>(chunks.pool_rows()) *
                      ((p + 16.0) * (value_bytes + 8.0) + used * (4.0 + value_bytes) + 32.0);
  const double dictionary = m * (p + 32.0) * 8.0;
  constexpr double kThreads = 64.0;
  return codes + result + pool + 14.0 * dictionary + kThreads * 64.0 * (m + p) * 8.0 +
         4.0 * static_cast<double>(batch) * (p + 16.0) * value_bytes;
}

bool streams(const Options& options) { return !are_columns(options); }

}  // namespace gingham::methods::sparse_coding
