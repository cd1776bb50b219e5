// The header of an NPY file: magic, version, length, and a dictionary like
//   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "gingham/base/text.hpp"
#include "gingham/io/npy.hpp"

namespace gingham {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr Index kMaxHeaderBytes = 65535;

// Walks over the dictionary; every complaint names the byte.
class DictionaryParser {
 public:
  DictionaryParser(const ByteSource& source, std::string_view text, Index offset,
                   const Limits& limits)
      : source_(source), text_(text), offset_(offset), limits_(limits) {}

  NpyHeader parse(bool allow_text) {
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !has_descr) {
        has_descr = true;
        descr(allow_text);
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        header_.fortran_order = boolean();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        shape();
      } else {
        refuse(fmt::format("found the key '{}'; expected descr, fortran_order and shape, each once",
                           printable(key, 60)));
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (at_ != text_.size())
      refuse("found more after the header's dictionary; expected spaces and a line end");
    if (!has_descr || !has_order || !has_shape) {
      refuse("the header lacks a key; expected descr, fortran_order and shape");
    }
    return header_;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    source_.refuse_at(offset_ + static_cast<Index>(at_), message);
  }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) {
      refuse(fmt::format("found '{}' in the header; expected '{}'",
                         printable(text_.substr(at_, 10)), c));
    }
  }
  std::string quoted() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') {
      refuse(fmt::format("found '{}' in the header; expected a quoted word",
                         printable(text_.substr(at_, 10))));
    }
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) refuse("found no closing quote in the header; expected one");
    const std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }
  bool boolean() {
    skip_space();
    for (const auto& [word, value] :
         {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    refuse("found something else as fortran_order; expected True or False");
  }
  void shape() {
    expect('(');
    bool comma = true;
    while (!take(')')) {
      if (!comma) refuse("found no comma in the shape; expected one between sizes");
      skip_space();
      const std::size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
      const std::optional<Index> size = parse_integer(text_.substr(at_, end - at_));
      if (!size) {
        refuse(fmt::format("found '{}' in the shape; expected sizes",
                           printable(text_.substr(at_, 24))));
      }
      if (static_cast<Index>(header_.shape.size()) == limits_.max_modes) {
        refuse(fmt::format("the array has more than {} modes; expected fewer (max_modes)",
                           limits_.max_modes));
      }
      header_.shape.push_back(*size);
      at_ = end;
      comma = take(',');
    }
    if (header_.shape.size() == 1 && !comma)
      refuse("found a number in brackets as shape; expected a tuple");
  }
  void descr(bool allow_text) {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[') {
      refuse("found a structured array; expected plain numbers (save its fields one by one)");
    }
    const std::string word = quoted();
    if (word.size() < 3) refuse_type(word);
    const char order = word[0];
    header_.kind = word[1];
    const std::optional<Index> bytes = parse_integer(std::string_view(word).substr(2));
    if (word[1] == 'O')
      refuse("found an object array; expected plain numbers (objects are never loaded)");
    if (word[1] == 'c') refuse("found complex numbers; expected real ones");
    if (word[1] == 'V') refuse("found raw or structured data; expected plain numbers");
    if (word[1] == 'M' || word[1] == 'm') refuse("found dates or times; expected plain numbers");
    const bool is_text = word[1] == 'S' || word[1] == 'U' || word[1] == 'a';
    if (is_text && !allow_text) refuse("found strings; expected plain numbers");
    if (word[2] < '0' || word[2] > '9' || !bytes) refuse_type(word);
    header_.item_bytes = *bytes;
    header_.big_endian = order == '>';
    const bool known = word[1] == 'f'   ? *bytes == 2 || *bytes == 4 || *bytes == 8
                       : word[1] == 'b' ? *bytes == 1
                       : word[1] == 'i' || word[1] == 'u'
                           ? *bytes == 1 || *bytes == 2 || *bytes == 4 || *bytes == 8
                           : is_text && *bytes >= 1 && *bytes <= 64;
    const bool order_known = order == '<' || order == '>' || order == '=' ||
                             (order == '|' && (*bytes == 1 || word[1] == 'S'));
    if (!known || !order_known) refuse_type(word);
  }
  [[noreturn]] void refuse_type(const std::string& word) const {
    refuse(fmt::format(
        "found the type '{}'; expected float16, float32, float64, an integer type or bool",
        printable(word, 60)));
  }

  const ByteSource& source_;
  std::string_view text_;
  Index offset_;
  const Limits& limits_;
  std::size_t at_ = 0;
  NpyHeader header_;
};

}  // namespace

NpyHeader read_npy_header(ByteSource& source, const Limits& limits, bool allow_text,
                          bool allow_empty) {
  std::array<char, 12> start{};
  const Index begin = source.offset();
  if (source.read_full(start.data(), 8) < 8 || std::string_view(start.data(), 6) != kMagic) {
    source.refuse_at(begin, "found no NPY file; expected it to start with \\x93NUMPY");
  }
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3 || start[7] != 0) {
    source.refuse_at(begin + 6, fmt::format("found NPY version {}.{}; expected 1.0, 2.0 or 3.0",
                                            version, static_cast<unsigned char>(start[7])));
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (source.read_full(start.data() + 8, length_bytes) < length_bytes) {
    source.refuse_at(source.offset(), "the file ends in its header; expected the header's length");
  }
  Index length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    length |= static_cast<Index>(static_cast<unsigned char>(start[8 + i])) << (8 * i);
  }
  if (length > kMaxHeaderBytes || (source.remaining() && length > *source.remaining())) {
    source.refuse_at(
        begin + 8,
        fmt::format("found a header length of {}; expected at most {} and within the file", length,
                    kMaxHeaderBytes));
  }
  std::string text(static_cast<std::size_t>(length), '\0');
  const Index text_offset = source.offset();
  if (source.read_full(text.data(), text.size()) < text.size()) {
    source.refuse_at(source.offset(), "the file ends in its header; expected the rest of it");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) > 0x7E) {
      source.refuse_at(text_offset + static_cast<Index>(i),
                       "found a character beyond ASCII in the header; expected plain text");
    }
  }
  NpyHeader header = DictionaryParser(source, text, text_offset, limits).parse(allow_text);
  header.data_offset = source.offset();
  for (const Index size : header.shape) {
    if (size == 0 && !allow_empty) {
      source.refuse_at(begin,
                       fmt::format("found the shape {}; expected at least one item in each mode",
                                   shape_text(header.shape)));
    }
    if (__builtin_mul_overflow(header.count, size, &header.count)) {
      source.refuse_at(
          begin, fmt::format("found the shape {}; expected fewer cells than 64 bits can count",
                             shape_text(header.shape)));
    }
  }
  Index bytes = 0;
  const Index width = header.kind == 'U' ? 4 * header.item_bytes : header.item_bytes;
  if (__builtin_mul_overflow(header.count, width, &bytes) || header.count > limits.max_entries) {
    source.refuse_at(begin, fmt::format("found {} values; expected at most {} (max_entries)",
                                        header.count, limits.max_entries));
  }
  if (source.remaining() && *source.remaining() != bytes) {
    source.refuse_at(
        header.data_offset,
        fmt::format("found {} bytes of values; expected {} for the shape ({}) of {} byte each",
                    *source.remaining(), bytes, shape_text(header.shape), width));
  }
  return header;
}

}  // namespace gingham
