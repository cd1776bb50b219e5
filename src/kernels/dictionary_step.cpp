#include "gingham/kernels/dictionary_step.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/padded_rows.hpp"

namespace gingham {
namespace {

using padded::add_multiple;
using padded::dot;
using padded::kWide;
using padded::wide;
using padded::Wide;

// sum = sum_k values[k] * (row samples[k] of residuals): four vectors at a time stay in registers.
template <class T>
GINGHAM_INLINE void weighted_sum(const T* residuals, Index stride, const std::int32_t* samples,
                                 const T* values, Index n, T* sum) {
  constexpr int kVectors = 4;
  constexpr Index kW = kWide<T>;
  Index t = 0;
  for (; t + kVectors * kW <= stride; t += kVectors * kW) {
    Wide<T> part[kVectors] = {};
    for (Index k = 0; k < n; ++k) {
      const T* const row = residuals + samples[k] * stride + t;
      GINGHAM_UNROLL
      for (int v = 0; v < kVectors; ++v) part[v] += wide(row + v * kW) * values[k];
    }
    GINGHAM_UNROLL
    for (int v = 0; v < kVectors; ++v) wide(sum + t + v * kW) = part[v];
  }
  for (; t < stride; t += kW) {
    Wide<T> part = {};
    for (Index k = 0; k < n; ++k) part += wide(residuals + samples[k] * stride + t) * values[k];
    wide(sum + t) = part;
  }
}

// Back into the unit ball.
template <class T>
GINGHAM_INLINE void project(T* atom, Index stride) {
  const T squares = dot(atom, atom, stride);
  if (!(squares > T{1})) return;
  const T factor = T{1} / std::sqrt(squares);
  for (Index t = 0; t < stride; t += kWide<T>) wide(atom + t) *= factor;
}

// d += rate sum_k values[k] r_k, in the ball; scratch gets d - (d before).
template <class T>
GINGHAM_INLINE void move(T* atom, Index stride, T* residuals, const std::int32_t* samples,
                         const T* values, Index n, T rate, T* scratch, bool with_residuals) {
  weighted_sum(residuals, stride, samples, values, n, scratch);
  T* const before = scratch + stride;
  std::copy_n(atom, stride, before);
  add_multiple(rate, scratch, atom, stride);
  project(atom, stride);
  if (!with_residuals) return;
  for (Index t = 0; t < stride; t += kWide<T>) wide(before + t) = wide(atom + t) - wide(before + t);
  for (Index k = 0; k < n; ++k)
    add_multiple(-values[k], before, residuals + samples[k] * stride, stride);
}

GINGHAM_MULTIARCH void move_atom(float* atom, Index stride, float* residuals,
                                 const std::int32_t* samples, const float* values, Index n,
                                 float rate, float* scratch, bool with_residuals) {
  move(atom, stride, residuals, samples, values, n, rate, scratch, with_residuals);
}
GINGHAM_MULTIARCH void move_atom(double* atom, Index stride, double* residuals,
                                 const std::int32_t* samples, const double* values, Index n,
                                 double rate, double* scratch, bool with_residuals) {
  move(atom, stride, residuals, samples, values, n, rate, scratch, with_residuals);
}

template <class T>
void move_one(Atoms<T>& atoms, Index j, const BatchUse<T>& use, T* residuals, double rate,
              T* scratch, bool with_residuals) {
  const Index begin = use.begin(j);
  move_atom(atoms.row(j), atoms.stride(), residuals, use.samples() + begin, use.values() + begin,
            use.end(j) - begin, static_cast<T>(rate), scratch, with_residuals);
}

// A group's own residuals start from the common ones; the last group uses these themselves up.
template <class T>
GINGHAM_INLINE double squares_of(const T* const* parts, Index n_parts, const T* common, Index from,
                                 Index to) {
  double total = 0.0;
  for (Index t = from; t < to; ++t) {
    T value = -static_cast<T>(n_parts - 1) * common[t];
    for (Index g = 0; g < n_parts; ++g) value += parts[g][t];
    total += static_cast<double>(value) * value;
  }
  return total;
}
GINGHAM_MULTIARCH double joint_squares(const float* const* parts, Index n_parts,
                                       const float* common, Index from, Index to) {
  return squares_of(parts, n_parts, common, from, to);
}
GINGHAM_MULTIARCH double joint_squares(const double* const* parts, Index n_parts,
                                       const double* common, Index from, Index to) {
  return squares_of(parts, n_parts, common, from, to);
}

// |R_1 + ... + R_G - (G - 1) R|^2: what is left when all groups have moved.
template <class T>
double squares_left(const std::vector<const T*>& parts, const T* common, Index size,
                    Executor& executor) {
  const Partition blocks = Partition::even(size, static_cast<Index>(parts.size()) + 1);
  return sum_blocks(executor, blocks.count(), [&](Index block) {
    return joint_squares(parts.data(), static_cast<Index>(parts.size()), common,
                         blocks.begin(block), blocks.end(block));
  });
}

}  // namespace

template <class T>
BatchUse<T>::BatchUse(const CodeList<T>* codes, Index n_lists, Index n_atoms)
    : starts_(static_cast<std::size_t>(n_atoms) + 1, 0) {
  for (Index l = 0; l < n_lists; ++l) {
    for (const std::int32_t atom : codes[l].atoms) ++starts_[atom + 1];
  }
  for (Index j = 0; j < n_atoms; ++j) starts_[j + 1] += starts_[j];
  samples_.resize(static_cast<std::size_t>(starts_[n_atoms]));
  values_.resize(samples_.size());
  std::vector<Index> next(starts_.begin(), starts_.end() - 1);
  std::int32_t sample = 0;
  for (Index l = 0; l < n_lists; ++l) {
    for (Index i = 0; i < codes[l].count(); ++i, ++sample) {
      const CodeView<T> code = codes[l].code(i);
      for (Index k = 0; k < code.size; ++k) {
        const Index at = next[code.atoms[k]]++;
        samples_[at] = sample;
        values_[at] = code.values[k];
      }
    }
  }
}

template <class T>
void step_in_turn(Atoms<T>& atoms, const BatchUse<T>& use, Array<T>& residuals, Index n_samples,
                  Index n_groups, std::vector<double>& curvature, Executor& executor) {
  const Index stride = atoms.stride(), m = atoms.count(), size = n_samples * stride;
  std::vector<Array<T>> own(static_cast<std::size_t>(n_groups));
  Atoms<T> before = n_groups > 1 ? atoms : Atoms<T>();
  T* const rows = atoms.row(0);
  const T* const common = std::as_const(residuals).data();
  executor.map(n_groups, [&](Index group) {
    own[group] = Array<T>(size);
    T* const r = own[group].data();
    std::copy_n(common, size, r);
    std::vector<T> scratch(static_cast<std::size_t>(2 * stride));
    for (Index j = group; j < m; j += n_groups) {
      if (use.begin(j) == use.end(j)) continue;
      for (Index k = use.begin(j); k < use.end(j); ++k)
        curvature[j] += static_cast<double>(use.values()[k]) * use.values()[k];
      const double rate = curvature[j] > 0.0 ? 1.0 / curvature[j] : 0.0;
      move_atom(rows + j * stride, stride, r, use.samples() + use.begin(j),
                use.values() + use.begin(j), use.end(j) - use.begin(j), static_cast<T>(rate),
                scratch.data(), true);
    }
  });
  if (n_groups == 1) return;
  std::vector<const T*> parts;
  for (const Array<T>& one : own) parts.push_back(std::as_const(one).data());
  const double after = squares_left(parts, common, size, executor);
  const double at_first = squares_left<T>({common}, common, size, executor);
  if (after <= at_first) return;
  for (Index j = 0; j < m; ++j) {
    const T* const old = std::as_const(before).row(j);
    for (Index t = 0; t < stride; ++t) {
      T& value = rows[j * stride + t];
      value = old[t] + (value - old[t]) / static_cast<T>(n_groups);
    }
  }
}

template <class T>
void step_at_once(Atoms<T>& atoms, const BatchUse<T>& use, const T* residuals,
                  const std::vector<double>& rates, Executor& executor) {
  const Index stride = atoms.stride();
  const Partition blocks = Partition::even(atoms.count(), 8 * stride);
  atoms.row(0);  // what is borrowed is copied here, not by several threads
  executor.map(blocks.count(), [&](Index block) {
    std::vector<T> scratch(static_cast<std::size_t>(2 * stride));
    for (Index j = blocks.begin(block); j < blocks.end(block); ++j) {
      if (use.begin(j) == use.end(j)) continue;
      // The residuals stay as they are.
      move_one(atoms, j, use, const_cast<T*>(residuals), rates[j], scratch.data(), false);
    }
  });
}

template <class T>
void step_for_one(Atoms<T>& atoms, const std::vector<std::int32_t>& support,
                  const std::vector<T>& values, const T* residual,
                  const std::vector<double>& rates) {
  std::vector<T> scratch(static_cast<std::size_t>(2 * atoms.stride()));
  const std::int32_t first = 0;
  for (std::size_t k = 0; k < support.size(); ++k) {
    move_atom(atoms.row(support[k]), atoms.stride(), const_cast<T*>(residual), &first, &values[k],
              1, static_cast<T>(rates[k]), scratch.data(), false);
    atoms.measure(support[k]);
  }
}

#define GINGHAM_STEPS(T)                                                                          \
  template class BatchUse<T>;                                                                     \
  template void step_in_turn(Atoms<T>&, const BatchUse<T>&, Array<T>&, Index, Index,              \
                             std::vector<double>&, Executor&);                                    \
  template void step_at_once(Atoms<T>&, const BatchUse<T>&, const T*, const std::vector<double>&, \
                             Executor&);                                                          \
  template void step_for_one(Atoms<T>&, const std::vector<std::int32_t>&, const std::vector<T>&,  \
                             const T*, const std::vector<double>&);
GINGHAM_STEPS(float)
GINGHAM_STEPS(double)
#undef GINGHAM_STEPS

}  // namespace gingham
