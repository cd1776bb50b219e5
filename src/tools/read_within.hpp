#pragma once
#include "gingham/io/read_dataset.hpp"

namespace gingham {

// The dataset, with readers that give up before it takes more than `memory_bytes`.
Dataset read_within(DataFiles input, double memory_bytes);
std::vector<Block> read_blocks_within(DataFiles input, double memory_bytes);

}  // namespace gingham
