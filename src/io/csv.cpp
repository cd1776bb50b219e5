// Comma or tab separated values to a dense matrix with labels. One pass; memory is the parsed
// values plus the longest line and a few pieces of the file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "gingham/base/text.hpp"
#include "gingham/io/decimal.hpp"
#include "gingham/io/formats.hpp"
#include "gingham/io/lines.hpp"

namespace gingham {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The markers of a missing cell; their order numbers them.
constexpr std::string_view kMarkers[] = {"", "NA", "NaN", "nan", "NAN"};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::ptrdiff_t marker_of(std::string_view text) {
  const auto* found = std::find(std::begin(kMarkers), std::end(kMarkers), trimmed(text));
  return found == std::end(kMarkers) ? -1 : found - std::begin(kMarkers);
}

Cell classify(std::string_view text, double& value) {
  if (marker_of(text) >= 0) {
    value = kNaN;
    return Cell::missing;
  }
  const Cell cell = parse_value(trimmed(text), value);
  return cell == Cell::missing ? Cell::text : cell;  // "nAn" is no marker of ours
}

// Rows of a piece of the file.
struct RowPiece {
  std::vector<double> values;  // of which the first `size` count
  Index size = 0;
  Labels labels;

  double* extend(Index count) {
    if (std::ssize(values) - size < count) values.resize(2 * values.size() + count);
    return values.data() + std::exchange(size, size + count);
  }
};

// Takes rows that are plain: every field a number or a missing marker, in quotes perhaps, and in
// front of them a label where rows have one. Text to parse ends with a line end, so nothing is read
// behind it.
class RowParser {
 public:
  RowParser(char delimiter, Index n_values, bool has_label, bool labels_are_no_numbers,
            Index max_line_bytes)
      : delimiter_(delimiter),
        n_values_(n_values),
        has_label_(has_label),
        labels_are_no_numbers_(labels_are_no_numbers),
        max_line_bytes_(max_line_bytes) {}

  Taken parse(std::string_view text, RowPiece& piece) const {
    piece.size = 0;
    piece.labels.clear();
    Taken taken;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
      const char* const next = take_row(at, end, piece);
      if (next == nullptr || next - 1 - at > max_line_bytes_) {
        piece.size = taken.lines * n_values_;
        if (has_label_) piece.labels.resize(static_cast<std::size_t>(taken.lines));
        break;
      }
      ++taken.lines;
      at = next;
    }
    taken.bytes = static_cast<std::size_t>(at - text.data());
    return taken;
  }

 private:
  // Where the row's line ends, or null where it is not plain.
  const char* take_row(const char* at, const char* end, RowPiece& piece) const {
    if (is_blank(at)) return nullptr;
    if (has_label_) {
      at = take_label(at, piece);
      if (at == nullptr || *at != delimiter_) return nullptr;
      ++at;
    }
    if (end - at < n_values_) return nullptr;  // a byte each; so room is made for what is there
    double* value = piece.extend(n_values_);
    for (Index left = n_values_;;) {
      const char* stop = read_decimal(at, end, *value);
      if (stop == nullptr || (*stop != delimiter_ && !is_line_end(stop))) {
        stop = take_odd_value(at, *value);
        if (stop == nullptr) return nullptr;
      }
      at = stop;
      if (--left == 0) break;
      if (*at != delimiter_) return nullptr;
      ++at;
      ++value;
    }
    if (!is_line_end(at)) return nullptr;
    return at + (*at == '\r' ? 2 : 1);
  }

  static bool is_blank(const char* at) {
    while (*at == ' ') ++at;
    return is_line_end(at);
  }

  // The content of the field at `at`, and where it ends; null where it is not plain.
  const char* take_field(const char* at, std::string_view& text) const {
    const bool quoted = *at == '"';
    const char* const begin = quoted ? at + 1 : at;
    const char* stop = begin;
    if (quoted) {
      while (*stop != '"' && *stop != '\n') ++stop;
      if (*stop == '\n' || (stop[1] != delimiter_ && !is_line_end(stop + 1))) return nullptr;
    } else {
      while (*stop != delimiter_ && *stop != '"' && *stop != '\r' && *stop != '\n') ++stop;
      if (*stop != delimiter_ && !is_line_end(stop)) return nullptr;
    }
    text = std::string_view(begin, static_cast<std::size_t>(stop - begin));
    return quoted ? stop + 1 : stop;
  }

  const char* take_odd_value(const char* at, double& value) const {
    std::string_view text;
    const char* const stop = take_field(at, text);
    if (stop == nullptr) return nullptr;
    const Cell cell = classify(text, value);
    return cell == Cell::number || cell == Cell::missing ? stop : nullptr;
  }

  const char* take_label(const char* at, RowPiece& piece) const {
    std::string_view text;
    const char* const stop = take_field(at, text);
    if (stop == nullptr) return nullptr;
    if (labels_are_no_numbers_) {
      double value = 0.0;
      const Cell cell = classify(text, value);
      if (cell != Cell::text && cell != Cell::missing) return nullptr;
    }
    try {
      check_label(text, "");
    } catch (const Error&) {
      return nullptr;
    }
    piece.labels.emplace_back(text);
    return stop;
  }

  char delimiter_;
  Index n_values_;
  bool has_label_, labels_are_no_numbers_;
  Index max_line_bytes_;
};

class CsvReader {
 public:
  CsvReader(ByteSource& source, char delimiter, const ReadOptions& options, const Pieces& pieces)
      : source_(source),
        lines_(source, options.limits),
        pieces_(lines_, pieces),
        delimiter_(delimiter),
        options_(options),
        rows_of_pieces_(static_cast<std::size_t>(pieces_.n_slots())) {
    const LabelMode mode = options.labels;
    if (mode == LabelMode::rows || mode == LabelMode::both) row_labels_ = Tri::yes;
    if (mode == LabelMode::none || mode == LabelMode::columns) row_labels_ = Tri::no;
  }

  Block read() {
    Index blank = 0;
    while (lines_.next()) {
      if (trimmed(lines_.line()).empty()) {
        if (blank == 0) blank = lines_.number();
        continue;
      }
      if (blank > 0) refuse_blank(blank);
      if (fields_ == 0) {
        first_record();
      } else {
        record();
      }
      if (row_labels_ != Tri::undecided) take_plain_rows();
    }
    if (fields_ == 0) {
      throw Error(ErrorCode::input, lines_.where(1),
                  "the file has no cells; expected a table of numbers");
    }
    if (blank > 0 && fields_ == 1) refuse_blank(blank);
    return finish();
  }

 private:
  enum class Tri { undecided, yes, no };

  [[noreturn]] void refuse_blank(Index line) const {
    throw Error(ErrorCode::input, lines_.where(line),
                "found a blank line; expected cells (a missing value is written NA)");
  }
  [[noreturn]] void refuse_cell(Index field, const std::string& message) const {
    throw Error(ErrorCode::input, lines_.where(), fmt::format("column {}: {}", field + 1, message));
  }
  [[noreturn]] void refuse_value(Index field, Cell cell, std::string_view text) const {
    std::string hint;
    if (cell == Cell::text && field == 0) hint = "; see --labels if this is a label";
    if (cell == Cell::text && rows_ == 0 && fields_ > 1 &&
        options_.labels == LabelMode::automatic) {
      hint = "; a row of labels holds no numbers unless --labels says so";
    }
    refuse_cell(field, describe_bad_value(cell, text) + hint);
  }
  [[noreturn]] void refuse_ragged(Index found) const {
    lines_.refuse(fmt::format("found {} cells; expected {} as in the first row", found, fields_));
  }

  // The field that starts at `at` of the current line, into text_ where it is quoted; `at` moves to
  // the delimiter or the end of the line. The line may be extended, so earlier views become
  // invalid.
  std::string_view field_at(std::size_t& at, Index field, bool& quoted) {
    std::string_view line = lines_.line();
    quoted = at < line.size() && line[at] == '"';
    if (!quoted) {
      const std::size_t end = std::min(line.find(delimiter_, at), line.size());
      const std::string_view text = line.substr(at, end - at);
      if (text.find('"') != std::string_view::npos) {
        refuse_cell(
            field,
            fmt::format("found a quote inside of '{}'; expected the whole field in quotes, and "
                        "quotes inside doubled",
                        printable(text, 60)));
      }
      if (text.find('\r') != std::string_view::npos) {
        refuse_cell(
            field,
            "found a carriage return inside of a line; expected lines that end in LF or CRLF");
      }
      at = end;
      return text;
    }
    text_.clear();
    // `searched`: where to look for the next quote; what was looked at is not looked at again.
    for (std::size_t from = at + 1, searched = from;;) {
      const std::size_t quote = line.find('"', searched);
      if (quote == std::string_view::npos) {
        searched = line.size();
        if (!lines_.extend())
          refuse_cell(field, "found no closing quote; expected one before the file ends");
        line = lines_.line();
        continue;
      }
      text_ += line.substr(from, quote - from);
      if (quote + 1 < line.size() && line[quote + 1] == '"') {
        text_ += '"';
        searched = from = quote + 2;
        continue;
      }
      at = quote + 1;
      if (at < line.size() && line[at] != delimiter_) {
        refuse_cell(field,
                    fmt::format("found '{}' after a closing quote; expected the end of the field",
                                printable(line.substr(at, 1))));
      }
      return text_;
    }
  }

  std::string label_of(std::string_view text, bool quoted, Index field) const {
    check_label(text, fmt::format("{}: column {}", lines_.where(), field + 1), quoted);
    return std::string(text);
  }

  void first_record() {
    std::vector<std::string> cells;
    std::vector<char> quotes;
    std::size_t at = 0;
    bool more = true;
    while (more) {
      bool quoted = false;
      cells.emplace_back(field_at(at, static_cast<Index>(cells.size()), quoted));
      quotes.push_back(quoted);
      more = at++ < lines_.line().size();
    }
    fields_ = static_cast<Index>(cells.size());
    row_.resize(cells.size());
    first_line_ = lines_.number();
    first_cell_ = cells[0];
    bool is_labels = options_.labels == LabelMode::columns || options_.labels == LabelMode::both;
    if (options_.labels == LabelMode::automatic) is_labels = looks_like_labels(cells);
    if (is_labels) {
      for (Index j = 0; j < fields_; ++j) {
        column_labels_.push_back(label_of(cells[j], quotes[j] != 0, j));
      }
      return;
    }
    for (Index j = 0; j < fields_; ++j) {
      const Cell cell = classify(cells[j], row_[j]);
      if (j == 0 && row_labels_ != Tri::no) {  // a label, perhaps; what comes below decides
        first_cell_kind_ = cell;
        if (cell != Cell::number) row_[j] = kNaN;
        if (cell == Cell::text || row_labels_ == Tri::yes) label_of(cells[j], quotes[j] != 0, j);
      } else if (cell != Cell::number && cell != Cell::missing) {
        refuse_value(j, cell, cells[j]);
      }
    }
    first_is_data_ = true;
    if (row_labels_ == Tri::yes) row_label_.push_back(first_cell_);
    store_row();
  }

  bool looks_like_labels(const std::vector<std::string>& cells) const {
    bool text_first = false;
    bool text_later = false;
    for (std::size_t j = 0; j < cells.size(); ++j) {
      double value = 0.0;
      const Cell cell = classify(cells[j], value);
      if (cell == Cell::text) (j == 0 ? text_first : text_later) = true;
      if (cell != Cell::text && cell != Cell::missing) return false;
    }
    if (text_first && !text_later && cells.size() > 1) {
      lines_.refuse(fmt::format(
          "found '{}' and otherwise only missing values in the first row; expected labels "
          "or numbers (say which with --labels)",
          printable(cells[0], 60)));
    }
    return text_first || text_later;
  }

  void record() {
    Index field = 0;
    std::size_t at = 0;
    if (row_labels_ != Tri::no) {
      first_field(at);
      field = 1;
    }
    for (bool more = field == 0 || at < lines_.line().size(); more; ++field) {
      if (field > 0) ++at;  // the delimiter
      if (field >= fields_) refuse_ragged(count_fields(at, field));
      bool quoted = false;
      double value = kNaN;
      const std::string_view text = field_at(at, field, quoted);
      const Cell cell = classify(text, value);
      if (cell != Cell::number && cell != Cell::missing) refuse_value(field, cell, text);
      row_[field] = value;
      more = at < lines_.line().size();
    }
    if (field != fields_) refuse_ragged(field);
    store_row();
  }

  // The rows that follow, as far as they need no thought.
  void take_plain_rows() {
    const bool has_label = row_labels_ == Tri::yes;
    const Index width = fields_ - (has_label ? 1 : 0);
    if (width == 0) return;
    const RowParser parser(delimiter_, width, has_label, options_.labels == LabelMode::automatic,
                           lines_.max_line_bytes());
    pieces_.read([&](Index slot,
                     std::string_view text) { return parser.parse(text, rows_of_pieces_[slot]); },
                 [&](Index n_slots) { return keep_rows(n_slots, width); });
  }

  bool keep_rows(Index n_slots, Index width) {
    std::vector<Index> begins;
    Index size = 0;
    for (Index slot = 0; slot < n_slots; ++slot) {
      begins.push_back(size);
      size += rows_of_pieces_[slot].size;
    }
    if (size > options_.limits.max_entries - values_.size()) return false;
    double* const values = values_.extend(size);
    map_pieces(pieces_.executor(), n_slots, [&](Index slot) {
      const RowPiece& piece = rows_of_pieces_[slot];
      std::copy_n(piece.values.data(), piece.size, values + begins[slot]);
    });
    for (Index slot = 0; slot < n_slots; ++slot) {
      Labels& labels = rows_of_pieces_[slot].labels;
      std::move(labels.begin(), labels.end(), std::back_inserter(row_label_));
    }
    rows_ += size / width;
    return true;
  }

  Index count_fields(std::size_t at, Index field) {
    for (;; ++field) {
      bool quoted = false;
      field_at(at, field, quoted);
      if (at++ >= lines_.line().size()) return field + 1;
    }
  }

  // The first cell of a row while it may be, or is, a label.
  void first_field(std::size_t& at) {
    bool quoted = false;
    const std::string_view text = field_at(at, 0, quoted);
    double value = kNaN;
    const Cell cell = classify(text, value);
    if (row_labels_ == Tri::undecided && cell != Cell::missing) {
      decide(cell == Cell::text, lines_.where());
    }
    if (row_labels_ == Tri::yes) {
      const bool automatic = options_.labels == LabelMode::automatic;
      if (automatic && cell != Cell::text && cell != Cell::missing) {
        refuse_cell(
            0, fmt::format("found the number '{}' below labels of rows; expected all labels or all "
                           "numbers (see --labels)",
                           printable(text, 60)));
      }
      row_label_.push_back(label_of(text, quoted, 0));
    } else if (row_labels_ == Tri::undecided) {
      pending_.push_back(static_cast<unsigned char>(marker_of(text)));
      row_[0] = kNaN;
    } else {
      if (cell != Cell::number && cell != Cell::missing) refuse_value(0, cell, text);
      row_[0] = value;
    }
  }

  // Now it is known whether the first column holds labels: mends the rows stored before.
  void decide(bool is_labels, const std::string& where) {
    row_labels_ = is_labels ? Tri::yes : Tri::no;
    if (!is_labels) {
      pending_ = {};
      if (first_is_data_ && first_cell_kind_ != Cell::number && first_cell_kind_ != Cell::missing) {
        throw Error(ErrorCode::input, fmt::format("{}: column 1", lines_.where(first_line_)),
                    describe_bad_value(first_cell_kind_, first_cell_) +
                        fmt::format("; the column has a number at {}, so it is no column of labels",
                                    where));
      }
      return;
    }
    if (first_is_data_ && first_cell_kind_ != Cell::text && first_cell_kind_ != Cell::missing) {
      throw Error(
          ErrorCode::input, fmt::format("{}: column 1", lines_.where(first_line_)),
          fmt::format(
              "found the number '{}' above labels of rows (at {}); expected all labels or all "
              "numbers (see --labels)",
              printable(first_cell_, 60), where));
    }
    if (fields_ == 1) {
      throw Error(
          ErrorCode::input, where,
          "found labels but no numbers in the only column; expected columns of numbers (is the "
          "delimiter right for this kind of file?)");
    }
    const Index width = fields_ - 1;
    double* values = values_.data();
    for (Index i = 0; i < rows_; ++i)
      std::copy_n(values + i * fields_ + 1, width, values + i * width);
    Gathered<double> kept;
    kept.append(values, rows_ * width);
    values_ = std::move(kept);
    if (first_is_data_) row_label_.push_back(first_cell_);
    for (const unsigned char marker : pending_) row_label_.emplace_back(kMarkers[marker]);
    pending_ = {};
  }

  void store_row() {
    const Index skip = row_labels_ == Tri::yes ? 1 : 0;
    const Index width = fields_ - skip;
    if (width == 0) {
      lines_.refuse(
          "found labels but no numbers; expected columns of numbers (is the delimiter right for "
          "this "
          "kind of file?)");
    }
    if (values_.size() > options_.limits.max_entries - width) {
      lines_.refuse(fmt::format("more than {} cells; expected fewer (max_entries)",
                                options_.limits.max_entries));
    }
    values_.append(row_.data() + skip, width);
    ++rows_;
  }

  Block finish() {
    if (row_labels_ == Tri::undecided) {
      const bool only_row = first_is_data_ && rows_ == 1;
      decide(only_row && first_cell_kind_ == Cell::text, lines_.where(first_line_));
    }
    if (rows_ == 0) {
      throw Error(
          ErrorCode::input, lines_.where(first_line_),
          "found a row of labels and nothing below; expected rows of numbers (years as data need "
          "--labels none)");
    }
    const Index skip = row_labels_ == Tri::yes ? 1 : 0;
    if (!column_labels_.empty())
      column_labels_.erase(column_labels_.begin(), column_labels_.begin() + skip);
    check_distinct(column_labels_, lines_.where(first_line_), "columns");
    check_distinct(row_label_, source_.name() + ": column 1", "rows");
    return Block(source_.name(), Matrix(rows_, fields_ - skip, values_.finish()),
                 {std::move(row_label_), std::move(column_labels_)});
  }

  ByteSource& source_;
  LineReader lines_;
  PieceReader pieces_;
  char delimiter_;
  const ReadOptions& options_;
  Index fields_ = 0;  // cells per record, a label included
  Index rows_ = 0;
  Index first_line_ = 1;
  std::string first_cell_;
  Cell first_cell_kind_ = Cell::number;
  bool first_is_data_ = false;
  Tri row_labels_ = Tri::undecided;
  std::vector<unsigned char> pending_;  // markers in the first column while it is undecided
  std::vector<double> row_;
  std::string text_;
  Gathered<double> values_;
  Labels row_label_, column_labels_;
  std::vector<RowPiece> rows_of_pieces_;
};

}  // namespace

Block read_csv(ByteSource& source, char delimiter, const ReadOptions& options,
               const Pieces& pieces) {
  return CsvReader(source, delimiter, options, pieces).read();
}

}  // namespace gingham
