#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "commands.hpp"
#include "gingham/base/text.hpp"

namespace gingham::cli {

double parse_bytes(const std::string& text) {
  if (text.empty()) return 0.0;
  constexpr std::array<std::pair<std::string_view, double>, 8> kUnits{{{"kB", 1e3},
                                                                       {"KB", 1e3},
                                                                       {"MB", 1e6},
                                                                       {"GB", 1e9},
                                                                       {"TB", 1e12},
                                                                       {"MiB", 0x1p20},
                                                                       {"GiB", 0x1p30},
                                                                       {"B", 1.0}}};
  std::string_view number = text;
  double unit = 1.0;
  for (const auto& [suffix, size] : kUnits) {
    if (number.ends_with(suffix)) {
      number.remove_suffix(suffix.size());
      unit = size;
      break;
    }
  }
  while (number.ends_with(' ')) number.remove_suffix(1);
  const auto value = parse_real(number);
  if (!value || !(*value > 0.0) || !(*value * unit < 1e18)) {
    throw Error(ErrorCode::usage, "--memory-limit",
                "'" + printable(text, 40) + "' is not a size such as 4GB or 500MB");
  }
  return *value * unit;
}

namespace {

// "a,,b" has three parts; no text has none.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

ReadingRecord reading_record(const Arguments& arguments) {
  ReadingRecord record{arguments.text("unlisted"),
                       arguments.text("duplicates"),
                       arguments.text("labels"),
                       arguments.text("index-base") == "0" ? 0 : 1,
                       {}};
  const std::string shape = arguments.text("shape");
  for (const std::string& part : parts_of(shape)) {
    const auto size = parse_integer(part);
    if (!size || *size < 1) {
      throw Error(ErrorCode::usage, "--shape",
                  "'" + printable(shape, 60) + "' is not a list of sizes such as 80,80,8");
    }
    record.shape.push_back(*size);
  }
  record.names = parts_of(arguments.text("names"));
  record.files = arguments.lists.contains("INPUT") ? arguments.list("INPUT")
                                                   : std::vector{arguments.text("INPUT")};
  if (arguments.own.has("series-mode") && arguments.own.given("series-mode"))
    record.series_mode = arguments.own.integer("series-mode");
  return record;
}

namespace {

// NAME=VALUE, several times, by name with hyphens.
std::map<std::string, std::string> pairs(const Arguments& arguments, const std::string& option,
                                         const std::string& expected) {
  std::map<std::string, std::string> found;
  for (const std::string& text : arguments.list(option)) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw Error(ErrorCode::usage, "--" + option,
                  "'" + printable(text, 60) + "' is not " + expected);
    std::string name = text.substr(0, equals);
    std::replace(name.begin(), name.end(), '_', '-');
    found[name] = text.substr(equals + 1);
  }
  return found;
}

}  // namespace

std::map<std::string, std::string> attached_files(const Arguments& arguments) {
  return pairs(arguments, "attached", "an option and its file, as groups=FILE");
}

std::map<std::string, std::string> changed_settings(const Arguments& arguments) {
  return pairs(arguments, "set", "an option and its value, as coding=steps");
}

// Shells give each word by itself: what follows the first word of a list is taken for an input.
DataFiles data_files(const Arguments& arguments) {
  const ReadingRecord record = reading_record(arguments);
  for (const std::string& file : record.files) {
    if (!arguments.options.contains("penalty")) break;
    if (file.find('=') == std::string::npos || std::filesystem::exists(file)) continue;
    const std::string word = printable(file, 60);
    throw Error(
        ErrorCode::usage, word,
        "there is no such file; a second penalty needs the option again: --penalty " + word);
  }
  return files_of(record);
}

}  // namespace gingham::cli
