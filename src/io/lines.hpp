// Lines of a text file, and the numbers in them.
#pragma once
#include <string_view>
#include <vector>

#include "gingham/io/byte_source.hpp"

namespace gingham {

// Hands out one line at a time without its end ("\n" or "\r\n"). A UTF-8 mark at the start is
// skipped, UTF-16 is refused. Holds one line and one chunk of the file in memory.
class LineReader {
 public:
  LineReader(ByteSource& source, const Limits& limits);

  // Moves to the next line; false at the end of the file. Views of the line before become invalid.
  bool next();
  // Appends the following line to this one, with the line end between them; false at the end of the
  // file.
  bool extend();

  std::string_view line() const { return {buffer_.data() + begin_, length_}; }
  Index number() const { return number_; }  // of the (first) line, from 1
  // Bytes after this line, where known.
  std::optional<Index> remaining() const;

  std::string where() const { return where(number_); }  // "file:line"
  std::string where(Index number) const;
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  bool find_end(std::size_t from);
  bool fill();
  void check_mark();

  ByteSource& source_;
  Index max_line_bytes_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;   // of the line
  std::size_t length_ = 0;  // without its end
  std::size_t next_ = 0;    // first byte after the line's end
  std::size_t filled_ = 0;
  Index number_ = 0;
  Index lines_ = 0;  // handed out, extended ones included
  bool at_end_ = false;
};

// What a field of text is.
enum class Cell {
  number,
  missing,
  text,
  infinite,   // "inf" and its kin
  unreadable  // a number that no double can hold, or with absurdly many digits
};

// The whole field as a number: decimal notation, a leading '+' allowed, no spaces. "nan" in any
// case, without a sign, is missing.
Cell parse_value(std::string_view field, double& value);

// What was wrong with a field that is not a number, and what would be right.
std::string describe_bad_value(Cell cell, std::string_view field);

// Fields separated by one or more spaces; spaces at the ends of the line do not count.
void split_fields(std::string_view line, std::vector<std::string_view>& fields);

// Throws Error{input} at `where` unless `label` is valid UTF-8 without control characters and not
// too long. Line ends are allowed where a quoted field may hold them.
void check_label(std::string_view label, const std::string& where, bool allow_line_ends = false);

// Throws Error{input} at `where` when two labels are the same.
void check_distinct(const std::vector<std::string>& labels, const std::string& where,
                    const char* what);

}  // namespace gingham
