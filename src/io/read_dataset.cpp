#include "gingham/io/read_dataset.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gingham/base/text.hpp"
#include "gingham/data/slices.hpp"
#include "gingham/io/lines.hpp"
#include "gingham/io/npy_rows.hpp"
#include "gingham/io/read_labels.hpp"

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

// The names of the items per mode, each file read once.
std::vector<Labels> read_item_names(const DataFiles& input) {
  std::vector<Labels> names;
  for (const std::string& file : input.names) {
    Labels& mode = names.emplace_back();
    if (file.empty()) continue;
    mode = read_label_file(file, input.options.limits);
    check_distinct(mode, shown_path(file), "lines");
  }
  return names;
}

Block with_names(Block block, const DataFiles& input, const std::vector<Labels>& names) {
  if (std::ssize(names) > block.modes()) {
    throw Error(ErrorCode::usage, "--names",
                fmt::format("{} files were given; {} has {} modes", names.size(), block.name(),
                            block.modes()));
  }
  for (Index mode = 0; mode < std::ssize(names); ++mode) {
    if (names[mode].empty()) continue;
    if (std::ssize(names[mode]) != block.shape()[mode]) {
      throw Error(ErrorCode::input, shown_path(input.names[mode]),
                  fmt::format("{} lines found, expected {}: a name for each item of mode {} of {} "
                              "({})",
                              names[mode].size(), block.shape()[mode], mode, block.name(),
                              shape_text(block.shape())));
    }
    block = std::move(block).with_labels(mode, names[mode]);
  }
  return block;
}

Block read_or_stream(const std::string& file, const DataFiles& input, Executor* executor) {
  if (std::isfinite(input.stream_beyond_bytes)) {
    if (std::optional<Block> block = stream_npy(file, input.stream_beyond_bytes))
      return std::move(*block);
  }
  return read_block(file, input.options, executor);
}

}  // namespace

Dataset read_dataset(const DataFiles& input, Executor* executor) {
  return Dataset(read_blocks(input, executor));
}

std::vector<Block> read_blocks(const DataFiles& input, Executor* executor) {
  const std::vector<Labels> names = read_item_names(input);
  std::vector<Block> blocks;
  if (!input.series_mode) {
    for (const std::string& file : input.files)
      blocks.push_back(with_names(read_or_stream(file, input, executor), input, names));
    return blocks;
  }
  const Index mode = *input.series_mode;
  if (input.files.size() != 1) {
    throw Error(
        ErrorCode::usage, "--series-mode",
        fmt::format("cuts one tensor into a series; {} inputs were given", input.files.size()));
  }
  const Block whole = with_names(read_block(input.files[0], input.options, executor), input, names);
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
