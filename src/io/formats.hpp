// One reader per format, from any source of bytes; read_block chooses among them. For use inside io
// only.
#pragma once
#include <span>

#include "gingham/io/byte_source.hpp"
#include "gingham/io/pieces.hpp"
#include "gingham/io/read.hpp"

namespace gingham {

Block read_csv(ByteSource& source, char delimiter, const ReadOptions& options,
               const Pieces& pieces = {});
Block read_mtx(ByteSource& source, const ReadOptions& options, const Pieces& pieces = {});
Block read_tns(ByteSource& source, const ReadOptions& options, const Pieces& pieces = {});
Block read_npy(ByteSource& source, const ReadOptions& options);
std::vector<std::string> read_lines(ByteSource& source, const Limits& limits);
// `array` picks a member, empty: the sparse matrix or the only array.
// The members of a sparse matrix are read at the same time where there is an executor.
Block read_npz(const std::string& path, const std::string& array, const ReadOptions& options,
               Executor* executor = nullptr);
Block read_npz(const std::string& name, std::span<const char> bytes, const std::string& array,
               const ReadOptions& options, Executor* executor = nullptr);

// Refuses a sparse mode that is larger than its entries make plausible; `where` and the mode's
// number (from 0) are for the message. A shape the caller gave himself is only held against the
// 32-bit bound.
void check_sparse_size(Index size, Index entries, bool is_meant, Index mode,
                       const std::string& where);

}  // namespace gingham
