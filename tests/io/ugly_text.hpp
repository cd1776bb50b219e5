// Random text files of the formats, most of them nearly right: ragged rows, bad numbers, quotes,
// CRLF, comments, missing line ends, duplicates, indices out of range.
#pragma once
#include <initializer_list>
#include <string>

#include "gingham/base/rng.hpp"
#include "gingham/io/read.hpp"

namespace gingham::testing {

class UglyText {
 public:
  explicit UglyText(std::uint64_t seed) : rng_(Rng::named(seed, "ugly")) {}

  std::string table(char delimiter) {
    const Index rows = rng_.below(14), fields = 1 + rng_.below(5);
    const bool has_labels = chance(0.4), has_header = chance(0.4), is_quoted = chance(0.1);
    const double odd = chance(0.5) ? 0.0 : 0.1;
    begin();
    if (has_header) {
      for (Index j = 0; j < fields; ++j)
        text_ += (j > 0 ? std::string(1, delimiter) : "") + label(j, odd);
      end_line();
    }
    for (Index i = 0; i < rows; ++i) {
      const Index here = chance(0.02) ? rng_.below(7) : fields;
      for (Index j = 0; j < here; ++j) {
        if (j > 0) text_ += delimiter;
        const std::string field = j == 0 && has_labels ? label(i, odd) : cell(odd);
        text_ += is_quoted && !field.starts_with('"') ? "\"" + field + "\"" : field;
      }
      end_line();
    }
    return finished();
  }

  std::string tensor() {
    const Index modes = 1 + rng_.below(4), size = 1 + rng_.below(chance(0.3) ? 3 : 40);
    begin();
    for (Index i = rng_.below(3); i > 0; --i) {
      text_ += "# a comment";
      end_line();
    }
    entries(rng_.below(20), Shape(static_cast<std::size_t>(modes), size), true, false, false);
    return finished();
  }

  std::string matrix_market() {
    const std::string field = any({"real", "real", "integer", "pattern"});
    const std::string symmetry = any({"general", "general", "symmetric", "skew-symmetric"});
    const bool is_array = chance(0.3);
    begin();
    text_ += std::string("%%MatrixMarket matrix ") + (is_array ? "array " : "coordinate ") + field +
             " " + symmetry;
    end_line();
    for (Index i = rng_.below(3); i > 0; --i) {
      text_ += "% a comment";
      end_line();
    }
    const Index rows = 1 + rng_.below(6);
    const Index columns = symmetry == "general" ? 1 + rng_.below(6) : rows;
    const Index cells = symmetry == "general"     ? rows * columns
                        : symmetry == "symmetric" ? rows * (rows + 1) / 2
                                                  : rows * (rows - 1) / 2;
    const Index listed = is_array ? cells : rng_.below(cells + 1);
    const Index promised = listed + (chance(0.1) ? rng_.below(3) - 1 : 0);
    text_ += std::to_string(rows) + " " + std::to_string(columns);
    if (!is_array) text_ += " " + std::to_string(promised);
    end_line();
    const Index written = listed + (is_array && chance(0.1) ? rng_.below(3) - 1 : 0);
    entries(written, is_array ? Shape{} : Shape{rows, columns}, field != "pattern",
            symmetry != "general", field == "integer");
    return finished();
  }

  ReadOptions options() {
    ReadOptions options;
    options.labels = static_cast<LabelMode>(chance(0.5) ? 0 : rng_.below(5));
    options.index_base = chance(0.8) ? 1 : 0;
    options.duplicates = chance(0.5) ? Duplicates::sum : Duplicates::error;
    if (chance(0.2)) options.limits.max_line_bytes = 5 + rng_.below(40);
    if (chance(0.2)) options.limits.max_entries = 1 + rng_.below(40);
    return options;
  }

  // Some bytes replaced, removed, added or repeated.
  std::string damaged(std::string bytes) {
    for (Index n = 1 + rng_.below(3); n > 0 && !bytes.empty(); --n) {
      const auto at = static_cast<std::size_t>(rng_.below(std::ssize(bytes)));
      constexpr std::string_view kUgly("\"\n\r ,\t%#-+.eENn019\0\xff\xc3\xa9", 23);
      const char byte = kUgly[static_cast<std::size_t>(rng_.below(std::ssize(kUgly)))];
      switch (rng_.below(4)) {
        case 0:
          bytes[at] = byte;
          break;
        case 1:
          bytes.erase(at, static_cast<std::size_t>(1 + rng_.below(3)));
          break;
        case 2:
          bytes.insert(at, 1, byte);
          break;
        default:
          bytes.insert(at, bytes.substr(at, static_cast<std::size_t>(rng_.below(20))));
      }
    }
    return bytes;
  }

  bool chance(double p) { return rng_.uniform() < p; }
  Index below(Index n) { return rng_.below(n); }

 private:
  std::string any(std::initializer_list<const char*> words) {
    return words.begin()[rng_.below(static_cast<Index>(words.size()))];
  }

  void begin() {
    text_ = chance(0.1) ? "\xEF\xBB\xBF" : "";
    crlf_ = chance(0.2) ? 1.0 : chance(0.1) ? 0.5 : 0.0;
  }
  void end_line() { text_ += chance(crlf_) ? "\r\n" : "\n"; }
  std::string finished() {
    if (chance(0.3) && text_.ends_with('\n')) text_.pop_back();
    if (chance(0.1)) {
      for (Index n = rng_.below(4); n > 0; --n) {
        if (chance(0.5)) text_ += "  ";
        end_line();
      }
    }
    return text_;
  }

  std::string digits(Index count) {
    std::string text;
    for (; count > 0; --count) text += static_cast<char>('0' + rng_.below(10));
    return text;
  }
  std::string number() {
    std::string text = chance(0.3) ? "-" : "";
    text += digits(1 + rng_.below(3));
    if (chance(0.6)) text += "." + digits(rng_.below(chance(0.1) ? 30 : 8));
    if (chance(0.2)) text += any({"e", "E"}) + any({"", "+", "-"}) + digits(1 + rng_.below(2));
    return text;
  }
  std::string cell(double odd) {
    if (chance(0.1)) return any({"", "NA", "nan", "NaN", "NAN"});
    if (!chance(odd)) return number();
    return any({" 7", "7 ", " NA", "+5", "\"2.5\"", "\"\"", "nAn", "inf", "1e400", "word", "\"3",
                "1\"2", "1\r", "\"4\" ", "0x10", "1.", ".5", "-", "+-1"});
  }
  std::string label(Index i, double odd) {
    const std::string name = "l" + std::to_string(i);
    if (!chance(odd)) return name;
    return any({"\"a \"\"quoted\"\" one\"", "\"two\nlines\"", "\"two\r\nlines\"", "5", "NA", "",
                "\"plain\"", "\"com,ma\"", "\xC3\xA9", "\xC3", "tab\there", "\"5\"", " padded "});
  }
  void entries(Index count, const Shape& sizes, bool has_value, bool lower, bool integers) {
    for (Index entry = 0; entry < count; ++entry) {
      if (chance(0.05)) text_ += "  ";
      Index before = 0;
      for (std::size_t mode = 0; mode < sizes.size(); ++mode) {
        Index index = 1 + rng_.below(sizes[mode]);
        if (lower && mode == 1 && !chance(0.02)) index = std::min(index, before);
        if (chance(0.01)) index = rng_.below(2) * (sizes[mode] + 1);
        before = index;
        text_ += std::to_string(index) + (chance(0.05) ? "  " : " ");
      }
      if (has_value) text_ += integers && !chance(0.05) ? digits(1 + rng_.below(4)) : cell(0.02);
      if (chance(0.05)) text_ += " ";
      end_line();
      if (chance(0.005)) end_line();
    }
  }

  Rng rng_;
  std::string text_;
  double crlf_ = 0.0;
};

}  // namespace gingham::testing
