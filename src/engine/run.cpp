#include "gingham/engine/run.hpp"

#include "gingham/engine/session.hpp"
#include "gingham/kernels/blas.hpp"

namespace gingham {

Result run(const MethodInfo& info, const Dataset& data, const Options& options,
           std::vector<Observer*> observers, Executor* executor,
           std::span<const std::byte> snapshot) {
  const BlasSingleThread blas;
  std::unique_ptr<ThreadPool> pool;
  if (executor == nullptr) {
    pool = std::make_unique<ThreadPool>(static_cast<int>(options.integer("threads")));
    executor = pool.get();
  }
  Session session(info, data, options, *executor);
  if (!snapshot.empty()) session.restore(snapshot);
  return session.run(observers);
}

}  // namespace gingham
