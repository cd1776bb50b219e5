#include "gingham/kernels/coding.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/padded_rows.hpp"

namespace gingham {
namespace {

using padded::add_multiple;
using padded::dot;

// What the loops below know of the atoms.
template <class T>
struct View {
  const T* rows;
  const T* squares;
  const T* inverses;
  Index stride;

  GINGHAM_INLINE const T* row(Index j) const { return rows + j * stride; }
};

template <class T>
View<T> view_of(const Atoms<T>& atoms) {
  return {atoms.row(0), atoms.squares(), atoms.inverses(), atoms.stride()};
}

template <class T>
GINGHAM_INLINE T shrunk(T value, T lambda) {
  return value > lambda ? value - lambda : value < -lambda ? value + lambda : T{0};
}

// The best value of one coordinate, and what it leaves of the residual.
template <class T>
GINGHAM_INLINE void improve(const View<T>& d, T lambda, Index atom, T& z, T* r) {
  const T* const row = d.row(atom);
  const T best = shrunk(dot(row, r, d.stride) + d.squares[atom] * z, lambda) * d.inverses[atom];
  const T change = best - z;
  if (change == T{0}) return;
  z = best;
  add_multiple(-change, row, r, d.stride);
}

// A sample in work: its residual, its list of atoms (first those it began with) and their values.
template <class T>
struct Work {
  T* r;
  std::int32_t* atom;
  T* value;
  Index n_old, n_all;
  T squares;  // of the residual in the end
};

// Correlations in blocks of three vectors, which the width is a multiple of.
template <class T>
constexpr Index kBlock = 3 * lanes::kHalf<T>;

template <class T>
GINGHAM_INLINE T largest_lane(const lanes::Half<T>& v) {
  T part[lanes::kHalf<T>];
  lanes::half(part) = v;
  T most = part[0];
  for (Index lane = 1; lane < lanes::kHalf<T>; ++lane) most = part[lane] > most ? part[lane] : most;
  return most;
}

// The largest |g_j|; most[b] is that of block b.
template <class T>
GINGHAM_INLINE T largest(const T* g, Index n, T* most) {
  using V = lanes::Half<T>;
  constexpr Index kW = lanes::kHalf<T>;
  T result = 0;
  for (Index b = 0; b * kBlock<T> < n; ++b) {
    V block = {};
    GINGHAM_UNROLL
    for (Index v = 0; v < 3; ++v) {
      const V value = lanes::half(g + b * kBlock<T> + v * kW);
      const V size = value < 0 ? -value : value;
      block = size > block ? size : block;
    }
    most[b] = largest_lane<T>(block);
    result = most[b] > result ? most[b] : result;
  }
  return result;
}

// Numbers j with |g_j| > threshold, in order.
template <class T>
GINGHAM_INLINE Index select(const T* g, Index n, const T* most, T threshold, std::int32_t* out) {
  Index found = 0;
  for (Index b = 0; b * kBlock<T> < n; ++b) {
    if (!(most[b] > threshold)) continue;
    for (Index j = b * kBlock<T>; j < (b + 1) * kBlock<T>; ++j) {
      out[found] = static_cast<std::int32_t>(j);
      found += std::abs(g[j]) > threshold ? 1 : 0;
    }
  }
  return found;
}

// The strongest first, the lower atom where they are as strong; at most `most` of them.
template <class T>
Index strongest_first(const T* g, std::int32_t* list, Index n, Index most,
                      std::vector<std::pair<T, std::int32_t>>& sorted) {
  if (n < 2) return n;
  sorted.resize(static_cast<std::size_t>(n));
  for (Index k = 0; k < n; ++k) sorted[k] = {-std::abs(g[list[k]]), list[k]};
  if (n > most) {
    std::nth_element(sorted.begin(), sorted.begin() + most, sorted.end());
    n = most;
  }
  std::sort(sorted.begin(), sorted.begin() + n);
  for (Index k = 0; k < n; ++k) list[k] = sorted[k].second;
  return n;
}

// A few samples in turn: one's arithmetic hides the waiting of the other's.
constexpr Index kAtATime = 4;

// First pass: the atoms that are new, with `with_old` the others too.
template <class T>
GINGHAM_INLINE void first_pass(const View<T>& d, T lambda, Work<T>* work, Index n, bool with_old) {
  for (Index k = 0, busy = n; busy > 0; ++k) {
    busy = 0;
    for (Index s = 0; s < n; ++s) {
      const Index at = work[s].n_old + k;
      if (at >= work[s].n_all) continue;
      ++busy;
      improve(d, lambda, work[s].atom[at], work[s].value[at], work[s].r);
    }
  }
  for (Index s = 0; s < n && with_old; ++s) {
    for (Index k = 0; k < work[s].n_old; ++k)
      improve(d, lambda, work[s].atom[k], work[s].value[k], work[s].r);
  }
}

template <class T>
GINGHAM_INLINE void drop_zeros(Work<T>& work) {
  Index kept = 0;
  for (Index k = 0; k < work.n_all; ++k) {
    if (work.value[k] == T{0}) continue;
    work.atom[kept] = work.atom[k];
    work.value[kept++] = work.value[k];
  }
  work.n_all = kept;
}

template <class T>
GINGHAM_INLINE void code_some(const View<T>& d, T lambda, Index steps, Work<T>* work, Index n) {
  first_pass(d, lambda, work, n, steps == 1);
  for (Index s = 0; s < n; ++s) drop_zeros(work[s]);
  for (Index pass = 1; pass < steps; ++pass) {
    for (Index k = 0, busy = n; busy > 0; ++k) {
      busy = 0;
      for (Index s = 0; s < n; ++s) {
        if (k >= work[s].n_all) continue;
        ++busy;
        improve(d, lambda, work[s].atom[k], work[s].value[k], work[s].r);
      }
    }
  }
  for (Index s = 0; s < n; ++s) {
    drop_zeros(work[s]);
    work[s].squares = dot(work[s].r, work[s].r, d.stride);
  }
}

GINGHAM_MULTIARCH void descend(const View<float>& d, float lambda, Index steps, Work<float>* work,
                               Index n) {
  for (Index s = 0; s < n; s += kAtATime)
    code_some(d, lambda, steps, work + s, std::min(kAtATime, n - s));
}
GINGHAM_MULTIARCH void descend(const View<double>& d, double lambda, Index steps,
                               Work<double>* work, Index n) {
  for (Index s = 0; s < n; s += kAtATime)
    code_some(d, lambda, steps, work + s, std::min(kAtATime, n - s));
}

// r = x - D z
template <class T>
GINGHAM_INLINE void subtract(const View<T>& d, const CodeView<T>& code, T* r) {
  for (Index k = 0; k < code.size; ++k)
    add_multiple(-code.values[k], d.row(code.atoms[k]), r, d.stride);
}
GINGHAM_MULTIARCH void subtract_code(const View<float>& d, const CodeView<float>& code, float* r) {
  subtract(d, code, r);
}
GINGHAM_MULTIARCH void subtract_code(const View<double>& d, const CodeView<double>& code,
                                     double* r) {
  subtract(d, code, r);
}

// What correlations say of a sample: the duality gap of its present code, and which further atoms
// to look at. Returns how many were written to `list`.
template <class T>
GINGHAM_INLINE Index look(const View<T>& d, const CodingRules<T>& rules, T* g, Index width,
                          const T* r, const CodeView<T>& code, std::int32_t* list, T* blocks,
                          double& gap) {
  const T most = largest(g, width, blocks);
  const T squares = dot(r, r, d.stride);
  T product = squares, size = 0;
  for (Index k = 0; k < code.size; ++k) {
    product += code.values[k] * g[code.atoms[k]];
    size += std::abs(code.values[k]);
    g[code.atoms[k]] = 0;  // is in the list already
  }
  gap += duality_gap(product, squares, most, rules.lambda, size);
  const T threshold = std::max(rules.lambda, rules.share * most);
  return most > rules.lambda ? select(g, width, blocks, threshold, list) : 0;
}
GINGHAM_MULTIARCH Index look_at(const View<float>& d, const CodingRules<float>& rules, float* g,
                                Index width, const float* r, const CodeView<float>& code,
                                std::int32_t* list, float* blocks, double& gap) {
  return look(d, rules, g, width, r, code, list, blocks, gap);
}
GINGHAM_MULTIARCH Index look_at(const View<double>& d, const CodingRules<double>& rules, double* g,
                                Index width, const double* r, const CodeView<double>& code,
                                std::int32_t* list, double* blocks, double& gap) {
  return look(d, rules, g, width, r, code, list, blocks, gap);
}

// One pass over all atoms in order; correlations of four at a time, those behind a change again.
template <class T>
GINGHAM_INLINE void pass_over_all(const View<T>& d, Index n_atoms, T lambda, T* r, T* z) {
  constexpr Index kBlock = 4;
  for (Index j = 0; j < n_atoms; j += kBlock) {
    const Index n = std::min(kBlock, n_atoms - j);
    T g[kBlock];
    if (n == kBlock) {
      padded::four_dots(d.row(j), d.stride, r, g);
    } else {
      for (Index b = 0; b < n; ++b) g[b] = dot(d.row(j + b), r, d.stride);
    }
    for (Index b = 0; b < n; ++b) {
      const T best = shrunk(g[b] + d.squares[j + b] * z[j + b], lambda) * d.inverses[j + b];
      const T change = best - z[j + b];
      if (change == T{0}) continue;
      z[j + b] = best;
      add_multiple(-change, d.row(j + b), r, d.stride);
      for (Index later = b + 1; later < n; ++later) g[later] = dot(d.row(j + later), r, d.stride);
    }
  }
}
GINGHAM_MULTIARCH void pass_all(const View<float>& d, Index n_atoms, float lambda, float* r,
                                float* z) {
  pass_over_all(d, n_atoms, lambda, r, z);
}
GINGHAM_MULTIARCH void pass_all(const View<double>& d, Index n_atoms, double lambda, double* r,
                                double* z) {
  pass_over_all(d, n_atoms, lambda, r, z);
}

}  // namespace

double duality_gap(double x_dot_r, double squares_of_r, double largest_correlation, double lambda,
                   double size_of_z) {
  if (!(squares_of_r > 0.0)) return lambda * size_of_z;  // r = 0: the dual is 0
  const double bound = largest_correlation > 0.0 ? lambda / largest_correlation : HUGE_VAL;
  const double s = std::clamp(x_dot_r / squares_of_r, -bound, bound);
  return 0.5 * squares_of_r + lambda * size_of_z - s * x_dot_r + 0.5 * s * s * squares_of_r;
}

template <class T>
void CodeList<T>::remove(const std::vector<char>& marks) {
  Index kept = 0, k = 0;
  for (Index& end : ends) {
    for (; k < end; ++k) {
      if (marks[atoms[k]] != 0) continue;
      atoms[kept] = atoms[k];
      values[kept++] = values[k];
    }
    end = kept;
  }
  atoms.resize(static_cast<std::size_t>(kept));
  values.resize(static_cast<std::size_t>(kept));
}

template <class T>
bool CodeList<T>::fits(Index n_atoms) const {
  const bool sizes_fit = atoms.size() == values.size() &&
                         static_cast<Index>(atoms.size()) == (ends.empty() ? 0 : ends.back());
  return sizes_fit && std::is_sorted(ends.begin(), ends.end()) && (ends.empty() || ends[0] >= 0) &&
         std::all_of(atoms.begin(), atoms.end(),
                     [&](std::int32_t atom) { return atom >= 0 && atom < n_atoms; });
}

template <class T>
TileCoder<T>::TileCoder(const Atoms<T>& atoms, const CodingRules<T>& rules)
    : atoms_(atoms),
      rules_(rules),
      products_(static_cast<std::size_t>(kTile * atoms.width())),
      blocks_(static_cast<std::size_t>(atoms.width())) {}

template <class T>
CodingSums TileCoder<T>::code(T* rows, Index n, const CodeView<T>* begin, CodeList<T>& codes) {
  const View<T> d = view_of(atoms_);
  const Index stride = d.stride, width = atoms_.width();
  for (Index i = 0; i < n; ++i) subtract_code(d, begin[i], rows + i * stride);
  atoms_.products(rows, n, products_.data());
  CodingSums sums;
  Work<T> work[kTile];
  Index most_old = 0;
  for (Index i = 0; i < n; ++i) most_old = std::max(most_old, begin[i].size);
  capacity_ = std::max(capacity_, most_old + width);  // every atom may be above the threshold
  atom_.resize(static_cast<std::size_t>(kTile * capacity_));
  value_.resize(atom_.size());
  for (Index i = 0; i < n; ++i) {
    T* const g = products_.data() + i * width;
    Work<T>& one = work[i];
    one = {rows + i * stride,
           atom_.data() + i * capacity_,
           value_.data() + i * capacity_,
           begin[i].size,
           0,
           T{0}};
    std::copy_n(begin[i].atoms, begin[i].size, one.atom);
    std::copy_n(begin[i].values, begin[i].size, one.value);
    std::int32_t* const fresh = one.atom + one.n_old;
    const Index found =
        look_at(d, rules_, g, width, one.r, begin[i], fresh, blocks_.data(), sums.gap);
    const Index taken = strongest_first(g, fresh, found, rules_.most, sorted_);
    std::fill_n(one.value + one.n_old, taken, T{0});
    one.n_all = one.n_old + taken;
  }
  descend(d, rules_.lambda, rules_.steps, work, n);
  for (Index i = 0; i < n; ++i) {
    codes.add({work[i].atom, work[i].value, work[i].n_all});
    sums.loss += 0.5 * static_cast<double>(work[i].squares);
    for (Index k = 0; k < work[i].n_all; ++k) sums.size += std::abs(work[i].value[k]);
  }
  return sums;
}

template <class T>
double SampleCoder<T>::code(const Atoms<T>& atoms, const CodingRules<T>& rules, T* row,
                            const CodeView<T>& begin, std::vector<std::int32_t>& support,
                            std::vector<T>& values) {
  const View<T> d = view_of(atoms);
  subtract_code(d, begin, row);
  double before = 0.5 * padded::squares(row, d.stride);
  for (Index k = 0; k < begin.size; ++k) {
    code_[begin.atoms[k]] = begin.values[k];
    before += rules.lambda * std::abs(begin.values[k]);
  }
  pass_all(d, atoms.count(), rules.lambda, row, code_.data());
  support.clear();
  values.clear();
  for (Index j = 0; j < atoms.count(); ++j) {
    if (code_[j] == T{0}) continue;
    support.push_back(static_cast<std::int32_t>(j));
    values.push_back(code_[j]);
    code_[j] = T{0};
  }
  const auto n = static_cast<Index>(support.size());
  Work<T> work{row, support.data(), values.data(), n, n, T{0}};
  if (rules.steps > 1) descend(d, rules.lambda, rules.steps, &work, 1);
  support.resize(static_cast<std::size_t>(work.n_all));
  values.resize(support.size());
  return before;
}

template struct CodeList<float>;
template struct CodeList<double>;
template class TileCoder<float>;
template class TileCoder<double>;
template class SampleCoder<float>;
template class SampleCoder<double>;

}  // namespace gingham
