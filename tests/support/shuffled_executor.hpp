// An executor that makes the order and place of blocks as unhelpful as it may be: shuffled, each on
// a fresh thread. Whatever gives the same bits here as on one thread does not depend on where its
// blocks ran.
#pragma once
#include <thread>

#include "gingham/base/parallel.hpp"
#include "gingham/base/rng.hpp"

namespace gingham::testing {

class ShuffledExecutor final : public Executor {
 public:
  explicit ShuffledExecutor(std::uint64_t seed) : rng_(Rng::named(seed, "shuffle")) {}
  int threads() const override { return 3; }

  void map(Index n_blocks, FunctionRef<void(Index)> body) override {
    for (const Index block : rng_.permutation(n_blocks)) {
      std::thread([&] { body(block); }).join();
    }
  }

 private:
  Rng rng_;
};

}  // namespace gingham::testing
