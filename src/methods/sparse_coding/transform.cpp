#include "gingham/methods/sparse_coding/transform.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gingham/kernels/lasso.hpp"
#include "gingham/kernels/padded_rows.hpp"
#include "gingham/methods/sparse_coding/model.hpp"
#include "gingham/methods/sparse_coding/settings.hpp"

namespace gingham::methods::sparse_coding {
namespace {

// Codes of a chunk, and sums over its samples.
struct Coded {
  CodeList<double> codes;
  Index n = 0;  // not dropped
  double loss = 0.0, size = 0.0, gap = 0.0, half_squares = 0.0;
  double largest_gap = 0.0;  // relative, of a sample
};

// The samples of a chunk that are kept, padded, one after the other.
template <class T>
struct Kept {
  std::vector<T> rows;
  std::vector<char> is_kept;
  Index n = 0;

  Kept(const Samples& samples, Index first, Index count, Index stride)
      : rows(static_cast<std::size_t>(count * stride)), is_kept(static_cast<std::size_t>(count)) {
    samples.read(first, count, stride, rows.data(), is_kept.data());
    for (Index i = 0; i < count; ++i) {
      if (is_kept[i] == 0) continue;
      if (n < i) std::copy_n(rows.data() + i * stride, stride, rows.data() + n * stride);
      ++n;
    }
  }
};

Coded exact_codes(const Samples& samples, const Chunks& chunks, Index chunk,
                  const Atoms<double>& atoms, const LassoSettings& settings) {
  const Index first = chunks.begin(chunk), count = chunks.size(chunk);
  const Kept<double> kept(samples, first, count, atoms.stride());
  std::vector<LassoCode> found(static_cast<std::size_t>(kept.n));
  LassoTile(atoms, settings).solve(kept.rows.data(), atoms.stride(), kept.n, found.data());
  Coded coded;
  auto next = found.begin();
  for (Index i = 0; i < count; ++i) {
    if (kept.is_kept[i] == 0) {
      coded.codes.add({});
      continue;
    }
    const LassoCode& code = *next++;
    coded.codes.add({code.atoms.data(), code.values.data(), std::ssize(code.atoms)});
    coded.loss += code.loss;
    coded.size += code.l1;
    if (code.scale > 0.0) coded.largest_gap = std::max(coded.largest_gap, code.gap / code.scale);
  }
  coded.n = kept.n;
  return coded;
}

// In single precision: where a visit ends matters little, how long it takes does.
Coded quick_codes(const Samples& samples, const Chunks& chunks, Index chunk,
                  const Atoms<float>& atoms, const CodingRules<float>& rules) {
  const Index first = chunks.begin(chunk), count = chunks.size(chunk);
  const Index stride = atoms.stride(), tile = TileCoder<float>::kTile;
  Kept<float> kept(samples, first, count, stride);
  TileCoder<float> coder(atoms, rules);
  const std::vector<CodeView<float>> nothing(static_cast<std::size_t>(tile));
  CodeList<float> found;
  Coded coded;
  for (Index from = 0; from < kept.n; from += tile) {
    const Index n = std::min(tile, kept.n - from);
    double half_squares = 0.0;
    for (Index i = from; i < from + n; ++i)
      half_squares += 0.5 * padded::squares(kept.rows.data() + i * stride, stride);
    const CodingSums sums = coder.code(kept.rows.data() + from * stride, n, nothing.data(), found);
    coded.loss += sums.loss;
    coded.size += sums.size;
    coded.half_squares += half_squares;
    // The dual point of no code at all bounds the optimum from below, for the code found as well.
    coded.gap += sums.gap + sums.loss + rules.lambda * sums.size - half_squares;
  }
  Index next = 0;
  for (Index i = 0; i < count; ++i) {
    const CodeView<float> code = kept.is_kept[i] != 0 ? found.code(next++) : CodeView<float>{};
    const std::vector<double> values(code.values, code.values + code.size);
    coded.codes.add({code.atoms, values.data(), code.size});
  }
  coded.n = kept.n;
  return coded;
}

Terms terms_of(const std::vector<Coded>& coded, double lambda) {
  Coded all;
  for (const Coded& one : coded) {
    all.n += one.n;
    all.loss += one.loss;
    all.size += one.size;
    all.gap += one.gap;
    all.half_squares += one.half_squares;
    all.largest_gap = std::max(all.largest_gap, one.largest_gap);
  }
  const double count = static_cast<double>(std::max<Index>(all.n, 1));
  Terms terms;
  terms.loss = all.loss / count;
  terms.penalties = {{"sparsity", lambda * all.size / count}};
  terms.gaps = {{"codes", all.half_squares > 0.0 ? std::max(all.gap, 0.0) / all.half_squares
                                                 : all.largest_gap}};
  return terms;
}

}  // namespace

OptionRecord coding_option() {
  OptionRecord option =
      choice_option("coding", "exact", {"exact", "steps"},
                    "How transform codes new samples: to the tolerance, or with --steps passes.");
  option.is_for_transform = true;
  return option;
}

Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx) {
  const Samples samples(fresh.block(0), options);
  if (mode != samples.axis())
    throw Error(
        ErrorCode::usage, "--axis",
        fmt::format("the samples of this fit are its {}; only these can be coded", samples.mode()));
  const Index p = samples.length(), m = options.integer("atoms");
  const Matrix atoms = as_rows(find_matrix(fitted, "dictionary", p, m));
  const double lambda = fitted_lambda(options, fitted, p);
  const Chunks chunks(samples.count(), p, 1);
  std::vector<Coded> coded(static_cast<std::size_t>(chunks.count()));
  if (options.has("coding") && options.text("coding") == "steps") {
    CodingRules<float> rules;
    rules.lambda = static_cast<float>(lambda);
    rules.steps = options.integer("steps");
    const auto single = ready<float>(atoms, ctx.executor());
    ctx.executor().map(chunks.count(), [&](Index chunk) {
      coded[chunk] = quick_codes(samples, chunks, chunk, single, rules);
    });
  } else {
    const auto packed = ready<double>(atoms, ctx.executor());
    const LassoSettings settings{.lambda = lambda, .tolerance = options.real("tolerance")};
    ctx.executor().map(chunks.count(), [&](Index chunk) {
      coded[chunk] = exact_codes(samples, chunks, chunk, packed, settings);
    });
  }
  Transformed result;
  result.terms = terms_of(coded, lambda);
  Index n_kept = 0;
  for (const Coded& one : coded) n_kept += one.n;
  if (n_kept < samples.count())
    result.notes.push_back(dropped_note(samples.count() - n_kept, samples.count()));
  SparseMatrix codes = code_matrix(chunks, m, [&](Index chunk) { return coded[chunk].codes; });
  result.memberships = {strongest_atoms(samples.mode(), codes)};
  result.arrays.push_back({"codes", std::move(codes)});
  return result;
}

}  // namespace gingham::methods::sparse_coding
