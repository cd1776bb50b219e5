// Blocks to data files that read_block, NumPy, SciPy and pandas read back as the same bits.
#pragma once
#include <span>
#include <string>

#include "gingham/data/dataset.hpp"
#include "gingham/io/sink.hpp"

namespace gingham {

// Writes the file whole or not at all (io/atomic.hpp); an existing file is replaced. The kind is
// told by the name, each also with .gz:
//   .csv .tsv  matrices, with labels; unlisted cells of a sparse matrix as 0, or NaN where they are
//   missing .mtx       dense matrices as arrays, sparse ones as coordinates .npy       dense
//   matrices and tensors, float64 in C order .npz       sparse matrices as scipy.sparse.save_npz
//   does; dense arrays as arr_0 .tns       anything, the listed entries (all cells of a dense
//   block)
// Other pairs are Error{usage}. Only .csv and .tsv keep labels, and labels that are all numbers
// need
// --labels when read again.
GINGHAM_API void write_block(const Block& block, const std::string& path);

// Into any sink; none of these finishes it. All throw Error{output} when the sink does.
GINGHAM_API void write_table(ByteSink& sink, const Block& block, char delimiter);
// What comes before the values of a .npy in C order; `type` as NumPy writes it: "<f4".
GINGHAM_API void write_npy_header(ByteSink& sink, const char* type, const Shape& shape);
GINGHAM_API void write_npy(ByteSink& sink, std::span<const double> values, const Shape& shape);
GINGHAM_API void write_npy(ByteSink& sink, std::span<const Index> values,
                           const Shape& shape);  // int64
GINGHAM_API void write_npy(ByteSink& sink, const Matrix& matrix);
GINGHAM_API void write_npy(ByteSink& sink, const Tensor& tensor);
GINGHAM_API void write_npz_sparse(ByteSink& sink, const SparseMatrix& matrix);
GINGHAM_API void write_npz(ByteSink& sink, const Block& block);
GINGHAM_API void write_mtx(ByteSink& sink, const Block& block);
GINGHAM_API void write_tns(ByteSink& sink, const Block& block);

// `text` as a field of a table: in quotes, with quotes inside doubled, where it would be misread
// otherwise.
GINGHAM_API std::string table_field(std::string_view text, char delimiter);

}  // namespace gingham
