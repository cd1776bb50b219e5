#include "gingham/tools/read_within.hpp"

#include <algorithm>
#include <limits>

namespace gingham {
namespace {

constexpr double kLineBytes = 3.0 * sizeof(std::string);  // of a list that grows

Index whole(double number) { return static_cast<Index>(std::min(number, 9e18)); }

}  // namespace

Rows rows_for(const MethodInfo& info, const Options& options) {
  return info.streams && info.streams(options) ? Rows::may_be_streamed : Rows::in_memory;
}

double stream_beyond(double memory_bytes, Rows rows) {
  constexpr double kLarge = 1e9, kShareOfMemory = 0.25;
  if (rows == Rows::in_memory) return std::numeric_limits<double>::infinity();
  return std::min(kLarge, kShareOfMemory * memory_bytes);
}

Dataset read_within(DataFiles input, double memory_bytes, Rows rows, Executor* executor) {
  return Dataset(read_blocks_within(std::move(input), memory_bytes, rows, executor));
}

DataFiles files_of(const Dataset& data) {
  DataFiles input;
  for (const Block& block : data.blocks()) {
    input.files.push_back(block.name());
    if (block.unlisted() == Unlisted::missing) input.options.unlisted = Unlisted::missing;
  }
  return input;
}

DataFiles recorded_files(const DataFiles& input, const std::optional<Dataset>& data) {
  return data && input.files.empty() ? files_of(*data) : input;
}

void attach_within(Options& options, double memory_bytes) {
  Limits limits;
  limits.max_bytes = std::min(limits.max_bytes, whole(memory_bytes));
  limits.max_entries = std::min(limits.max_entries, whole(memory_bytes / kLineBytes));
  attach_files(options, limits);
}

std::vector<Block> read_blocks_within(DataFiles input, double memory_bytes, Rows rows,
                                      Executor* executor) {
  constexpr double kTextPerNumber = 2.0;  // bytes of a file per byte of numbers
  Limits& limits = input.options.limits;
  limits.max_bytes = std::min(limits.max_bytes, whole(8.0 * kTextPerNumber * memory_bytes));
  limits.max_entries = std::min(limits.max_entries, whole(memory_bytes / 8.0));
  input.stream_beyond_bytes = stream_beyond(memory_bytes, rows);
  return read_blocks(input, executor);
}

}  // namespace gingham
