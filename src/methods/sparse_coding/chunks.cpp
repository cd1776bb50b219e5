#include "gingham/methods/sparse_coding/chunks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace gingham::methods::sparse_coding {
namespace {

constexpr Index kMostRows = 512;                // of a chunk
constexpr Index kChunkValues = Index{1} << 20;  // at most, where a row is not longer than that
constexpr Index kChunks = 32;                   // of a pool

}  // namespace

Chunks::Chunks(Index n_samples, Index length, Index batch)
    : n_samples_(n_samples),
      rows_(std::clamp<Index>(kChunkValues / std::max<Index>(length, 1), 1, kMostRows)),
      per_pool_(std::max(kChunks, (batch + rows_ - 1) / rows_)) {}

std::vector<Index> Chunks::pool(Index epoch, Index number, const Context& ctx) const {
  std::vector<Index> order(static_cast<std::size_t>(count()));
  if (epoch < 0) {
    std::iota(order.begin(), order.end(), Index{0});
  } else {
    order = ctx.rng(fmt::format("chunks of epoch {}", epoch)).permutation(count());
  }
  const Index from = number * per_pool_, to = std::min(count(), from + per_pool_);
  return {order.begin() + from, order.begin() + to};
}

}  // namespace gingham::methods::sparse_coding
