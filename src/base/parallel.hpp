// Work over fixed blocks. Which blocks there are depends on the data alone, never on the number of
// threads, and sums are taken in block order, so results are the same bits wherever the blocks ran.
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
  // Equal blocks of items that cost about `work_per_item` multiply-adds each: few enough that
  // partial sums stay small, large enough that a block is worth a thread's while.
  static Partition even(Index n_items, Index work_per_item);
  // Blocks of about equal work where item i costs pointers[i+1] - pointers[i] (a sparse matrix's
  // rows).
  static Partition weighted(std::span<const Index> pointers);

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

  // Like map, but each block fills a zeroed scratch area of `bytes`, and merge(b, scratch) is
  // called for b = 0, 1, 2, ... strictly in this order, one at a time; when a block fails, for
  // those before it only.
  virtual void fold(Index n_blocks, std::size_t bytes, FunctionRef<void(Index, std::byte*)> produce,
                    FunctionRef<void(Index, const std::byte*)> merge) = 0;
};

// total[i] += sum over blocks, in block order, of partial[i], where body(block, partial) adds to
// zeros.
template <class T, class Body>
void sum_blocks(Executor& executor, Index n_blocks, std::span<T> total, Body&& body) {
  const std::size_t size = total.size();
  executor.fold(
      n_blocks, size * sizeof(T),
      [&](Index block, std::byte* scratch) {
        body(block, std::span<T>(reinterpret_cast<T*>(scratch), size));
      },
      [&](Index, const std::byte* scratch) {
        const T* partial = reinterpret_cast<const T*>(scratch);
        for (std::size_t i = 0; i < size; ++i) total[i] += partial[i];
      });
}

// The sum over blocks, in block order, of body(block).
template <class Body>
double sum_blocks(Executor& executor, Index n_blocks, Body&& body) {
  double total = 0.0;
  sum_blocks(executor, n_blocks, std::span<double>(&total, 1),
             [&](Index block, std::span<double> partial) { partial[0] = body(block); });
  return total;
}

// Threads that live as long as the pool and are joined at its end. The calling thread works too, so
// a pool of one starts none. A call from inside a body runs its blocks there and then. One pool
// serves one caller at a time.
class GINGHAM_API ThreadPool final : public Executor {
 public:
  explicit ThreadPool(int threads);  // 0: as many as the machine has
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const override;
  void map(Index n_blocks, FunctionRef<void(Index)> body) override;
  void fold(Index n_blocks, std::size_t bytes, FunctionRef<void(Index, std::byte*)> produce,
            FunctionRef<void(Index, const std::byte*)> merge) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gingham
