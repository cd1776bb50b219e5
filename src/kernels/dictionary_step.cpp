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

// d += rate sum_k values[k] r_k, in the ball; `change` gets by how much, and has room for as much
// again.
template <class T>
GINGHAM_INLINE void move(T* atom, Index stride, const T* residuals, const std::int32_t* samples,
                         const T* values, Index n, T rate, T* change) {
  T* const gradient = change + stride;
  weighted_sum(residuals, stride, samples, values, n, gradient);
  std::copy_n(atom, stride, change);
  add_multiple(rate, gradient, atom, stride);
  project(atom, stride);
  for (Index t = 0; t < stride; t += kWide<T>) wide(change + t) = wide(atom + t) - wide(change + t);
}

GINGHAM_MULTIARCH void move_atom(float* atom, Index stride, const float* residuals,
                                 const std::int32_t* samples, const float* values, Index n,
                                 float rate, float* change) {
  move(atom, stride, residuals, samples, values, n, rate, change);
}
GINGHAM_MULTIARCH void move_atom(double* atom, Index stride, const double* residuals,
                                 const std::int32_t* samples, const double* values, Index n,
                                 double rate, double* change) {
  move(atom, stride, residuals, samples, values, n, rate, change);
}

// r_k -= values[k] change
template <class T>
GINGHAM_INLINE void follow(const T* change, Index stride, const std::int32_t* samples,
                           const T* values, Index n, T* residuals) {
  for (Index k = 0; k < n; ++k)
    add_multiple(-values[k], change, residuals + samples[k] * stride, stride);
}
GINGHAM_MULTIARCH void follow_atom(const float* change, Index stride, const std::int32_t* samples,
                                   const float* values, Index n, float* residuals) {
  follow(change, stride, samples, values, n, residuals);
}
GINGHAM_MULTIARCH void follow_atom(const double* change, Index stride, const std::int32_t* samples,
                                   const double* values, Index n, double* residuals) {
  follow(change, stride, samples, values, n, residuals);
}

// |R_1 + ... + R_G - (G - 1) R|^2 over some rows: what is left when all groups have moved; and
// |R|^2.
template <class T>
GINGHAM_INLINE void squares_of(const T* const* parts, Index n_parts, const T* common, Index stride,
                               Index from, Index to, double* left, double* before) {
  const T factor = static_cast<T>(1 - n_parts);
  for (Index i = from; i < to; ++i) {
    Wide<T> after = {}, at_first = {};
    for (Index t = i * stride; t < (i + 1) * stride; t += kWide<T>) {
      Wide<T> value = wide(common + t) * factor;
      for (Index g = 0; g < n_parts; ++g) value += wide(parts[g] + t);
      after += value * value;
      at_first += wide(common + t) * wide(common + t);
    }
    *left += lanes::total<T>(after);
    *before += lanes::total<T>(at_first);
  }
}
GINGHAM_MULTIARCH void joint_squares(const float* const* parts, Index n_parts, const float* common,
                                     Index stride, Index from, Index to, double* left,
                                     double* before) {
  squares_of(parts, n_parts, common, stride, from, to, left, before);
}
GINGHAM_MULTIARCH void joint_squares(const double* const* parts, Index n_parts,
                                     const double* common, Index stride, Index from, Index to,
                                     double* left, double* before) {
  squares_of(parts, n_parts, common, stride, from, to, left, before);
}

template <class T>
bool has_risen(const std::vector<std::vector<T>>& groups, const T* common, Index n_samples,
               Index stride, Executor& executor) {
  std::vector<const T*> parts;
  for (const std::vector<T>& one : groups) parts.push_back(one.data());
  std::vector<double> squares(2, 0.0);  // left, before
  const Partition blocks = Partition::even(n_samples, (std::ssize(parts) + 1) * stride);
  sum_blocks(executor, blocks.count(), std::span<double>(squares),
             [&](Index block, std::span<double> partial) {
               joint_squares(parts.data(), std::ssize(parts), common, stride, blocks.begin(block),
                             blocks.end(block), &partial[0], &partial[1]);
             });
  return !(squares[0] <= squares[1]);
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
bool step_in_turn(Atoms<T>& atoms, const BatchUse<T>& use, const T* residuals, Index n_samples,
                  Index n_groups, std::vector<double>& curvature, StepScratch<T>& scratch,
                  Executor& executor) {
  const Index stride = atoms.stride(), m = atoms.count(), size = n_samples * stride;
  T* const rows = atoms.row(0);
  if (n_groups > 1) scratch.atoms.assign(rows, rows + m * stride);
  scratch.residuals.resize(static_cast<std::size_t>(n_groups));
  executor.map(n_groups, [&](Index group) {
    std::vector<T>& own = scratch.residuals[group];
    own.assign(residuals, residuals + size);
    std::vector<T> room(static_cast<std::size_t>(2 * stride));
    for (Index j = group; j < m; j += n_groups) {
      const Index begin = use.begin(j), n = use.end(j) - begin;
      if (n == 0) continue;
      for (Index k = begin; k < begin + n; ++k)
        curvature[j] += static_cast<double>(use.values()[k]) * use.values()[k];
      const double rate = curvature[j] > 0.0 ? 1.0 / curvature[j] : 0.0;
      const std::int32_t* const samples = use.samples() + begin;
      const T* const values = use.values() + begin;
      move_atom(rows + j * stride, stride, own.data(), samples, values, n, static_cast<T>(rate),
                room.data());
      follow_atom(room.data(), stride, samples, values, n, own.data());
    }
  });
  if (n_groups == 1 || !has_risen(scratch.residuals, residuals, n_samples, stride, executor))
    return true;
  for (Index t = 0; t < m * stride; ++t)
    rows[t] = scratch.atoms[t] + (rows[t] - scratch.atoms[t]) / static_cast<T>(n_groups);
  return false;
}

template <class T>
void step_at_once(Atoms<T>& atoms, const BatchUse<T>& use, const T* residuals,
                  const std::vector<double>& rates, Executor& executor) {
  const Index stride = atoms.stride();
  const Partition blocks = Partition::even(atoms.count(), 8 * stride);
  T* const rows = atoms.row(0);
  executor.map(blocks.count(), [&](Index block) {
    std::vector<T> room(static_cast<std::size_t>(2 * stride));
    for (Index j = blocks.begin(block); j < blocks.end(block); ++j) {
      const Index begin = use.begin(j), n = use.end(j) - begin;
      if (n == 0) continue;
      move_atom(rows + j * stride, stride, residuals, use.samples() + begin, use.values() + begin,
                n, static_cast<T>(rates[j]), room.data());
    }
  });
}

template <class T>
void step_for_one(Atoms<T>& atoms, const std::vector<std::int32_t>& support,
                  const std::vector<T>& values, const T* residual,
                  const std::vector<double>& rates) {
  std::vector<T> room(static_cast<std::size_t>(2 * atoms.stride()));
  const std::int32_t first = 0;
  for (std::size_t k = 0; k < support.size(); ++k) {
    move_atom(atoms.row(support[k]), atoms.stride(), residual, &first, &values[k], 1,
              static_cast<T>(rates[k]), room.data());
    atoms.measure(support[k]);
  }
}

#define GINGHAM_STEPS(T)                                                                          \
  template class BatchUse<T>;                                                                     \
  template bool step_in_turn(Atoms<T>&, const BatchUse<T>&, const T*, Index, Index,               \
                             std::vector<double>&, StepScratch<T>&, Executor&);                   \
  template void step_at_once(Atoms<T>&, const BatchUse<T>&, const T*, const std::vector<double>&, \
                             Executor&);                                                          \
  template void step_for_one(Atoms<T>&, const std::vector<std::int32_t>&, const std::vector<T>&,  \
                             const T*, const std::vector<double>&);
GINGHAM_STEPS(float)
GINGHAM_STEPS(double)
#undef GINGHAM_STEPS

}  // namespace gingham
