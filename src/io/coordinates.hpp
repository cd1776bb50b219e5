// Entries of a sparse file on their way to a block: read line by line, in the order of the file.
#pragma once
#include <string_view>
#include <vector>

#include "gingham/io/formats.hpp"
#include "gingham/io/lines.hpp"
#include "gingham/io/pieces.hpp"

namespace gingham {

// Entries of a piece of the file, of which the first `size` count.
struct EntryPiece {
  std::vector<std::vector<std::int32_t>> coordinates;
  std::vector<double> values;
  Index size = 0;
};

// Takes entries that are plain: indices within their limits, the value a number or NaN, and spaces.
struct EntryParser {
  Shape limits;  // per mode
  bool has_value = true, integers = false;
  Index index_base = 1;
  Index max_above = kMaxSparseModeSize;  // of two modes: how far from the diagonal to the right
  Index max_line_bytes = 0;

  Taken parse(std::string_view text, EntryPiece& piece) const;

 private:
  const char* take_entry(const char* at, const char* end, EntryPiece& piece) const;
  const char* take_value(const char* at, const char* end, double& value) const;
};

class EntryReader {
 public:
  // `has_value`: the last field of a line is the value; otherwise it is 1. `integers`: it must be
  // one.
  EntryReader(LineReader& lines, const ReadOptions& options, const Pieces& pieces, Index modes,
              bool has_value, bool integers);

  // Takes the entry on the current line. The indices must be at least the index base and below base
  // + limit of their mode, where the limits are known, and fit 32 bits.
  void take(const Shape& limits);
  // Takes the entries that follow, as far as they need no thought, up to `max_entries` in all. Of
  // two modes the second index may be at most `max_above` above the first.
  void take_plain(const Shape& limits, Index max_entries, Index max_above = kMaxSparseModeSize);

  Index entries() const { return values_.size(); }
  std::int32_t index(Index mode, Index entry) const { return coordinates_[mode][entry]; }
  Shape largest() const;  // index + 1 per mode, over all entries
  Index last_line() const { return last_line_; }

  // Adds (column, row, value or -value) for every entry off the diagonal of a matrix.
  void mirror(bool negated);

  // The block of what was taken: a sparse matrix for one or two modes, a sparse tensor for more.
  // Errors about duplicates name the lines.
  Block finish(const std::string& name, Shape shape);

 private:
  Index line_of(Index entry) const;
  bool keep(Index n_slots, Index max_entries);

  LineReader& lines_;
  PieceReader pieces_;
  const ReadOptions& options_;
  Index modes_;
  bool has_value_, integers_;
  Index first_line_ = 0;
  Index last_line_ = 0;
  Index listed_ = -1;            // entries before mirroring
  std::vector<Index> diagonal_;  // those of them that have no mirror image
  std::vector<Gathered<std::int32_t>> coordinates_;
  Gathered<double> values_;
  std::vector<std::string_view> fields_;
  std::vector<EntryPiece> slots_;
};

// The next line that is neither blank nor the end; blank lines must be followed by nothing else.
bool next_entry_line(LineReader& lines);

}  // namespace gingham
