#include "gingham/tools/read_within.hpp"

#include <algorithm>

namespace gingham {

Dataset read_within(DataFiles input, double memory_bytes) {
  return Dataset(read_blocks_within(std::move(input), memory_bytes));
}

std::vector<Block> read_blocks_within(DataFiles input, double memory_bytes) {
  constexpr double kLargest = 9e18, kTextPerNumber = 2.0;  // bytes of a file per byte of numbers
  Limits& limits = input.options.limits;
  limits.max_bytes =
      std::min(limits.max_bytes,
               static_cast<Index>(std::min(8.0 * kTextPerNumber * memory_bytes, kLargest)));
  limits.max_entries =
      std::min(limits.max_entries, static_cast<Index>(std::min(memory_bytes / 8.0, kLargest)));
  return read_blocks(input);
}

}  // namespace gingham
