#include "gingham/tools/read_within.hpp"

#include <algorithm>

namespace gingham {
namespace {

constexpr double kLineBytes = 3.0 * sizeof(std::string);  // of a list that grows

Index whole(double number) { return static_cast<Index>(std::min(number, 9e18)); }

}  // namespace

Dataset read_within(DataFiles input, double memory_bytes) {
  return Dataset(read_blocks_within(std::move(input), memory_bytes));
}

void attach_within(Options& options, double memory_bytes) {
  Limits limits;
  limits.max_bytes = std::min(limits.max_bytes, whole(memory_bytes));
  limits.max_entries = std::min(limits.max_entries, whole(memory_bytes / kLineBytes));
  attach_files(options, limits);
}

std::vector<Block> read_blocks_within(DataFiles input, double memory_bytes) {
  constexpr double kTextPerNumber = 2.0;  // bytes of a file per byte of numbers
  Limits& limits = input.options.limits;
  limits.max_bytes = std::min(limits.max_bytes, whole(8.0 * kTextPerNumber * memory_bytes));
  limits.max_entries = std::min(limits.max_entries, whole(memory_bytes / 8.0));
  return read_blocks(input);
}

}  // namespace gingham
