#pragma once
#include "gingham/io/attached.hpp"
#include "gingham/io/read_dataset.hpp"

namespace gingham {

// The dataset, with readers that give up before it takes more than `memory_bytes`.
Dataset read_within(DataFiles input, double memory_bytes);
std::vector<Block> read_blocks_within(DataFiles input, double memory_bytes);

// The files of the options attached, with a reader that gives up in the same way.
void attach_within(Options& options, double memory_bytes);

}  // namespace gingham
