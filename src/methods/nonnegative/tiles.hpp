// Items whose rows have nothing to do with each other: coordinate descent on
//
//   min over f >= 0 of  1/2 f^T Q f - y^T f        for every item, f and y its rows
//
// a few items at a time, lane by lane: entry after entry is found for all of them at once.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham::methods::nonnegative {

template <class T>
struct TileProblem {
  const T* q = nullptr;        // K x K, symmetric
  const T* inverse = nullptr;  // K: 1 / q_kk, 0 where q_kk is 0 (that entry becomes 0)
  Index rank = 0;              // K
};

// What a sweep did, or would do: sum of q_kk (change of f_k)^2.
//
// `passes` rounds over the rows items[0] ... items[n - 1] of f (items x K), in place; y: items x K.
template <class T>
double sweep_items(const TileProblem<T>& problem, const Index* items, Index n, int passes,
                   const T* y, T* f);
// sum of q_kk (f_k - its minimiser, all others as they are)^2; nothing is changed.
template <class T>
double gap_of_items(const TileProblem<T>& problem, const Index* items, Index n, const T* y,
                    const T* f);

}  // namespace gingham::methods::nonnegative
