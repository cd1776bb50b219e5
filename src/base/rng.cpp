#include "gingham/base/rng.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <unordered_map>

#include "gingham/base/digest.hpp"

namespace gingham {
namespace {

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMul0 = 0xD2511F53, kMul1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = kMul0 * counter[0];
    const std::uint64_t p1 = kMul1 * counter[2];
    counter = {high(p1) ^ counter[1] ^ key[0], low(p1), high(p0) ^ counter[3] ^ key[1], low(p0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

Rng Rng::named(std::uint64_t seed, std::string_view name, std::uint64_t number) {
  Digest digest;
  digest.add(name);
  digest.add(number);
  return Rng(seed, digest.value());
}

std::uint64_t Rng::bits() {
  const std::uint64_t block = position_ / 2;
  const auto words =
      philox({low(block), high(block), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
  const std::size_t half = position_ % 2 == 0 ? 0 : 2;
  ++position_;
  return (static_cast<std::uint64_t>(words[half + 1]) << 32) | words[half];
}

double Rng::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

Index Rng::below(Index n) {
  // Multiply-shift with rejection of the incomplete last interval: no bias.
  const auto range = static_cast<std::uint64_t>(n);
  const std::uint64_t threshold = (0 - range) % range;
  for (;;) {
    __extension__ using Wide = unsigned __int128;
    const auto product = static_cast<Wide>(bits()) * range;
    if (static_cast<std::uint64_t>(product) >= threshold) return static_cast<Index>(product >> 64);
  }
}

Index Rng::poisson(double mean) {
  // Knuth's product of uniforms; means above 30 are split in two independent halves.
  if (mean > 30.0) return poisson(mean / 2) + poisson(mean / 2);
  const double limit = std::exp(-mean);
  Index count = 0;
  for (double product = uniform(); product > limit; product *= uniform()) ++count;
  return count;
}

std::vector<Index> Rng::permutation(Index n) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = n - 1; i > 0; --i) std::swap(order[i], order[below(i + 1)]);
  return order;
}

std::vector<Index> Rng::sample(Index n, Index k) {
  // The first k swaps of a shuffle, with only the touched places remembered.
  std::unordered_map<Index, Index> moved;
  const auto at = [&](Index i) {
    const auto found = moved.find(i);
    return found == moved.end() ? i : found->second;
  };
  std::vector<Index> chosen;
  chosen.reserve(static_cast<std::size_t>(k));
  for (Index i = 0; i < k; ++i) {
    const Index j = i + below(n - i);
    chosen.push_back(at(j));
    moved[j] = at(i);
  }
  return chosen;
}

}  // namespace gingham
