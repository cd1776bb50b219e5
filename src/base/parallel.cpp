#include "gingham/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>

#include "gingham/base/memory.hpp"

namespace gingham {
namespace {

constexpr Index kMaxBlocks = 64;
constexpr Index kMinWorkPerBlock =
    1 << 15;  // multiply-adds; below this a thread costs more than it gains
constexpr Index kMinItemsPerBlock = 8;  // bounds the partial sums by an eighth of the data

thread_local bool inside_body = false;

struct InsideBody {
  bool before = inside_body;
  InsideBody() { inside_body = true; }
  ~InsideBody() { inside_body = before; }
};

// Looks for a moment (some ten microseconds) before the caller goes to sleep: jobs and turns follow
// each other closely, and waking a thread costs more than most of them take.
template <class Condition>
void spin_until(Condition&& holds) {
  constexpr int kLooks = 1000;
  for (int look = 0; look < kLooks && !holds(); ++look) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

void fold_here(Index n_blocks, std::size_t bytes, FunctionRef<void(Index, std::byte*)> produce,
               FunctionRef<void(Index, const std::byte*)> merge) {
  if (n_blocks <= 0) return;
  constexpr std::size_t kFew = 64;  // bytes for which no memory is asked
  alignas(kFew) std::byte few[kFew] = {};
  RawMemory many(bytes > kFew ? bytes : 0);
  std::byte* scratch = bytes > kFew ? static_cast<std::byte*>(many.data()) : few;
  for (Index block = 0; block < n_blocks; ++block) {
    if (block > 0) std::memset(scratch, 0, bytes);
    produce(block, scratch);
    merge(block, scratch);
  }
}

}  // namespace

Partition Partition::even(Index n_items, Index work_per_item) {
  const Index work = std::max<Index>(work_per_item, 1);
  const Index by_work = n_items / std::max<Index>(1, kMinWorkPerBlock / work);
  const Index by_items = n_items / kMinItemsPerBlock;
  const Index count = std::clamp<Index>(std::min(by_work, by_items), 1, kMaxBlocks);
  Partition partition;
  if (n_items == 0) return partition;
  for (Index block = 1; block <= count; ++block) {
    partition.bounds_.push_back(n_items / count * block + n_items % count * block / count);
  }
  return partition;
}

Partition Partition::weighted(std::span<const Index> pointers) {
  const Index n_items = static_cast<Index>(pointers.size()) - 1;
  Partition partition;
  if (n_items <= 0) return partition;
  // Each item counts one more than its entries, so that empty rows do not pile up in one block.
  const auto work_until = [&](Index i) { return pointers[i] - pointers[0] + i; };
  const Index total = work_until(n_items);
  const Index count = std::clamp<Index>(total / kMinWorkPerBlock, 1, kMaxBlocks);
  Index item = 0;
  for (Index block = 1; block < count; ++block) {
    const Index target = total / count * block + total % count * block / count;
    Index last = n_items;
    Index first = item;
    while (first < last) {  // the first item whose work reaches the target
      const Index middle = first + (last - first) / 2;
      if (work_until(middle) < target) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    if (first > item && first < n_items) partition.bounds_.push_back(item = first);
  }
  partition.bounds_.push_back(n_items);
  return partition;
}

// One job at a time. Workers sleep between jobs; during a job they take the next block from a
// counter.
struct ThreadPool::Impl {
  explicit Impl(int n_threads) {
    try {
      for (int i = 1; i < n_threads; ++i) workers.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those there are do the same work to the same bits.
    } catch (...) {
      stop();
      throw;
    }
  }
  ~Impl() { stop(); }

  void stop() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    for (std::thread& worker : workers) worker.join();
    workers.clear();
  }

  void serve() {
    std::uint64_t seen = 0;
    for (;;) {
      const FunctionRef<void()>* work = nullptr;
      spin_until([&] { return announced.load(std::memory_order_acquire) != seen; });
      {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return stopping || generation != seen; });
        if (stopping) return;
        seen = generation;
        work = job;
      }
      (*work)();
      if (busy.fetch_sub(1) == 1) {
        const std::lock_guard lock(mutex);
        done.notify_one();
      }
    }
  }

  // Runs `work` on every thread of the pool, this one included, and waits for all of them.
  void run_everywhere(FunctionRef<void()> work) {
    {
      const std::lock_guard lock(mutex);
      job = &work;
      busy = static_cast<int>(workers.size());
      announced.store(++generation, std::memory_order_release);
    }
    wake.notify_all();
    work();
    spin_until([&] { return busy.load(std::memory_order_acquire) == 0; });
    std::unique_lock lock(mutex);
    done.wait(lock, [&] { return busy == 0; });
  }

  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, done;
  const FunctionRef<void()>* job = nullptr;
  std::uint64_t generation = 0;
  std::atomic<std::uint64_t> announced{0};  // the same, for those who look without the mutex
  std::atomic<int> busy{0};
  bool stopping = false;
};

namespace {

// The exception of the lowest block that failed. Blocks are begun in order and only those above a
// failed one are left out, so which exception that is does not depend on the threads.
class FirstFailure {
 public:
  void catch_current(Index block) {
    const std::lock_guard lock(mutex_);
    if (block < lowest_.load()) {
      error_ = std::current_exception();
      lowest_.store(block);
    }
  }
  bool is_below(Index block) const { return lowest_.load() < block; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  std::atomic<Index> lowest_{std::numeric_limits<Index>::max()};
};

}  // namespace

ThreadPool::ThreadPool(int threads) {
  const int wanted =
      threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  impl_ = std::make_unique<Impl>(wanted);
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const { return static_cast<int>(impl_->workers.size()) + 1; }

void ThreadPool::map(Index n_blocks, FunctionRef<void(Index)> body) {
  if (n_blocks <= 1 || impl_->workers.empty() || inside_body) {
    for (Index block = 0; block < n_blocks; ++block) body(block);
    return;
  }
  std::atomic<Index> next{0};
  FirstFailure failure;
  impl_->run_everywhere([&] {
    const InsideBody inside;
    for (Index block = next++; block < n_blocks && !failure.is_below(block); block = next++) {
      try {
        body(block);
      } catch (...) {
        failure.catch_current(block);
      }
    }
  });
  failure.rethrow();
}

void ThreadPool::fold(Index n_blocks, std::size_t bytes,
                      FunctionRef<void(Index, std::byte*)> produce,
                      FunctionRef<void(Index, const std::byte*)> merge) {
  if (n_blocks <= 1 || impl_->workers.empty() || inside_body) {
    fold_here(n_blocks, bytes, produce, merge);
    return;
  }
  // Each thread has one scratch area. Blocks are begun in order, so the thread that holds the
  // lowest unmerged block never waits, and the others wait for their turn to merge.
  std::atomic<Index> next{0};
  std::atomic<Index> turn{0};
  FirstFailure failure;
  impl_->run_everywhere([&] {
    const InsideBody inside;
    RawMemory scratch;
    for (Index block = next++; block < n_blocks; block = next++) {
      if (!failure.is_below(block)) {
        try {
          if (scratch.size() == 0) {
            scratch = RawMemory(std::max<std::size_t>(bytes, 1));
          } else {
            std::memset(scratch.data(), 0, bytes);
          }
          produce(block, static_cast<std::byte*>(scratch.data()));
        } catch (...) {
          failure.catch_current(block);
        }
      }
      spin_until([&] { return turn.load(std::memory_order_acquire) == block; });
      for (Index now = turn.load(std::memory_order_acquire); now != block; now = turn.load())
        turn.wait(now);
      if (!failure.is_below(block + 1)) {  // neither this block nor one before it failed
        try {
          merge(block, static_cast<std::byte*>(scratch.data()));
        } catch (...) {
          failure.catch_current(block);
        }
      }
      turn.store(block + 1, std::memory_order_release);
      turn.notify_all();
    }
  });
  failure.rethrow();
}

}  // namespace gingham
