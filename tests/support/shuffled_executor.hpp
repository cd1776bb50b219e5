// An executor that makes the order and place of blocks as unhelpful as it may be: shuffled, each on
// a fresh thread. Whatever gives the same bits here as on one thread does not depend on where its
// blocks ran.
#pragma once
#include <cstring>
#include <thread>
#include <vector>

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

  void fold(Index n_blocks, std::size_t bytes, FunctionRef<void(Index, std::byte*)> produce,
            FunctionRef<void(Index, const std::byte*)> merge) override {
    // Doubles, so that the areas are aligned as numbers need them.
    std::vector<std::vector<double>> areas(static_cast<std::size_t>(n_blocks));
    map(n_blocks, [&](Index block) {
      areas[block].assign(bytes / sizeof(double) + 1, 0.0);
      produce(block, reinterpret_cast<std::byte*>(areas[block].data()));
    });
    for (Index block = 0; block < n_blocks; ++block) {
      merge(block, reinterpret_cast<const std::byte*>(areas[block].data()));
    }
  }

 private:
  Rng rng_;
};

}  // namespace gingham::testing
