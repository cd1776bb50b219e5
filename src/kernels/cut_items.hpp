// Rows of a result, one per item, where item i has the entries pointers[i] ... pointers[i + 1] - 1:
//
//   y_i = sum over the entries of item i                       k values each
//
// in pieces of about equal work. Runs of items are a piece; an item with far more entries than a
// piece should have is cut inside, and its parts are added along the tree of reduce(): the pieces
// depend on the pointers alone.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "gingham/base/parallel.hpp"

namespace gingham {

class CutItems {
 public:
  CutItems(std::span<const Index> pointers, Index work_per_entry);

  // run(pointers, begin, end, y) makes rows begin ... end - 1 of y for the items that these
  // pointers say; it is called with others than those given for the parts of an item.
  template <class T, class Run>
  void map(Index k, T* y, const Run& run, Executor& executor) const {
    std::vector<T> parts(static_cast<std::size_t>(n_parts_ * k), T{0});
    executor.map(std::ssize(pieces_), [&](Index p) {
      const Piece& piece = pieces_[static_cast<std::size_t>(p)];
      if (piece.part < 0) return run(pointers_.data(), piece.begin, piece.end, y);
      run(bounds_.data() + piece.bounds, piece.part, piece.part + 1,
          parts.data() + piece.first_part * k);
    });
    for (const Long& one : long_) {
      T* first = parts.data() + one.first_part * k;
      for (Index step = 1; step < one.n_parts; step *= 2) {
        for (Index left = 0; left + step < one.n_parts; left += 2 * step) {
          for (Index c = 0; c < k; ++c) first[left * k + c] += first[(left + step) * k + c];
        }
      }
      std::copy_n(first, k, y + one.item * k);
    }
  }

 private:
  // Items [begin, end), or a part of the one item that begins at `begin`: its bounds lie from
  // `bounds` on, its sums from `first_part` on.
  struct Piece {
    Index begin, end, part = -1, bounds = 0, first_part = 0;
  };
  struct Long {
    Index item, first_part, n_parts;
  };
  void cut(Index item, Index n_parts);

  std::span<const Index> pointers_;
  std::vector<Piece> pieces_;
  std::vector<Long> long_;
  std::vector<Index> bounds_;  // of the parts of each item that is cut, one after the other
  Index n_parts_ = 0;
};

}  // namespace gingham
