// Counter-based random numbers: Philox 4x32 with ten rounds (Salmon, Moraes, Dror, Shaw 2011).
//
// The k-th block of four 32-bit words of a stream is a function of (seed, stream, k) alone, so a
// stream can be entered anywhere, saved as one number, and never depends on threads or on what
// others have drawn.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham {

class GINGHAM_API Rng {
 public:
  Rng() = default;
  Rng(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  // An independent stream named by `name` and, where there are many alike, a number.
  static Rng named(std::uint64_t seed, std::string_view name, std::uint64_t number = 0);

  std::uint64_t bits();  // 64 uniform bits
  double uniform();      // in [0, 1), 53 bits
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal();             // mean 0, variance 1 (Box-Muller)
  Index below(Index n);        // uniform on 0 ... n-1; requires n >= 1
  Index poisson(double mean);  // requires 0 <= mean; takes time in proportion to it
  std::vector<Index> permutation(Index n);
  // k different numbers below n, in random order; requires 0 <= k <= n.
  std::vector<Index> sample(Index n, Index k);

  // How far the stream has been read; setting it continues from there.
  std::uint64_t position() const { return position_; }
  void seek(std::uint64_t position) { position_ = position; }

  template <class Archive>
  void state(Archive& ar) {
    ar("seed", seed_)("stream", stream_)("position", position_);
  }

 private:
  std::uint64_t seed_ = 0;
  std::uint64_t stream_ = 0;
  std::uint64_t position_ = 0;  // in draws of 64 bits
};

// The raw generator, for the tests: four words from a counter and a key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

}  // namespace gingham
