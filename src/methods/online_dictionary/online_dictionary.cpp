#include "gingham/methods/online_dictionary/online_dictionary.hpp"

#include <algorithm>

#include "gingham/kernels/lasso.hpp"
#include "gingham/methods/sparse_coding/settings.hpp"

namespace gingham::methods::online_dictionary {
namespace {

constexpr Index kSamplesPerTask = 2 * LassoTile::kRows;
constexpr double kLeastTolerance = 1e-12;  // what rounding leaves of a gap

CodingSums code_some(LassoTile& tile, const double* rows, Index stride, Index n,
                     const CodeView<double>* begin, CodeList<double>& list) {
  std::vector<LassoCode> codes(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    codes[i].atoms.assign(begin[i].atoms, begin[i].atoms + begin[i].size);
    codes[i].values.assign(begin[i].values, begin[i].values + begin[i].size);
  }
  tile.solve(rows, stride, n, codes.data());
  CodingSums sums;
  for (const LassoCode& code : codes) {
    list.add({code.atoms.data(), code.values.data(), std::ssize(code.atoms)});
    sums.loss += code.loss;
    sums.size += code.l1;
    sums.gap += code.start_gap;
  }
  return sums;
}

}  // namespace

double weight_of_past(Index t, Index batch) {
  const auto n = static_cast<double>(batch), time = static_cast<double>(t);
  const double theta = t < batch ? time * n : n * n + time - n;
  return (theta + 1.0 - n) / (theta + 1.0);
}

OnlineDictionary::OnlineDictionary(const Options& options)
    : Learner(options),
      batch_(sparse_coding::asked_batch(options).value_or(1)),
      tolerance_(std::max(options.real("tolerance"), kLeastTolerance)) {}

void OnlineDictionary::begin_learning() { seen_ = Statistics(atoms()); }

CodingSums OnlineDictionary::code(Batch& batch, Context& ctx) {
  const Index n_tasks = (batch.n + kSamplesPerTask - 1) / kSamplesPerTask;
  const Index stride = atoms().stride();
  const auto first = static_cast<Index>(batch.codes.size());
  batch.codes.resize(static_cast<std::size_t>(first + n_tasks));
  std::vector<CodingSums> sums(static_cast<std::size_t>(n_tasks));
  const double* const rows = std::as_const(batch.rows).data();
  ctx.executor().map(n_tasks, [&](Index task) {
    LassoTile tile(atoms(), {.lambda = lambda(), .tolerance = tolerance_});
    const Index from = task * kSamplesPerTask, n = std::min(kSamplesPerTask, batch.n - from);
    sums[task] = code_some(tile, rows + from * stride, stride, n, batch.begin + from,
                           batch.codes[first + task]);
  });
  CodingSums total;
  for (const CodingSums& one : sums) total += one;
  return total;
}

CodingSums OnlineDictionary::learn(Batch& batch, Context& ctx) {
  const std::size_t first = batch.codes.size();
  const CodingSums sums = code(batch, ctx);
  ctx.phase("dictionary");
  const auto fresh = std::span<const CodeList<double>>(batch.codes).subspan(first);
  seen_.add(weight_of_past(++n_batches_, batch_), fresh, std::as_const(batch.rows).data(),
            ctx.executor());
  seen_.improve(atoms(), ctx.executor());
  atoms().refresh(ctx.executor());
  return sums;
}

void OnlineDictionary::own_state(Archive& ar) {
  ar("seen", seen_)("batches", n_batches_);
  if (!ar.reading()) return;
  if (!seen_.fits(atoms()) || n_batches_ < 0)
    throw Error(ErrorCode::input, "", "saved state: sums do not fit the dictionary");
}

}  // namespace gingham::methods::online_dictionary
