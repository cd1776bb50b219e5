#include "gingham/engine/check.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gingham/base/text.hpp"
#include "gingham/engine/race.hpp"
#include "gingham/engine/stability.hpp"

namespace gingham {
namespace {

// "row 3, column 5" for a matrix, "(3, 5, 1)" for a tensor; from 1, as people count.
std::string place_text(std::span<const Index> at) {
  if (at.size() == 2) return fmt::format("row {}, column {}", at[0] + 1, at[1] + 1);
  std::string text;
  for (const Index i : at) text += (text.empty() ? "(" : ", ") + std::to_string(i + 1);
  return text + ")";
}

struct Place {
  std::string text;  // empty: nowhere
  double value = 0.0;
};

Place first_place(const Block& block, FunctionRef<bool(double)> wanted) {
  Place place;
  for_each_entry(block, [&](std::span<const Index> at, double value) {
    if (place.text.empty() && wanted(value)) place = {place_text(at), value};
  });
  return place;
}

// Views are of the same subjects in the same order: where two have names of rows these agree.
void check_row_names(const Dataset& data) {
  const Block* first = nullptr;
  for (const Block& block : data.blocks()) {
    const Labels& names = block.labels(0);
    if (names.empty()) continue;
    if (first == nullptr) first = &block;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& expected = first->labels(0)[i];
      if (names[i] == expected) continue;
      throw Error(
          ErrorCode::input, block.name(),
          fmt::format("row {} is called '{}', but in {} it is '{}'; views must have the same "
                      "rows in the same order: sort the files alike",
                      i + 1, printable(names[i], 60), first->name(), printable(expected, 60)));
    }
  }
}

}  // namespace

void check_signs(const MethodInfo& info, const Dataset& data, const Options& options) {
  if (!info.traits.needs_nonnegative) return;
  const bool has_option = options.has("allow-negative");
  if (has_option && options.flag("allow-negative")) return;
  for (const Block& block : data.blocks()) {
    require_nonnegative(block, has_option ? "shift or clip the data, or take them as they are with "
                                            "--allow-negative"
                                          : "shift or clip the data");
  }
}

void check_shared(const MethodInfo& info, const Dataset& data) {
  const auto same = [&](Index mode) {
    for (const Block& block : data.blocks()) {
      if (block.shape()[mode] != data.block(0).shape()[mode]) return false;
    }
    return true;
  };
  const bool views = info.input == InputKind::views;
  if (!views && info.input != InputKind::series) return;
  if (same(0) && views) return check_row_names(data);
  if (same(0) || (!views && same(1))) return;
  for (const Block& block : data.blocks()) {
    if (block.shape()[0] == data.block(0).shape()[0]) continue;
    throw Error(
        ErrorCode::input, block.name(),
        fmt::format(
            "is {}, but {} is {}; {}", shape_text(block.shape()), data.block(0).name(),
            shape_text(data.block(0).shape()),
            !views ? "the matrices of a series must all share their columns or all their rows"
            : info.traits.accepts_missing
                ? "views must have the same rows: leave the cells of a row empty where a view "
                  "lacks it"
                : "views must have the same rows"));
  }
}

void check_kind(const MethodInfo& info, const Dataset& data) {
  const bool takes_one = info.input == InputKind::matrix || info.input == InputKind::tensor;
  if (data.size() == 0) throw Error(ErrorCode::usage, info.name, "no input; expected at least one");
  if (takes_one && data.size() != 1) {
    throw Error(ErrorCode::usage, info.name,
                fmt::format("{} inputs were given; expected one {}", data.size(),
                            info.input == InputKind::matrix ? "matrix" : "matrix or tensor"));
  }
  for (const Block& block : data.blocks()) {
    if (info.input != InputKind::tensor && block.modes() != 2) {
      throw Error(ErrorCode::input, block.name(),
                  fmt::format("has {} modes ({}); {} takes matrices{}", block.modes(),
                              shape_text(block.shape()), info.name,
                              info.input == InputKind::series && block.modes() == 3
                                  ? ": cut it along time with --series-mode 0, 1 or 2"
                                  : ""));
    }
    if (block.modes() < 2) {
      throw Error(ErrorCode::input, block.name(),
                  fmt::format("has one mode ({} items); {} takes matrices and tensors",
                              block.shape()[0], info.name));
    }
    if (!info.traits.accepts_sparse && block.is_sparse()) {
      throw Error(ErrorCode::input, block.name(),
                  fmt::format("is sparse; {} takes dense data only", info.name));
    }
    if (!info.traits.accepts_missing && block.has_missing()) {
      const std::string place =
          first_place(block, [](double value) { return std::isnan(value); }).text;
      throw Error(
          ErrorCode::input, block.name(),
          fmt::format(
              "{} of {} values are missing (NaN){}; {} takes complete data only: fill or drop them",
              block.summary().missing, shape_text(block.shape()),
              place.empty() ? "" : ", the first at " + place, info.name));
    }
  }
}

namespace {

// Readers ask before they make such a block.
void check_rows(const MethodInfo& info, const Dataset& data, const Options& options) {
  if (info.streams && info.streams(options)) return;
  for (const Block& block : data.blocks()) {
    if (block.row_source() == nullptr) continue;
    throw Error(
        ErrorCode::internal, block.name(),
        fmt::format("has rows that are read when needed; {} takes data in memory only", info.name));
  }
}

}  // namespace

void check_inputs(const MethodInfo& info, const Dataset& data, const Options& options) {
  check_kind(info, data);
  check_rows(info, data, options);
  check_shared(info, data);
  check_signs(info, data, options);
  if (info.check) info.check(data, options);
}

namespace {

// Matrices, lists of lines while they grew, and what long lines take outside of them.
double attached_bytes(const Options& options) {
  double bytes = 0.0;
  for (const OptionRecord& record : options.records()) {
    if (!options.is_attached(record.name)) continue;
    if (const Matrix* matrix = options.matrix(record.name)) {
      bytes += static_cast<double>(matrix->bytes());
      continue;
    }
    for (const std::string& line : options.lines(record.name))
      bytes += 3.0 * sizeof line + 16.0 + static_cast<double>(line.size());
  }
  return bytes;
}

}  // namespace

double estimate_bytes(const MethodInfo& info, const Dataset& data, const Options& options) {
  constexpr double kProgram = 8e6;  // threads, libraries and their buffers
  return kProgram + static_cast<double>(data.bytes()) + attached_bytes(options) +
         (info.peak_bytes ? info.peak_bytes(data, options) : 0.0) +
         stability_bytes(info, data, options) + race_bytes(info, data, options);
}

std::optional<std::string> race_within(const MethodInfo& info, const Dataset& data,
                                       Options& options, double limit_bytes) {
  if (!races(info, options)) return std::nullopt;
  const double needed = estimate_bytes(info, data, options);
  if (needed <= limit_bytes) return std::nullopt;
  const std::string restarts = options.canonical("restarts");
  options.set("race", "no");
  return fmt::format(
      "{} restarts at a time need about {} of memory and may use {}: they run one after the other, "
      "each to its end (--race no); raise --memory-limit or take fewer --restarts",
      restarts, human_bytes(needed), human_bytes(limit_bytes));
}

void check_memory(double needed_bytes, double limit_bytes) {
  if (needed_bytes <= limit_bytes) return;
  throw Error(
      ErrorCode::memory, "",
      fmt::format("this run needs about {} of memory and may use {}; raise --memory-limit, or use "
                  "smaller data or fewer components",
                  human_bytes(needed_bytes), human_bytes(limit_bytes)));
}

void require_nonnegative(const Block& block, const std::string& remedy) {
  if (!(block.summary().min < 0.0)) return;
  const Place place = first_place(block, [](double value) { return value < 0.0; });
  throw Error(ErrorCode::input, block.name(),
              fmt::format("negative value at {}: {}; expected values of at least 0: {}", place.text,
                          to_text(place.value), remedy));
}

}  // namespace gingham
