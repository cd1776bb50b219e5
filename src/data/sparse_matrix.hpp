// Sparse matrices in compressed rows; the compressed columns are made when first asked for, and
// kept.
//
// Entries of row i are columns[k], values[k] for pointers[i] <= k < pointers[i+1], columns rising.
// An entry that is listed may be zero: listed and unlisted are different things where unlisted
// means missing.
#pragma once
#include <memory>

#include "gingham/base/memory.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham {

// What to do with several entries at the same place.
enum class Duplicates { error, sum };

class GINGHAM_API SparseMatrix {
 public:
  SparseMatrix() : SparseMatrix(0, 0, Array<Index>(1), {}, {}) {}
  // Checks everything said above once; throws Error{input}.
  SparseMatrix(Index rows, Index cols, Array<Index> pointers, Array<std::int32_t> columns,
               Array<double> values);
  // From entries in any order; throws Error{input} for lists of different lengths and for an index
  // out of range, and DuplicateEntry where the rule says so.
  static SparseMatrix from_triplets(Index rows, Index cols, Array<std::int32_t> row,
                                    Array<std::int32_t> column, Array<double> value,
                                    Duplicates duplicates);

  // The cells that are not zero (a NaN is not).
  static SparseMatrix from_dense(const Matrix& x);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index entries() const { return values_.size(); }
  std::span<const Index> pointers() const { return pointers_.span(); }
  std::span<const std::int32_t> columns() const { return columns_.span(); }
  std::span<const double> values() const { return values_.span(); }
  Index bytes() const { return pointers_.bytes() + columns_.bytes() + values_.bytes(); }

  // The transpose, in the same form: its "rows" are the columns of this. Made once, by whoever asks
  // first.
  const SparseMatrix& transposed() const;

 private:
  struct Trusted {};
  SparseMatrix(Trusted, Index rows, Index cols, Array<Index> pointers, Array<std::int32_t> columns,
               Array<double> values);
  struct Lazy;
  Index rows_;
  Index cols_;
  Array<Index> pointers_;
  Array<std::int32_t> columns_;
  Array<double> values_;
  std::shared_ptr<Lazy> lazy_;
};

// Two entries at one place: their positions in the order given, counted from 0.
class GINGHAM_API DuplicateEntry : public Error {
 public:
  DuplicateEntry(Index first, Index second, const std::string& place)
      : Error(ErrorCode::input, "", "two entries at " + place), first_(first), second_(second) {}
  ~DuplicateEntry() override;
  Index first() const { return first_; }
  Index second() const { return second_; }

 private:
  Index first_, second_;
};

}  // namespace gingham
