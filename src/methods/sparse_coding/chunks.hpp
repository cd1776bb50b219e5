// In which order samples are visited, and where their codes are kept in between.
//
// Samples lie in chunks that are read at once. An epoch takes the chunks in random order, a pool of
// some at a time, and the samples of a pool in random order: as good as any order for samples that
// are not sorted, and near to it for those that are, at the price of reading each chunk once.
#pragma once
#include "gingham/engine/context.hpp"
#include "gingham/kernels/coding.hpp"

namespace gingham::methods::sparse_coding {

class Chunks {
 public:
  Chunks() = default;
  // Pools of at least `batch` samples where there are so many.
  Chunks(Index n_samples, Index length, Index batch);

  Index count() const { return (n_samples_ + rows_ - 1) / rows_; }
  Index rows() const { return rows_; }  // of a chunk, the last one may have fewer
  Index begin(Index chunk) const { return chunk * rows_; }
  Index end(Index chunk) const { return std::min(n_samples_, (chunk + 1) * rows_); }
  Index size(Index chunk) const { return end(chunk) - begin(chunk); }
  Index n_samples() const { return n_samples_; }

  Index n_pools() const { return (count() + per_pool_ - 1) / per_pool_; }
  Index pool_rows() const { return std::min(per_pool_, count()) * rows_; }
  // The chunks of a pool of an epoch; in their own order when `epoch` is negative.
  std::vector<Index> pool(Index epoch, Index number, const Context& ctx) const;

 private:
  Index n_samples_ = 0, rows_ = 1, per_pool_ = 1;
};

}  // namespace gingham::methods::sparse_coding
