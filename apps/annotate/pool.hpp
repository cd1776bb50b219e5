// One vector per bag from the codes of its patches: of each atom the largest |z| (or z, or the
// mean) over all patches of the bag.
#pragma once
#include <string>
#include <vector>

#include "gingham/data/dataset.hpp"

namespace gingham::annotate {

inline constexpr const char* kPoolMarker = "pool.json";

struct Pooling {
  bool is_max = true;  // else the mean
  bool is_absolute = true;
};

// bag_of[i] is the bag of row i. What a sparse matrix does not list is zero. The pooled matrix is
// sparse where the codes are, with the entries that are not zero; the row of a bag without patches
// is zero. Throws Error{input} where the sizes differ or a code is missing.
Block pool_codes(const Block& codes, const std::vector<Index>& bag_of, Index n_bags,
                 const Pooling& pooling);

struct PoolRequest {
  std::string features = {};  // directory
  std::string codes = {};     // directory or file
  Pooling pooling = {};
  std::string output = {};
  bool force = false;
};

struct PoolOutcome {
  Index n_bags = 0, n_patches = 0, n_atoms = 0;
  Index n_nonzeros = 0;
  Index n_empty_bags = 0;
  std::string file = {};  // pooled.npz or pooled.npy
};

// Writes, whole or not at all, into `output`
//   pooled.npz  bags x atoms as scipy.sparse has it where codes are sparse, else pooled.npy
//   bags.txt    a name per row
//   terms.tsv   bag, terms
//   pool.json   version, options, digests
PoolOutcome pool(const PoolRequest& request);

}  // namespace gingham::annotate
