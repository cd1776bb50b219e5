#include "gingham/io/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gingham/base/text.hpp"
#include "gingham/data/ordered_entries.hpp"
#include "gingham/io/decimal.hpp"

namespace gingham {
namespace {

// A mode with few entries may still have this many items; beyond, its size must be borne out by
// entries.
constexpr Index kFreeModeSize = Index{1} << 22;
constexpr Index kItemsPerEntry = 256;

bool is_blank(std::string_view line) {
  return line.find_first_not_of(' ') == std::string_view::npos;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char* skip_spaces(const char* at) {
  while (*at == ' ') ++at;
  return at;
}

}  // namespace

Taken EntryParser::parse(std::string_view text, EntryPiece& piece) const {
  piece.coordinates.resize(limits.size());
  piece.size = 0;
  Taken taken;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    if (piece.size == std::ssize(piece.values)) {
      piece.values.resize(2 * piece.values.size() + 64);
      for (auto& mode : piece.coordinates) mode.resize(piece.values.size());
    }
    const char* const next = take_entry(at, end, piece);
    if (next == nullptr || next - 1 - at > max_line_bytes) break;
    ++piece.size;
    at = next;
  }
  taken.lines = piece.size;
  taken.bytes = static_cast<std::size_t>(at - text.data());
  return taken;
}

// Writes entry number `size`. Where the next line starts, or null where this one is not plain.
const char* EntryParser::take_entry(const char* at, const char* end, EntryPiece& piece) const {
  constexpr std::ptrdiff_t kMaxDigits = 18;
  const auto modes = limits.size();
  for (std::size_t mode = 0; mode < modes; ++mode) {
    at = skip_spaces(at);
    const char* const first = at;
    Index index = 0;
    for (; is_digit(*at) && at - first < kMaxDigits; ++at) index = 10 * index + (*at - '0');
    if (at == first) return nullptr;
    index -= index_base;
    if (index < 0 || index >= limits[mode]) return nullptr;
    const bool is_last = mode + 1 == modes && !has_value;
    if (*at != ' ' && !(is_last && is_line_end(at))) return nullptr;
    piece.coordinates[mode][piece.size] = static_cast<std::int32_t>(index);
  }
  if (modes == 2) {
    const Index above = Index{piece.coordinates[1][piece.size]} - piece.coordinates[0][piece.size];
    if (above > max_above) return nullptr;
  }
  double value = 1.0;
  if (has_value) {
    at = take_value(skip_spaces(at), end, value);
    if (at == nullptr) return nullptr;
  }
  piece.values[piece.size] = value;
  at = skip_spaces(at);
  if (!is_line_end(at)) return nullptr;
  return at + (*at == '\r' ? 2 : 1);
}

const char* EntryParser::take_value(const char* at, const char* end, double& value) const {
  constexpr std::ptrdiff_t kMaxDigits = 18;  // fit 64 bits
  const char* stop = read_decimal(at, end, value);
  const bool is_plain = stop != nullptr && (*stop == ' ' || is_line_end(stop));
  if (is_plain && !integers) return stop;
  const char* const digits = *at == '-' ? at + 1 : at;
  if (is_plain && stop - digits <= kMaxDigits && std::all_of(digits, stop, is_digit)) return stop;
  stop = at;
  while (*stop != ' ' && !is_line_end(stop) && *stop != '\n') ++stop;
  const std::string_view field(at, static_cast<std::size_t>(stop - at));
  const Cell cell = parse_value(field, value);
  if (cell == Cell::missing) return stop;
  return cell == Cell::number && (!integers || parse_integer(field)) ? stop : nullptr;
}

void check_sparse_size(Index size, Index entries, bool is_meant, Index mode,
                       const std::string& where) {
  if (size < 1) {
    throw Error(ErrorCode::input, where,
                fmt::format("mode {} has size {}; expected at least 1", mode, size));
  }
  if (size > kMaxSparseModeSize) {
    throw Error(
        ErrorCode::input, where,
        fmt::format("mode {} has size {}; expected at most {}", mode, size, kMaxSparseModeSize));
  }
  if (is_meant || size <= kFreeModeSize || size / kItemsPerEntry <= entries) return;
  throw Error(
      ErrorCode::input, where,
      fmt::format(
          "mode {} has size {} but the file only {} entries; expected at most {} items per entry "
          "(if it is meant, say so with --shape)",
          mode, size, entries, kItemsPerEntry));
}

bool next_entry_line(LineReader& lines) {
  if (!lines.next()) return false;
  if (!is_blank(lines.line())) return true;
  const Index blank = lines.number();
  while (lines.next()) {
    if (!is_blank(lines.line())) {
      throw Error(ErrorCode::input, lines.where(blank), "found a blank line; expected an entry");
    }
  }
  return false;
}

EntryReader::EntryReader(LineReader& lines, const ReadOptions& options, const Pieces& pieces,
                         Index modes, bool has_value, bool integers)
    : lines_(lines),
      pieces_(lines, pieces),
      options_(options),
      modes_(modes),
      has_value_(has_value),
      integers_(integers),
      coordinates_(static_cast<std::size_t>(modes)),
      slots_(static_cast<std::size_t>(pieces_.n_slots())) {}

void EntryReader::take(const Shape& limits) {
  split_fields(lines_.line(), fields_);
  const std::size_t expected = static_cast<std::size_t>(modes_) + (has_value_ ? 1 : 0);
  if (fields_.size() != expected) {
    lines_.refuse(fmt::format("found {} fields ('{}'); expected {}: {} {}{}, separated by spaces",
                              fields_.size(), printable(lines_.line(), 60), expected, modes_,
                              modes_ == 1 ? "index" : "indices", has_value_ ? " and a value" : ""));
  }
  if (entries() >= options_.limits.max_entries) {
    lines_.refuse(fmt::format("more than {} entries; expected fewer (max_entries)",
                              options_.limits.max_entries));
  }
  double value = 1.0;
  if (has_value_) {
    const std::string_view field = fields_.back();
    const Cell cell = parse_value(field, value);
    if (cell != Cell::number && cell != Cell::missing)
      lines_.refuse(describe_bad_value(cell, field));
    if (integers_ && cell == Cell::number && !parse_integer(field)) {
      lines_.refuse(fmt::format("found '{}' in a file of integers; expected an integer of 64 bits",
                                printable(field, 60)));
    }
  }
  for (Index mode = 0; mode < modes_; ++mode) {
    const std::string_view field = fields_[mode];
    const std::optional<Index> index = parse_integer(field);
    if (!index) {
      lines_.refuse(fmt::format("found '{}' as index {}; expected an integer", printable(field, 60),
                                mode + 1));
    }
    const Index limit = limits.empty() ? kMaxSparseModeSize : limits[mode];
    if (*index < options_.index_base || *index - options_.index_base >= limit) {
      lines_.refuse(fmt::format("index {} is {}; expected {} to {}{}", mode + 1, *index,
                                options_.index_base, limit - 1 + options_.index_base,
                                *index == 0 && options_.index_base == 1
                                    ? " (if indices start at 0, say --index-base 0)"
                                    : ""));
    }
    coordinates_[mode].push_back(static_cast<std::int32_t>(*index - options_.index_base));
  }
  values_.push_back(value);
  if (first_line_ == 0) first_line_ = lines_.number();
  last_line_ = lines_.number();
}

void EntryReader::take_plain(const Shape& limits, Index max_entries, Index max_above) {
  EntryParser parser{.limits = limits,
                     .has_value = has_value_,
                     .integers = integers_,
                     .index_base = options_.index_base,
                     .max_above = max_above,
                     .max_line_bytes = lines_.max_line_bytes()};
  if (limits.empty()) parser.limits.assign(static_cast<std::size_t>(modes_), kMaxSparseModeSize);
  pieces_.read([&](Index slot, std::string_view text) { return parser.parse(text, slots_[slot]); },
               [&](Index n_slots) {
                 return keep(n_slots, std::min(max_entries, options_.limits.max_entries));
               });
  last_line_ = lines_.number();
}

bool EntryReader::keep(Index n_slots, Index max_entries) {
  std::vector<Index> begins;
  Index size = 0;
  for (Index slot = 0; slot < n_slots; ++slot) {
    begins.push_back(size);
    size += slots_[slot].size;
  }
  if (size > max_entries - entries()) return false;
  double* const values = values_.extend(size);
  std::vector<std::int32_t*> coordinates;
  for (auto& mode : coordinates_) coordinates.push_back(mode.extend(size));
  map_pieces(pieces_.executor(), n_slots, [&](Index slot) {
    const EntryPiece& piece = slots_[slot];
    std::copy_n(piece.values.data(), piece.size, values + begins[slot]);
    for (std::size_t mode = 0; mode < coordinates.size(); ++mode)
      std::copy_n(piece.coordinates[mode].data(), piece.size, coordinates[mode] + begins[slot]);
  });
  return true;
}

Shape EntryReader::largest() const {
  Shape largest;
  for (const auto& mode : coordinates_) {
    std::int32_t most = -1;
    for (Index entry = 0; entry < mode.size(); ++entry) most = std::max(most, mode[entry]);
    largest.push_back(Index{most} + 1);
  }
  return largest;
}

void EntryReader::mirror(bool negated) {
  listed_ = entries();
  for (Index k = 0; k < listed_; ++k) {
    const std::int32_t row = coordinates_[0][k];
    const std::int32_t column = coordinates_[1][k];
    if (row == column) {
      diagonal_.push_back(k);
      continue;
    }
    coordinates_[0].push_back(column);
    coordinates_[1].push_back(row);
    // An integer has no negative zero.
    const double negative = integers_ ? 0.0 - values_[k] : -values_[k];
    values_.push_back(negated ? negative : values_[k]);
  }
}

// One entry per line without gaps, the mirrored ones behind all others.
Index EntryReader::line_of(Index entry) const {
  if (listed_ < 0 || entry < listed_) return first_line_ + entry;
  Index original = entry - listed_;
  for (const Index k : diagonal_) original += k <= original ? 1 : 0;
  return first_line_ + original;
}

Block EntryReader::finish(const std::string& name, Shape shape) {
  try {
    if (modes_ <= 2) {
      Array<std::int32_t> columns(modes_ == 1 ? entries() : 0);
      const Index n_columns = modes_ == 1 ? 1 : shape[1];
      if (modes_ == 2) columns = coordinates_[1].finish();
      return Block(
          name,
          matrix_of_entries(shape[0], n_columns, coordinates_[0].finish(), std::move(columns),
                            values_.finish(), options_.duplicates, pieces_.executor()),
          {}, options_.unlisted);
    }
    std::vector<Array<std::int32_t>> coordinates;
    for (auto& mode : coordinates_) coordinates.push_back(mode.finish());
    return Block(name,
                 tensor_of_entries(std::move(shape), std::move(coordinates), values_.finish(),
                                   options_.duplicates, pieces_.executor()),
                 {}, options_.unlisted);
  } catch (const DuplicateEntry& twice) {
    throw Error(
        ErrorCode::input, lines_.where(line_of(twice.second())),
        fmt::format("{}, the first in line {}; expected each place once (or say --duplicates sum)",
                    twice.message(), line_of(twice.first())));
  }
}

}  // namespace gingham
