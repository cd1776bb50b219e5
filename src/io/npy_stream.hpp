// A dense .npy file read in blocks of rows, for input larger than memory.
#pragma once
#include <span>
#include <string>

#include "gingham/io/byte_source.hpp"
#include "gingham/io/npy.hpp"

namespace gingham {

class GINGHAM_API NpyStream {
 public:
  // Opens the file and checks its header against its length. One mode is n x 1; more than two are
  // rows of everything else, in C order only. Throws Error{input}.
  explicit NpyStream(const std::string& path, const Limits& limits = {});

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  const Shape& shape() const { return header_.shape; }
  const std::string& name() const { return file_.name(); }  // as shown in messages
  // Whether rows lie one after the other: then they are read in one piece.
  bool is_by_rows() const { return !header_.fortran_order || cols_ == 1; }
  bool is_float32() const { return header_.kind == 'f' && header_.item_bytes == 4; }

  // Rows first ... first + count - 1, row by row, into `out` of count * cols() values. NaN is
  // missing; infinities, a file that has changed its size and rows outside of the file are
  // Error{input}. Floats are the nearest to the doubles; one that would be infinite is
  // Error{input}. May be called by several threads at once.
  void read_rows(Index first, Index count, std::span<double> out) const;
  void read_rows(Index first, Index count, std::span<float> out) const;

  // Throws Error{input} when the file has changed since it was opened.
  void check_unchanged() const { file_.check_unchanged(); }

 private:
  template <class T>
  void read_any(Index first, Index count, std::span<T> out) const;

  InputFile file_;
  NpyHeader header_;
  Index rows_ = 0;
  Index cols_ = 0;
};

}  // namespace gingham
