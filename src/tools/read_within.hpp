#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/io/attached.hpp"
#include "gingham/io/read_dataset.hpp"

namespace gingham {

// Whether rows that are read when needed will do. A file is read so where its values would take
// more than a gigabyte or a quarter of the memory.
enum class Rows { in_memory, may_be_streamed };

// What the method with these options takes.
Rows rows_for(const MethodInfo& info, const Options& options);

// The dataset, with readers that give up before it takes more than `memory_bytes`, on the threads
// of `executor` where one is given.
Dataset read_within(DataFiles input, double memory_bytes, Rows rows = Rows::in_memory,
                    Executor* executor = nullptr);
std::vector<Block> read_blocks_within(DataFiles input, double memory_bytes,
                                      Rows rows = Rows::in_memory, Executor* executor = nullptr);
// DataFiles::stream_beyond_bytes for them.
double stream_beyond(double memory_bytes, Rows rows);

// What is recorded of data that came from memory: their names as files, and what unlisted means.
DataFiles files_of(const Dataset& data);
// What is recorded of the data of a run: `input`, or where it names no files and data are there,
// these.
DataFiles recorded_files(const DataFiles& input, const std::optional<Dataset>& data);

// The files of the options attached, with a reader that gives up in the same way.
void attach_within(Options& options, double memory_bytes);

}  // namespace gingham
