// Entries of a sparse file on their way to a block: read line by line, in the order of the file.
#pragma once
#include <string_view>
#include <vector>

#include "gingham/io/formats.hpp"
#include "gingham/io/lines.hpp"

namespace gingham {

class EntryReader {
 public:
  // `has_value`: the last field of a line is the value; otherwise it is 1. `integers`: it must be
  // one.
  EntryReader(LineReader& lines, const ReadOptions& options, Index modes, bool has_value,
              bool integers);

  // Takes the entry on the current line. The indices must be at least the index base and below base
  // + limit of their mode, where the limits are known, and fit 32 bits.
  void take(const Shape& limits);

  Index entries() const { return values_.size(); }
  std::int32_t index(Index mode, Index entry) const { return coordinates_[mode][entry]; }
  const Shape& largest() const { return largest_; }  // index + 1 per mode, over all entries
  Index last_line() const { return last_line_; }

  // Adds (column, row, value or -value) for every entry off the diagonal of a matrix.
  void mirror(bool negated);

  // The block of what was taken: a sparse matrix for one or two modes, a sparse tensor for more.
  // Errors about duplicates name the lines.
  Block finish(const std::string& name, Shape shape);

 private:
  Index line_of(Index entry) const;

  LineReader& lines_;
  const ReadOptions& options_;
  Index modes_;
  bool has_value_, integers_;
  Index first_line_ = 0;
  Index last_line_ = 0;
  Index listed_ = -1;            // entries before mirroring
  std::vector<Index> diagonal_;  // those of them that have no mirror image
  Shape largest_;
  std::vector<GrowingArray<std::int32_t>> coordinates_;
  GrowingArray<double> values_;
  std::vector<std::string_view> fields_;
};

// The next line that is neither blank nor the end; blank lines must be followed by nothing else.
bool next_entry_line(LineReader& lines);

}  // namespace gingham
