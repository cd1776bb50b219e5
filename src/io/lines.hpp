// Lines of a text file, and the numbers in them.
#pragma once
#include <exception>
#include <string_view>
#include <vector>

#include "gingham/io/byte_source.hpp"

namespace gingham {

// Hands out one line at a time without its end ("\n" or "\r\n"). A UTF-8 mark at the start is
// skipped, UTF-16 is refused. Holds one line and one chunk of the file in memory, or what was asked
// for ahead.
class LineReader {
 public:
  LineReader(ByteSource& source, const Limits& limits);

  // Moves to the next line; false at the end of the file. Views of the line before become invalid.
  bool next();
  // Appends the following line to this one, with the line end between them; false at the end of the
  // file.
  bool extend();

  // The whole lines that follow among the next `bytes` of the file, with their ends; empty where
  // the next line is longer, or the last without an end. The current line becomes invalid. next()
  // still hands them out, unless skip() goes behind the first `n_lines` of them, `bytes` long.
  std::string_view ahead(std::size_t bytes);
  void skip(std::size_t bytes, Index n_lines);
  // Reads up to `bytes` of what follows in the file, for later. Another thread may do so while this
  // one looks at what ahead() gave. What goes wrong is reported when the bytes before it are used
  // up.
  void prefetch(std::size_t bytes);

  std::string_view line() const { return {buffer_.data() + begin_, length_}; }
  Index number() const { return number_; }  // of the (first) line, from 1
  Index max_line_bytes() const { return max_line_bytes_; }
  // Bytes after this line, where known.
  std::optional<Index> remaining() const;

  std::string where() const { return where(number_); }  // "file:line"
  std::string where(Index number) const;
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  bool find_end(std::size_t from);
  bool fill(std::size_t wanted = 0);
  std::size_t take(char* out, std::size_t size);
  void swap_in();
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
  // What was read for later: bytes [later_begin_, later_end_) of `later_`, then perhaps an error.
  std::vector<char> later_;
  std::size_t later_begin_ = 0, later_end_ = 0;
  std::exception_ptr failure_;
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
