#include "gingham/io/coordinates.hpp"

#include <fmt/format.h>

#include "gingham/base/text.hpp"

namespace gingham {
namespace {

// A mode with few entries may still have this many items; beyond, its size must be borne out by
// entries.
constexpr Index kFreeModeSize = Index{1} << 22;
constexpr Index kItemsPerEntry = 256;

bool is_blank(std::string_view line) {
  return line.find_first_not_of(' ') == std::string_view::npos;
}

}  // namespace

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

EntryReader::EntryReader(LineReader& lines, const ReadOptions& options, Index modes, bool has_value,
                         bool integers)
    : lines_(lines),
      options_(options),
      modes_(modes),
      has_value_(has_value),
      integers_(integers),
      largest_(static_cast<std::size_t>(modes), 0),
      coordinates_(static_cast<std::size_t>(modes)) {}

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
    const Index zero_based = *index - options_.index_base;
    coordinates_[mode].push_back(static_cast<std::int32_t>(zero_based));
    largest_[mode] = std::max(largest_[mode], zero_based + 1);
  }
  values_.push_back(value);
  if (first_line_ == 0) first_line_ = lines_.number();
  last_line_ = lines_.number();
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
          SparseMatrix::from_triplets(shape[0], n_columns, coordinates_[0].finish(),
                                      std::move(columns), values_.finish(), options_.duplicates),
          {}, options_.unlisted);
    }
    std::vector<Array<std::int32_t>> coordinates;
    for (auto& mode : coordinates_) coordinates.push_back(mode.finish());
    return Block(name,
                 SparseTensor::from_coordinates(std::move(shape), std::move(coordinates),
                                                values_.finish(), options_.duplicates),
                 {}, options_.unlisted);
  } catch (const DuplicateEntry& twice) {
    throw Error(
        ErrorCode::input, lines_.where(line_of(twice.second())),
        fmt::format("{}, the first in line {}; expected each place once (or say --duplicates sum)",
                    twice.message(), line_of(twice.first())));
  }
}

}  // namespace gingham
