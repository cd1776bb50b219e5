#include "gingham/methods/online_dictionary/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/dictionary_step.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/sparse_coding/evaluate.hpp"

namespace gingham::methods::online_dictionary {
namespace {

constexpr Index kGroup = 64;        // atoms whose products with A are taken at once
constexpr Index kRowsPerTask = 16;  // of these
// An atom with a smaller share of the largest A_jj counts as unused: what is known of it is lost in
// the rounding of the others.
constexpr double kLeastUse = 1e-14;

Vec part_of(double* from, Index n) { return {from, static_cast<std::size_t>(n)}; }

}  // namespace

Statistics::Statistics(const Atoms<double>& atoms)
    : a_(atoms.count(), atoms.count()), b_(atoms.count(), atoms.stride()) {}

bool Statistics::fits(const Atoms<double>& atoms) const {
  return a_.rows() == atoms.count() && a_.cols() == atoms.count() && b_.rows() == atoms.count() &&
         b_.cols() == atoms.stride();
}

void Statistics::add(double beta, std::span<const CodeList<double>> codes, const double* rows,
                     Executor& executor) {
  const Index m = a_.rows(), stride = b_.cols();
  const BatchUse<double> use(codes.data(), static_cast<Index>(codes.size()), m);
  std::vector<CodeView<double>> by_sample;
  for (const CodeList<double>& list : codes) {
    for (Index i = 0; i < list.count(); ++i) by_sample.push_back(list.code(i));
  }
  double *const a = a_.data(), *const b = b_.data();
  const Partition blocks = Partition::even(m, m + stride);
  executor.map(blocks.count(), [&](Index block) {
    for (Index j = blocks.begin(block); j < blocks.end(block); ++j) {
      scale(beta, part_of(a + j * m, m));
      scale(beta, part_of(b + j * stride, stride));
      for (Index k = use.begin(j); k < use.end(j); ++k) {
        const Index sample = use.samples()[k];
        const double z = use.values()[k];
        const CodeView<double>& code = by_sample[sample];
        for (Index e = 0; e < code.size; ++e) a[j * m + code.atoms[e]] += z * code.values[e];
        axpy(z, {rows + sample * stride, static_cast<std::size_t>(stride)},
             part_of(b + j * stride, stride));
      }
    }
  });
}

// For a group of atoms at once, A D is a matrix product; what the atoms of the group do to each
// other is added as they move.
void Statistics::improve(Atoms<double>& atoms, Executor& executor) const {
  const BlasSingleThread single;
  const Index m = atoms.count(), stride = atoms.stride();
  double most = 0.0;
  for (Index j = 0; j < m; ++j) most = std::max(most, a_(j, j));
  Matrix pull(kGroup, stride);
  std::vector<double> step(static_cast<std::size_t>(stride)), b(step.size());
  double* const to = pull.data();
  for (Index first = 0; first < m; first += kGroup) {
    const Index n = std::min(kGroup, m - first);
    executor.map((n + kRowsPerTask - 1) / kRowsPerTask, [&](Index task) {
      const Index from = task * kRowsPerTask, count = std::min(kRowsPerTask, n - from);
      gemm(Op::none, Op::none, count, stride, m, 1.0, a_.row(first + from).data(), m,
           std::as_const(atoms).row(0), stride, 0.0, to + from * stride, stride);
    });
    for (Index j = first; j < first + n; ++j) {
      const double weight = a_(j, j);
      if (!(weight > kLeastUse * most) || !std::isfinite(weight)) continue;
      const Vec atom = part_of(atoms.row(j), stride);
      std::copy(atom.begin(), atom.end(), step.begin());
      for (Index t = 0; t < stride; ++t) b[t] = weight * atom[t] + (b_(j, t) - pull(j - first, t));
      sparse_coding::best_atom(b, weight, atom);
      for (Index t = 0; t < stride; ++t) step[t] = atom[t] - step[t];
      for (Index i = j + 1; i < first + n; ++i) axpy(a_(i, j), step, pull.row(i - first));
    }
  }
}

}  // namespace gingham::methods::online_dictionary
