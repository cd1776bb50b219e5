// The NPY format: a header in the notation of Python, then the values. For use inside io.
#pragma once
#include <string_view>

#include "gingham/io/byte_source.hpp"
#include "gingham/io/read.hpp"

namespace gingham {

struct NpyHeader {
  char kind = 'f';  // f float, i signed, u unsigned, b bool, S bytes, U text
  Index item_bytes = 8;
  bool big_endian = false;
  bool fortran_order = false;
  Shape shape;            // empty for a single value
  Index count = 1;        // product of the shape
  Index data_offset = 0;  // where the values start
};

// Reads up to the first value. Throws Error{input} for anything but plain numbers; bytes and text
// (what scipy.sparse keeps a format's name in) and a size of 0 only pass if asked for.
NpyHeader read_npy_header(ByteSource& source, const Limits& limits, bool allow_text = false,
                          bool allow_empty = false);

// `count` values as they lie in the file. Throws nothing; infinities come out as they are.
void convert_npy(const NpyHeader& header, const char* raw, Index count, double* out);
void convert_npy(const NpyHeader& header, const char* raw, Index count, float* out);
void convert_npy(const NpyHeader& header, const char* raw, Index count,
                 Index* out);  // integer kinds only

// All values in the order of the file, and the end of the file behind them. Infinities are refused,
// and bools other than 0 and 1. The header has been read just before.
Array<double> read_npy_values(ByteSource& source, const NpyHeader& header);
Array<Index> read_npy_integers(ByteSource& source, const NpyHeader& header);

// The array as a block, whatever its number of modes.
Block npy_block(ByteSource& source, const ReadOptions& options);

// What comes before the values of an array in C order, of a type as NumPy names it: "<f8".
std::string npy_start(const Shape& shape, const char* type);

// Throws Error{input} when one of the `count` values from number `first` on is infinite.
void refuse_infinite(const double* values, Index count, Index first, const NpyHeader& header,
                     const std::string& name);
// The same for a bool that is neither 0 nor 1.
void refuse_bad_bools(const double* values, Index count, Index first, const NpyHeader& header,
                      const std::string& name);

}  // namespace gingham
