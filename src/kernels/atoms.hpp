// A dictionary ready for coding: one atom per row, padded with zeros to whole vectors, with its
// squared length, and packed so that products of many rows with all atoms run at the speed of a
// matrix product. T is double or float.
#pragma once
#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham {

template <class T>
class Atoms {
 public:
  Atoms() = default;
  Atoms(Index count, Index length);  // zeros

  Index count() const { return count_; }
  Index length() const { return length_; }
  Index stride() const { return stride_; }  // values from one atom, or one padded row, to the next
  Index width() const { return width_; }    // of a row of products: count and zeros behind it
  const T* row(Index j) const { return rows_.data() + j * stride_; }
  T* row(Index j) { return rows_.data() + j * stride_; }
  T square(Index j) const { return squares_.data()[j]; }  // |d_j|^2
  const T* squares() const { return squares_.data(); }
  const T* inverses() const { return inverses_.data(); }  // 1 / |d_j|^2, 0 for a zero atom
  Index bytes() const { return rows_.bytes() + packed_.bytes() + 2 * squares_.bytes(); }

  // After rows have changed: their squares and the packed form.
  void refresh(Executor& executor);
  // After row j has changed: its square alone; the packed form is old then.
  void measure(Index j);
  // out[i * width() + j] = d_j^T row_i for n rows, stride() values apart with zeros behind
  // length(). The bits of row i of the result depend on that row and the atoms alone.
  void products(const T* rows, Index n, T* out) const;

  bool is_fresh() const { return is_fresh_; }  // false when refresh() is due

  // The atoms themselves; refresh() is due after reading.
  template <class Archive>
  void state(Archive& ar) {
    Index count = count_, length = length_;
    ar("count", count)("length", length);
    if (ar.reading()) {
      // No more than the bytes that follow can hold is made on their word.
      Array<T> rows;
      ar("rows", rows);
      if (count < 0 || length < 0 || (count > 0 && rows.size() / count < length) ||
          rows.size() != count * stride_of(length))
        throw Error(ErrorCode::input, "", "saved state: not a dictionary");
      *this = Atoms(count, length);
      rows_ = std::move(rows);
      is_fresh_ = false;
    } else {
      ar("rows", rows_);
    }
  }

 private:
  static Index stride_of(Index length);
  void set_square(Index j);

  bool is_fresh_ = true;
  Index count_ = 0, length_ = 0, stride_ = 0, width_ = 0;
  Array<T> rows_, packed_, squares_, inverses_;
};

}  // namespace gingham
