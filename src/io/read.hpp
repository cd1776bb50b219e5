// Data files to blocks.
//
// The kind of file is told by its name: .csv .tsv .mtx .npy .npz .tns, each also with .gz;
// "file.npz:name" picks an array. What is read is either exactly what the file says under the rules
// below, or an Error{input} whose where() is "file:line" or "file: byte N" and whose message says
// what was found and what was expected. Nothing is allocated on the word of a header.
//
// All formats: numbers in decimal notation with a point, whatever the locale; integers beyond 2^53
// become the nearest double; a value that no double can hold is refused, as are infinities; NaN is
// missing; a mode of size 0 is refused. Text files are UTF-8, with or without a mark, with LF or
// CRLF; blank lines are refused but at the end; a line of spaces is blank.
//
// .csv .tsv  A dense matrix. Quoted fields may hold the delimiter, doubled quotes and line ends; a
// quoted
//            number is a number. Spaces around a number are ignored. Empty, NA, NaN, nan, NAN =
//            missing. Labels (automatic): the first row is labels when none of its cells is a
//            number, the first column when none of its cells below the first row is. Missing
//            markers decide nothing: a row or column of nothing but these is data, and a first row
//            whose only text is its first cell is refused as ambiguous, and so is a number in a
//            first row of data above labels of rows. In a row or column of labels a missing marker
//            is the label it spells. A table of one row has row labels when its first cell is text.
//            Labels in a mode must differ.
// .mtx       coordinate (a sparse matrix) or array (a dense one); real, integer, pattern (ones);
// general,
//            symmetric and skew-symmetric (lower triangle in the file, expanded here, the diagonal
//            once).
// .tns       One entry per line, indices then the value; lines that start with '#' may come first.
// One or two
//            modes give a sparse matrix (n x 1 for one), more a sparse tensor. Without `shape` the
//            largest index is the size.
// .npy       Versions 1 to 3, float16/32/64, integers, bool, both byte orders, C and Fortran order.
// One mode
//            gives an n x 1 matrix, two a matrix, more a tensor.
// .npz       What scipy.sparse.save_npz writes (csr, csc, coo), or an array like a .npy; several
// arrays need
//            a name.
//
// Sparse data: a mode has at most 2^31 - 1 items, and unless `shape` says that it is meant, at most
// 4194304 or 256 times the number of entries, whichever is more (a damaged size must not fill the
// memory).
#pragma once
#include <string>
#include <vector>

#include "gingham/data/dataset.hpp"
#include "gingham/io/limits.hpp"

namespace gingham {

class Executor;

// Which modes of a .csv or .tsv have labels: `rows` = the first column holds labels of rows,
// `columns` = the first row holds labels of columns.
enum class LabelMode { automatic, none, rows, columns, both };

struct ReadOptions {
  Unlisted unlisted = Unlisted::zero;  // what a sparse file means where it lists nothing
  Index index_base = 1;                // of .mtx and .tns; 0 or 1, never guessed
  Duplicates duplicates = Duplicates::error;
  LabelMode labels = LabelMode::automatic;
  Shape shape{};  // of sparse files: the size of a .tns; for .mtx and .npz it must agree with the
                  // file
  Limits limits{};
};

// On the threads of `executor` where one is given; the block, or the error, is the same without.
// Throws Error{input}; Error{memory} when what the file holds does not fit into memory;
// Error{usage} for an index base other than 0 and 1. The block is called by the path, as it is
// shown.
GINGHAM_API Block read_block(const std::string& path, const ReadOptions& options = {},
                             Executor* executor = nullptr);

}  // namespace gingham
