#include "gingham/methods/sparse_coding/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::sparse_coding {

Matrix as_rows(const Matrix& dictionary) {
  Matrix turned(dictionary.cols(), dictionary.rows());
  for (Index i = 0; i < dictionary.rows(); ++i) {
    for (Index j = 0; j < dictionary.cols(); ++j) turned(j, i) = dictionary(i, j);
  }
  return turned;
}

SparseMatrix code_matrix(const Chunks& chunks, Index n_atoms, const CodesOfChunk& codes_of) {
  const Index n = chunks.n_samples();
  Array<Index> pointers(n + 1);
  GrowingArray<std::int32_t> columns;
  GrowingArray<double> values;
  std::vector<std::pair<std::int32_t, double>> sorted;
  Index row = 0;
  for (Index chunk = 0; chunk < chunks.count(); ++chunk) {
    const CodeList<double> codes = codes_of(chunk);
    for (Index i = 0; i < codes.count(); ++i) {
      const CodeView<double> code = codes.code(i);
      sorted.clear();
      for (Index k = 0; k < code.size; ++k) sorted.push_back({code.atoms[k], code.values[k]});
      std::sort(sorted.begin(), sorted.end());
      for (const auto& [atom, value] : sorted) {
        columns.push_back(atom);
        values.push_back(value);
      }
      pointers.data()[++row] = columns.size();
    }
  }
  return SparseMatrix(n, n_atoms, std::move(pointers), columns.finish(), values.finish());
}

Membership strongest_atoms(const char* mode, const SparseMatrix& codes) {
  Membership membership{mode, std::nullopt, codes.rows(), {}};
  // Ordered by atom: counted first, then put in their places.
  std::vector<Index> best(static_cast<std::size_t>(codes.rows()), -1);
  std::vector<Index> next(static_cast<std::size_t>(codes.cols()) + 1, 0);
  for (Index i = 0; i < codes.rows(); ++i) {
    for (Index k = codes.pointers()[i]; k < codes.pointers()[i + 1]; ++k) {
      if (best[i] < 0 || std::abs(codes.values()[k]) > std::abs(codes.values()[best[i]]))
        best[i] = k;
    }
    if (best[i] >= 0) ++next[codes.columns()[best[i]] + 1];
  }
  for (std::size_t j = 1; j < next.size(); ++j) next[j] += next[j - 1];
  membership.members.resize(static_cast<std::size_t>(next.back()));
  for (Index i = 0; i < codes.rows(); ++i) {
    if (best[i] < 0) continue;
    const Index atom = codes.columns()[best[i]];
    membership.members[next[atom]++] = {atom, i, codes.values()[best[i]]};
  }
  return membership;
}

std::string dropped_note(Index n_dropped, Index n_samples) {
  return fmt::format("{} of {} samples are constant; they were dropped and have no code", n_dropped,
                     n_samples);
}

Model make_model(const Samples& samples, const Chunks& chunks, const Matrix& atoms,
                 const Evaluation& evaluation, const CodesOfChunk& codes_of) {
  const Index m = atoms.rows();
  Model model;
  SparseMatrix codes = code_matrix(chunks, m, codes_of);
  std::vector<double> usage(static_cast<std::size_t>(m), 0.0), size = usage;
  for (Index k = 0; k < codes.entries(); ++k) {
    const Index j = codes.columns()[k];
    const double z = codes.values()[k];
    usage[j] += 1.0;
    size[j] += std::abs(z);
  }
  const double count = static_cast<double>(std::max<Index>(evaluation.n, 1));
  const double all = 2.0 * evaluation.half_squares;
  for (Index j = 0; j < m; ++j) {
    model.components.push_back({size[j] / count, share_lost(evaluation.lost[j], all)});
  }
  model.explained = share_explained(2.0 * evaluation.loss, all);
  model.measures = {{"samples", static_cast<double>(evaluation.n)},
                    {"nonzeros_per_sample", static_cast<double>(codes.entries()) / count}};
  const Index n_dropped = samples.count() - evaluation.n;
  if (n_dropped > 0) model.notes.push_back(dropped_note(n_dropped, samples.count()));
  if (codes.entries() == 0 && evaluation.n > 0)
    model.notes.push_back("all codes are zero: --lambda is too large for these data");
  const auto n_unused = std::count(usage.begin(), usage.end(), 0.0);
  if (n_unused > 0 && codes.entries() > 0)
    model.notes.push_back(fmt::format("{} of {} atoms are used by no sample", n_unused, m));
  model.memberships = {strongest_atoms(samples.mode(), codes)};
  model.arrays.push_back({"dictionary", as_columns(atoms)});
  model.arrays.push_back({"codes", std::move(codes)});
  model.arrays.push_back({"usage", std::move(usage)});
  model.arrays.push_back({"curvature", evaluation.curvature});
  return model;
}

}  // namespace gingham::methods::sparse_coding
