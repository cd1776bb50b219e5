// A matrix whose rows are read when they are needed: data larger than memory.
#pragma once
#include <span>

#include "gingham/base/function_ref.hpp"
#include "gingham/base/index.hpp"

namespace gingham {

class GINGHAM_API RowSource {
 public:
  RowSource() = default;
  virtual ~RowSource();
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  // Rows first ... first + count - 1, row by row, into `out` of count * cols() values, NaN where
  // one is missing: the same values whenever they are asked for, as floats the nearest to the
  // doubles. Throws Error{input} when the source is not what it was any more. May be called by
  // several threads at once.
  virtual void read_rows(Index first, Index count, std::span<double> out) const = 0;
  virtual void read_rows(Index first, Index count, std::span<float> out) const = 0;
};

// Calls visit(first, values) for runs of whole rows in order, each of about a megabyte or one row.
void for_each_run(const RowSource& source,
                  FunctionRef<void(Index first, std::span<const double> values)> visit);

}  // namespace gingham
