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

// Multiply-adds below which a thread costs more than it gains. More than kFewBlocks blocks, so that
// many threads end together, are of more work each.
constexpr double kLeastWork = 1 << 15, kWorkOfMany = 1 << 18;
constexpr double kFewBlocks = 64.0, kMostBlocks = 1024.0;
constexpr double kWorkPerSum = 16.0;  // of a block, per value that it hands over
constexpr Index kLeastItems = 8;      // of a block

// The pool whose body this thread is in.
thread_local const void* present_pool = nullptr;

class InsideBody {
 public:
  explicit InsideBody(const void* pool) : before_(present_pool) { present_pool = pool; }
  ~InsideBody() { present_pool = before_; }
  InsideBody(const InsideBody&) = delete;
  InsideBody& operator=(const InsideBody&) = delete;

 private:
  const void* before_;
};

// Looks for a moment (some ten microseconds) before the caller goes to sleep: jobs follow each
// other closely, and waking a thread costs more than most of them take.
template <class Condition>
void spin_until(Condition&& holds) {
  constexpr int kLooks = 1000;
  for (int look = 0; look < kLooks && !holds(); ++look) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

}  // namespace

Index Partition::count_for(double work, Index n_sums) {
  double count = work / kLeastWork;
  if (count > kFewBlocks) count = std::max(kFewBlocks, std::min(work / kWorkOfMany, kMostBlocks));
  count = std::min(count, work / (kWorkPerSum * static_cast<double>(n_sums)));
  return std::max<Index>(static_cast<Index>(count), 1);
}

Partition Partition::even(Index n_items, Index work_per_item, Index n_sums) {
  const double work = static_cast<double>(n_items) * static_cast<double>(work_per_item);
  const Index count = std::clamp<Index>(n_items / kLeastItems, 1, count_for(work, n_sums));
  Partition partition;
  if (n_items == 0) return partition;
  for (Index block = 1; block <= count; ++block) {
    partition.bounds_.push_back(n_items / count * block + n_items % count * block / count);
  }
  return partition;
}

Partition Partition::weighted(std::span<const Index> pointers, Index work_per_entry, Index n_sums) {
  const Index n_items = static_cast<Index>(pointers.size()) - 1;
  Partition partition;
  if (n_items <= 0) return partition;
  // Each item counts one more than its entries, so that empty rows do not pile up in one block.
  const auto work_until = [&](Index i) { return pointers[i] - pointers[0] + i; };
  const Index total = work_until(n_items);
  const Index count =
      count_for(static_cast<double>(total) * static_cast<double>(work_per_entry), n_sums);
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

namespace {

// The areas of a reduction: each node of the tree is made by whoever brings its second child, so
// that nobody waits. Areas that were joined are used again.
class Nodes {
 public:
  Nodes(Index n_leaves, std::size_t bytes, FunctionRef<void(std::byte*, const std::byte*)> join)
      : bytes_(std::max<std::size_t>(bytes, 1)), join_(join) {
    for (Index width = n_leaves;; width = (width + 1) / 2) {
      waiting_.emplace_back(static_cast<std::size_t>(width));
      if (width <= 1) break;
    }
  }

  // A zeroed area.
  RawMemory area() {
    RawMemory found;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        found = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (found.size() == 0) return RawMemory(bytes_);
    std::memset(found.data(), 0, bytes_);
    return found;
  }

  void put(Index leaf, RawMemory area) {
    for (std::size_t level = 0;; ++level, leaf /= 2) {
      std::vector<RawMemory>& row = waiting_[level];
      const Index other = leaf ^ 1;
      RawMemory beside;
      if (level + 1 == waiting_.size() || other < std::ssize(row)) {
        const std::lock_guard lock(mutex_);
        if (level + 1 == waiting_.size() || row[other].size() == 0) {
          row[leaf] = std::move(area);
          return;
        }
        beside = std::move(row[other]);
      } else {
        continue;  // the last of a row of odd length goes up alone
      }
      if (other < leaf) std::swap(area, beside);
      join_(bytes_of(area), bytes_of(beside));
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(beside));
    }
  }

  const std::byte* root() const { return bytes_of(waiting_.back()[0]); }
  static std::byte* bytes_of(const RawMemory& area) { return static_cast<std::byte*>(area.data()); }

 private:
  std::size_t bytes_;
  FunctionRef<void(std::byte*, const std::byte*)> join_;
  std::mutex mutex_;
  std::vector<std::vector<RawMemory>> waiting_;  // per level, by number
  std::vector<RawMemory> free_;
};

// Areas of all blocks side by side up to this.
constexpr std::size_t kSideBySide = std::size_t{1} << 17;
constexpr std::size_t kFew = 1024;     // bytes for which no memory is asked
constexpr std::size_t kAreaUnit = 16;  // bytes; an area begins where any number may

}  // namespace

void reduce(Executor& executor, Index n_blocks, std::size_t bytes,
            FunctionRef<void(Index, std::byte*)> produce,
            FunctionRef<void(std::byte*, const std::byte*)> join,
            FunctionRef<void(const std::byte*)> take) {
  if (n_blocks <= 0) return;
  const std::size_t unit = (bytes + kAreaUnit - 1) / kAreaUnit * kAreaUnit;
  if (n_blocks == 1 || unit <= kSideBySide / static_cast<std::size_t>(n_blocks)) {
    alignas(64) std::byte few[kFew];
    const std::size_t n_bytes = unit * static_cast<std::size_t>(n_blocks);
    const RawMemory many(n_bytes > kFew ? n_bytes : 0);
    std::byte* first = n_bytes > kFew ? Nodes::bytes_of(many) : few;
    if (n_bytes <= kFew) std::memset(few, 0, n_bytes);
    const auto area = [&](Index block) { return first + unit * static_cast<std::size_t>(block); };
    executor.map(n_blocks, [&](Index block) { produce(block, area(block)); });
    for (Index step = 1; step < n_blocks; step *= 2) {
      for (Index left = 0; left + step < n_blocks; left += 2 * step)
        join(area(left), area(left + step));
    }
    return take(first);
  }
  Nodes nodes(n_blocks, bytes, join);
  executor.map(n_blocks, [&](Index block) {
    RawMemory area = nodes.area();
    produce(block, Nodes::bytes_of(area));
    nodes.put(block, std::move(area));
  });
  take(nodes.root());
}

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

// One call of map. Whoever works on it takes the next block from a counter.
struct Job {
  Index n_blocks;
  FunctionRef<void(Index)> body;
  std::atomic<Index> next{0};
  std::atomic<int> helpers{0};  // threads at work on it besides its caller
  FirstFailure failure = {};

  bool has_more() const { return next.load(std::memory_order_relaxed) < n_blocks; }
  void work() {
    for (Index block = next++; block < n_blocks && !failure.is_below(block); block = next++) {
      try {
        body(block);
      } catch (...) {
        failure.catch_current(block);
      }
    }
  }
};

}  // namespace

// Jobs that have blocks left are open; workers take blocks of the newest, and sleep when there is
// none. A caller works on its own job alone, so that nothing waits for what waits for it.
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
      announced.store(++generation, std::memory_order_release);
    }
    wake.notify_all();
    for (std::thread& worker : workers) worker.join();
    workers.clear();
  }

  Job* open_job() {
    for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
      if ((*job)->has_more()) return *job;
    }
    return nullptr;
  }

  void serve() {
    const InsideBody inside(this);
    std::unique_lock lock(mutex);
    while (!stopping) {
      if (Job* job = open_job()) {
        job->helpers.fetch_add(1, std::memory_order_relaxed);
        lock.unlock();
        job->work();
        lock.lock();
        if (job->helpers.fetch_sub(1, std::memory_order_release) == 1) done.notify_all();
        continue;  // the job may be gone by now
      }
      const std::uint64_t seen = generation;
      lock.unlock();
      spin_until([&] { return announced.load(std::memory_order_acquire) != seen; });
      lock.lock();
      wake.wait(lock, [&] { return stopping || generation != seen; });
    }
  }

  void run(Job& job) {
    {
      const std::lock_guard lock(mutex);
      jobs.push_back(&job);
      announced.store(++generation, std::memory_order_release);
    }
    wake.notify_all();
    {
      const InsideBody inside(this);
      job.work();
    }
    {
      const std::lock_guard lock(mutex);
      jobs.erase(std::find(jobs.begin(), jobs.end(), &job));
    }
    const auto is_over = [&] { return job.helpers.load(std::memory_order_acquire) == 0; };
    spin_until(is_over);
    std::unique_lock lock(mutex);
    done.wait(lock, is_over);
  }

  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, done;
  std::vector<Job*> jobs;  // the newest last
  std::uint64_t generation = 0;
  std::atomic<std::uint64_t> announced{0};  // the same, for those who look without the mutex
  bool stopping = false;
};

ThreadPool::ThreadPool(int threads) {
  const int wanted =
      threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  impl_ = std::make_unique<Impl>(wanted);
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const { return static_cast<int>(impl_->workers.size()) + 1; }

// In a body of another pool this one's threads would be too many.
void ThreadPool::map(Index n_blocks, FunctionRef<void(Index)> body) {
  const bool is_elsewhere = present_pool != nullptr && present_pool != impl_.get();
  if (n_blocks <= 1 || impl_->workers.empty() || is_elsewhere) {
    for (Index block = 0; block < n_blocks; ++block) body(block);
    return;
  }
  Job job{n_blocks, body};
  impl_->run(job);
  job.failure.rethrow();
}

}  // namespace gingham
