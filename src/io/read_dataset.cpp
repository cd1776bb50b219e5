#include "gingham/io/read_dataset.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gingham/base/text.hpp"
#include "gingham/data/slices.hpp"
#include "gingham/io/npy_rows.hpp"

namespace gingham {
namespace {

// A sparse tensor may have few entries in very many slices with very many rows.
void check_pointers(const Block& block, Index mode, const Limits& limits) {
  if (!block.is_sparse() || block.modes() != 3 || mode < 0 || mode > 2) return;
  const Index n_slices = block.shape()[mode], n_rows = block.shape()[mode == 0 ? 1 : 0];
  if (n_slices <= limits.max_entries / (n_rows + 1)) return;
  throw Error(ErrorCode::memory, block.name(),
              fmt::format("not enough memory for {} sparse matrices of {} rows", n_slices, n_rows));
}

// The tensor and its slices are there at once.
void check_room(const Block& block, const Limits& limits) {
  const double needed = 2.0 * static_cast<double>(block.summary().bytes);
  const double room = 8.0 * static_cast<double>(limits.max_entries);
  if (needed <= room) return;
  throw Error(ErrorCode::memory, block.name(),
              fmt::format("cutting it by --series-mode needs about {} and may use {}; raise "
                          "--memory-limit, or give the matrices as files of their own",
                          human_bytes(needed), human_bytes(room)));
}

Block read_or_stream(const std::string& file, const DataFiles& input) {
  if (std::isfinite(input.stream_beyond_bytes)) {
    if (std::optional<Block> block = stream_npy(file, input.stream_beyond_bytes))
      return std::move(*block);
  }
  return read_block(file, input.options);
}

}  // namespace

Dataset read_dataset(const DataFiles& input) { return Dataset(read_blocks(input)); }

std::vector<Block> read_blocks(const DataFiles& input) {
  std::vector<Block> blocks;
  if (!input.series_mode) {
    for (const std::string& file : input.files) blocks.push_back(read_or_stream(file, input));
    return blocks;
  }
  const Index mode = *input.series_mode;
  if (input.files.size() != 1) {
    throw Error(
        ErrorCode::usage, "--series-mode",
        fmt::format("cuts one tensor into a series; {} inputs were given", input.files.size()));
  }
  const Block whole = read_block(input.files[0], input.options);
  check_pointers(whole, mode, input.options.limits);
  check_room(whole, input.options.limits);
  blocks = slices(whole, mode);
  if (!input.slice) return blocks;
  if (*input.slice < 0 || *input.slice >= std::ssize(blocks)) {
    throw Error(ErrorCode::input, whole.name(),
                fmt::format("has {} items in mode {}; number {} was asked for", blocks.size(), mode,
                            *input.slice));
  }
  std::swap(blocks[0], blocks[*input.slice]);
  blocks.erase(blocks.begin() + 1, blocks.end());
  return blocks;
}

DataFiles block_of(const DataFiles& input, Index block) {
  DataFiles one = input;
  if (input.series_mode) {
    one.slice = block;
  } else {
    one.files = {input.files.at(static_cast<std::size_t>(block))};
  }
  return one;
}

}  // namespace gingham
