// Items whose rows do not know each other, entries >= 0 that obey an EntryRule: coordinate descent
// on
//
//   min over 0 <= f <= high of  1/2 f^T Q f - y^T f + l1 sum_k f_k + ridge / 2 |f|^2
//
// for every item, f and y its rows,
// a few items at a time, lane by lane: entry after entry is found for all of them at once.
#pragma once
#include "gingham/penalties/entry_rule.hpp"

namespace gingham {

template <class T>
struct NonnegRowProblem {
  const T* q = nullptr;        // K x K, symmetric
  const T* inverse = nullptr;  // K: 1 / (q_kk + ridge), 0 where q_kk is 0 (that entry becomes 0)
  Index rank = 0;              // K
  T l1 = 0;
  T high = std::numeric_limits<T>::infinity();
};

// What a sweep did, or would do: sum of q_kk (change of f_k)^2.
//
// `passes` rounds over the rows items[0] ... items[n - 1] of f (items x K), in place; y: items x K.
template <class T>
double sweep_rows(const NonnegRowProblem<T>& problem, const Index* items, Index n, int passes, const T* y,
                  T* f);
// sum of q_kk (f_k - its minimiser, all others as they are)^2; nothing is changed.
template <class T>
double gap_of_rows(const NonnegRowProblem<T>& problem, const Index* items, Index n, const T* y,
                   const T* f);

}  // namespace gingham
