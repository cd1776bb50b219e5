// Data files to the dataset of a run.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gingham/io/read.hpp"

namespace gingham {

// Everything that decides which blocks a run sees.
struct DataFiles {
  std::vector<std::string> files = {};
  ReadOptions options = {};
  // Names of the items, a label file per mode of the files, in place of what the files themselves
  // hold; empty: none. Several files share them.
  std::vector<std::string> names = {};
  std::optional<Index> series_mode = {};  // cut the one tensor into matrices along this mode
  std::optional<Index> slice = {};        // of these only this one
  // A matrix in a plain .npy whose values take more than this is read by rows when needed
  // (io/npy_rows.hpp).
  double stream_beyond_bytes = std::numeric_limits<double>::infinity();
};

// A block per file, or per slice of the one file. Throws as read_block, read_label_file and slices
// do, Error{input} for names that are not as many as the items or not all different, Error{usage}
// for more files of names than modes and for several files with a series mode, and Error{memory}
// where the row pointers of sparse slices would be more than options.limits.max_entries.
GINGHAM_API Dataset read_dataset(const DataFiles& input, Executor* executor = nullptr);
std::vector<Block> read_blocks(const DataFiles& input, Executor* executor = nullptr);

// What reads this block of the dataset and nothing else.
GINGHAM_API DataFiles block_of(const DataFiles& input, Index block);

}  // namespace gingham
