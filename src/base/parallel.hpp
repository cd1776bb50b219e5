// Work over fixed blocks. Which blocks there are depends on the data alone, never on the number of
// threads, and sums are taken along a fixed binary tree over the blocks, so results are the same
// bits wherever the blocks ran:
//
//   node (0, b): what block b has          node (l + 1, i) = node (l, 2 i) + node (l, 2 i + 1)
//
// and node (l, 2 i) alone where there is no other. Whoever has a run of blocks can add up its own
// subtrees and hands over few nodes; n terms are off by O(log n) roundings.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "gingham/base/function_ref.hpp"
#include "gingham/base/index.hpp"

namespace gingham {

// Items 0 ... n-1 cut into consecutive blocks.
class Partition {
 public:
  // Equal blocks of items that cost about `work_per_item` multiply-adds each: large enough that a
  // block is worth a thread's while, and that what it hands over, `n_sums` values, is little beside
  // its work.
  static Partition even(Index n_items, Index work_per_item, Index n_sums = 1);
  // Blocks of about equal work where item i costs pointers[i+1] - pointers[i] times
  // `work_per_entry` (a sparse matrix's rows).
  static Partition weighted(std::span<const Index> pointers, Index work_per_entry = 1,
                            Index n_sums = 1);

  // How many blocks that many multiply-adds are worth.
  static Index count_for(double work, Index n_sums = 1);

  Index count() const { return static_cast<Index>(bounds_.size()) - 1; }
  Index begin(Index block) const { return bounds_[block]; }
  Index end(Index block) const { return bounds_[block + 1]; }
  Index n_items() const { return bounds_.back(); }

 private:
  std::vector<Index> bounds_{0};
};

// Where blocks run. Implementations: ThreadPool here; others may spread the blocks over machines.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual int threads() const = 0;

  // Calls body(b) once for every b in [0, n_blocks), in any order, perhaps at the same time. What a
  // body writes must belong to its block alone. If bodies throw, the exception of the lowest block
  // that would throw is rethrown after all running ones have ended, whatever the number of threads.
  virtual void map(Index n_blocks, FunctionRef<void(Index)> body) = 0;
};

// Each block fills a zeroed area of `bytes`; areas are joined along the tree, join(left, right)
// puts what is right into left; take(area) gets what is left at the end, unless there is no block.
// Exceptions as in map; join and take throw none.
GINGHAM_API void reduce(Executor& executor, Index n_blocks, std::size_t bytes,
                        FunctionRef<void(Index, std::byte*)> produce,
                        FunctionRef<void(std::byte*, const std::byte*)> join,
                        FunctionRef<void(const std::byte*)> take);

// total[i] += sum over blocks, along the tree, of partial[i], where body(block, partial) adds to
// zeros.
template <class T, class Body>
void sum_blocks(Executor& executor, Index n_blocks, std::span<T> total, Body&& body) {
  const std::size_t size = total.size();
  reduce(
      executor, n_blocks, size * sizeof(T),
      [&](Index block, std::byte* area) {
        body(block, std::span<T>(reinterpret_cast<T*>(area), size));
      },
      [&](std::byte* left, const std::byte* right) {
        T* to = reinterpret_cast<T*>(left);
        const T* from = reinterpret_cast<const T*>(right);
        for (std::size_t i = 0; i < size; ++i) to[i] += from[i];
      },
      [&](const std::byte* area) {
        const T* sums = reinterpret_cast<const T*>(area);
        for (std::size_t i = 0; i < size; ++i) total[i] += sums[i];
      });
}

// The sum over blocks, along the tree, of body(block).
template <class Body>
double sum_blocks(Executor& executor, Index n_blocks, Body&& body) {
  double total = 0.0;
  sum_blocks(executor, n_blocks, std::span<double>(&total, 1),
             [&](Index block, std::span<double> partial) { partial[0] = body(block); });
  return total;
}

// Threads that live as long as the pool and are joined at its end. The calling thread works too, so
// a pool of one starts none. A body may call map again: threads that have nothing else to do take
// blocks of it. So may several callers at a time.
class GINGHAM_API ThreadPool final : public Executor {
 public:
  explicit ThreadPool(int threads);  // 0: as many as the machine has
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const override;
  void map(Index n_blocks, FunctionRef<void(Index)> body) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gingham
