// Matrix Market files: a banner, comments, a size line, then entries (coordinate) or values by
// columns (array).
#include <fmt/format.h>

#include "gingham/base/text.hpp"
#include "gingham/io/coordinates.hpp"
#include "gingham/io/formats.hpp"
#include "gingham/io/lines.hpp"

namespace gingham {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

enum class Symmetry { general, symmetric, skew };

struct Banner {
  bool coordinate = true;
  bool pattern = false;
  bool integers = false;
  Symmetry symmetry = Symmetry::general;
};

Banner read_banner(LineReader& lines) {
  if (!lines.next() || !lines.line().starts_with("%%MatrixMarket")) {
    throw Error(ErrorCode::input, lines.where(1),
                "found no Matrix Market banner; expected '%%MatrixMarket matrix coordinate real "
                "general' or "
                "the like in the first line");
  }
  std::vector<std::string_view> words;
  split_fields(lines.line(), words);
  if (words.size() != 5) {
    lines.refuse(fmt::format("found {} words in the banner; expected 5", words.size()));
  }
  const auto choose = [&](std::size_t word, std::initializer_list<const char*> known) {
    const std::string found = lower(words[word]);
    std::string list;
    std::size_t place = 0;
    for (const char* candidate : known) {
      if (found == candidate) return place;
      list += (list.empty() ? "" : ", ") + std::string(candidate);
      ++place;
    }
    lines.refuse(fmt::format("found '{}' in the banner; expected one of: {}",
                             printable(words[word], 60), list));
  };
  if (words[0] != "%%MatrixMarket")
    lines.refuse("found no space after %%MatrixMarket; expected one");
  choose(1, {"matrix"});
  Banner banner;
  banner.coordinate = choose(2, {"coordinate", "array"}) == 0;
  const std::size_t field = choose(3, {"real", "integer", "pattern"});
  banner.integers = field == 1;
  banner.pattern = field == 2;
  banner.symmetry = static_cast<Symmetry>(choose(4, {"general", "symmetric", "skew-symmetric"}));
  if (banner.pattern && !banner.coordinate)
    lines.refuse("found an array of pattern; expected real or integer");
  if (banner.pattern && banner.symmetry == Symmetry::skew) {
    lines.refuse("found a skew-symmetric pattern; expected general or symmetric");
  }
  return banner;
}

// Rows, columns and, for coordinates, the number of entries.
std::vector<Index> read_sizes(LineReader& lines, const Banner& banner) {
  do {
    if (!lines.next())
      lines.refuse("the file ends before the size line; expected rows and columns");
  } while (lines.line().starts_with('%'));
  std::vector<std::string_view> fields;
  split_fields(lines.line(), fields);
  const std::size_t expected = banner.coordinate ? 3 : 2;
  if (fields.size() != expected) {
    lines.refuse(
        fmt::format("found {} fields in the size line ('{}'); expected {}: rows, columns{}",
                    fields.size(), printable(lines.line(), 60), expected,
                    banner.coordinate ? " and entries, separated by spaces" : ""));
  }
  std::vector<Index> sizes;
  for (std::size_t i = 0; i < expected; ++i) {
    const std::optional<Index> size = parse_integer(fields[i]);
    if (!size || *size < (i < 2 ? 1 : 0)) {
      lines.refuse(fmt::format("found '{}' in the size line; expected an integer of at least {}",
                               printable(fields[i], 60), i < 2 ? 1 : 0));
    }
    sizes.push_back(*size);
  }
  if (banner.symmetry != Symmetry::general && sizes[0] != sizes[1]) {
    lines.refuse(fmt::format("a symmetric matrix of {} x {}; expected as many rows as columns",
                             sizes[0], sizes[1]));
  }
  return sizes;
}

// Refuses a count that the rest of the file is too short for: each item takes `bytes` at least, the
// last one may do without its line end.
void check_count(const LineReader& lines, Index count, Index bytes, const Limits& limits) {
  if (count > limits.max_entries) {
    lines.refuse(fmt::format("the size line promises {} entries; expected at most {} (max_entries)",
                             count, limits.max_entries));
  }
  const std::optional<Index> remaining = lines.remaining();
  if (remaining && count > (*remaining + 1) / bytes) {
    lines.refuse(fmt::format(
        "the size line promises {} entries but only {} bytes follow; expected at least {} "
        "bytes for each (is the file truncated?)",
        count, *remaining, bytes));
  }
}

Block read_coordinates(LineReader& lines, const Banner& banner, const std::string& name,
                       const ReadOptions& options, const Pieces& pieces) {
  const std::vector<Index> sizes = read_sizes(lines, banner);
  const Index size_line = lines.number();
  const std::string size_place = lines.where();
  const Shape shape{sizes[0], sizes[1]};
  if (!options.shape.empty() && options.shape != shape) {
    lines.refuse(fmt::format("found {} x {}; expected {} as --shape says", sizes[0], sizes[1],
                             shape_text(options.shape)));
  }
  check_count(lines, sizes[2], banner.pattern ? 4 : 6, options.limits);
  for (Index mode = 0; mode < 2; ++mode) {
    check_sparse_size(shape[mode], sizes[2], !options.shape.empty(), mode, size_place);
  }
  EntryReader entries(lines, options, pieces, 2, !banner.pattern, banner.integers);
  const Index max_above = banner.symmetry == Symmetry::general     ? kMaxSparseModeSize
                          : banner.symmetry == Symmetry::symmetric ? 0
                                                                   : -1;
  while (next_entry_line(lines)) {
    if (entries.entries() == sizes[2]) {
      lines.refuse(fmt::format(
          "found more entries than the {} of the size line (line {}); expected the end of the "
          "file",
          sizes[2], size_line));
    }
    entries.take(shape);
    const Index k = entries.entries() - 1;
    const Index above = entries.index(1, k) - entries.index(0, k);
    if (banner.symmetry == Symmetry::symmetric && above > 0) {
      lines.refuse(
          "found an entry above the diagonal of a symmetric matrix; expected the lower triangle "
          "only");
    }
    if (banner.symmetry == Symmetry::skew && above >= 0) {
      lines.refuse(
          "found an entry on or above the diagonal of a skew-symmetric matrix; expected the part "
          "below "
          "the diagonal only");
    }
    entries.take_plain(shape, sizes[2], max_above);
  }
  if (entries.entries() != sizes[2]) {
    lines.refuse(
        fmt::format("the file ends after {} entries; expected {} as the size line (line {}) says",
                    entries.entries(), sizes[2], size_line));
  }
  if (banner.symmetry != Symmetry::general) entries.mirror(banner.symmetry == Symmetry::skew);
  return entries.finish(name, shape);
}

// The values that follow, as far as they need no thought, up to `count` in all.
class PlainValues {
 public:
  PlainValues(LineReader& lines, const Pieces& pieces, bool integers)
      : pieces_(lines, pieces), slots_(static_cast<std::size_t>(pieces_.n_slots())) {
    parser_.integers = integers;
    parser_.max_line_bytes = lines.max_line_bytes();
  }

  void take(Gathered<double>& values, Index count) {
    pieces_.read(
        [&](Index slot, std::string_view text) { return parser_.parse(text, slots_[slot]); },
        [&](Index n_slots) {
          Index size = 0;
          for (Index slot = 0; slot < n_slots; ++slot) size += slots_[slot].size;
          if (size > count - values.size()) return false;
          for (Index slot = 0; slot < n_slots; ++slot)
            values.append(slots_[slot].values.data(), slots_[slot].size);
          return true;
        });
  }

 private:
  PieceReader pieces_;
  EntryParser parser_;
  std::vector<EntryPiece> slots_;
};

Block read_array(LineReader& lines, const Banner& banner, const std::string& name,
                 const ReadOptions& options, const Pieces& pieces) {
  const std::vector<Index> sizes = read_sizes(lines, banner);
  const Index size_line = lines.number();
  const Index rows = sizes[0];
  const Index columns = sizes[1];
  Index cells = 0;
  if (__builtin_mul_overflow(rows, columns, &cells)) {
    lines.refuse(fmt::format(
        "{} x {} cells are more than 64 bits can count; expected a smaller matrix", rows, columns));
  }
  const Index count = banner.symmetry == Symmetry::general     ? cells
                      : banner.symmetry == Symmetry::symmetric ? (cells - rows) / 2 + rows
                                                               : (cells - rows) / 2;
  check_count(lines, count, 2, options.limits);
  if (cells > options.limits.max_entries) {
    lines.refuse(fmt::format("{} cells; expected at most {} (max_entries)", cells,
                             options.limits.max_entries));
  }
  Gathered<double> values;
  PlainValues plain(lines, pieces, banner.integers);
  std::vector<std::string_view> fields;
  while (next_entry_line(lines)) {
    split_fields(lines.line(), fields);
    if (fields.size() != 1) {
      lines.refuse(fmt::format("found {} fields; expected one value per line", fields.size()));
    }
    if (values.size() == count) {
      lines.refuse(fmt::format(
          "found more values than the {} of the size line (line {}); expected the end of the "
          "file",
          count, size_line));
    }
    double value = 0.0;
    const Cell cell = parse_value(fields[0], value);
    if (cell != Cell::number && cell != Cell::missing)
      lines.refuse(describe_bad_value(cell, fields[0]));
    if (banner.integers && cell == Cell::number && !parse_integer(fields[0])) {
      lines.refuse(fmt::format("found '{}' in a file of integers; expected an integer of 64 bits",
                               printable(fields[0], 60)));
    }
    values.push_back(value);
    plain.take(values, count);
  }
  if (values.size() != count) {
    lines.refuse(
        fmt::format("the file ends after {} values; expected {} as the size line (line {}) says",
                    values.size(), count, size_line));
  }
  // A 1 x 1 skew-symmetric matrix has no values at all, so its size is bounded by nothing but this.
  Matrix matrix(rows, columns);
  double* out = matrix.data();
  Index k = 0;
  for (Index j = 0; j < columns; ++j) {
    const Index first = banner.symmetry == Symmetry::general     ? 0
                        : banner.symmetry == Symmetry::symmetric ? j
                                                                 : j + 1;
    for (Index i = first; i < rows; ++i) {
      const double value = values[k++];
      out[i * columns + j] = value;
      if (banner.symmetry == Symmetry::general || i == j) continue;
      const double negative =
          banner.integers ? 0.0 - value : -value;  // an integer has no negative zero
      out[j * columns + i] = banner.symmetry == Symmetry::skew ? negative : value;
    }
  }
  return Block(name, std::move(matrix));
}

}  // namespace

Block read_mtx(ByteSource& source, const ReadOptions& options, const Pieces& pieces) {
  LineReader lines(source, options.limits);
  const Banner banner = read_banner(lines);
  return banner.coordinate ? read_coordinates(lines, banner, source.name(), options, pieces)
                           : read_array(lines, banner, source.name(), options, pieces);
}

}  // namespace gingham
