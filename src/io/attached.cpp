#include "gingham/io/attached.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "gingham/base/text.hpp"
#include "gingham/io/lines.hpp"

namespace gingham {
namespace {

// Tabs separate fields; a line as such is free text otherwise.
void check_text(const LineReader& lines, std::string_view line) {
  if (const auto bad = invalid_utf8(line)) {
    lines.refuse(fmt::format("byte {} of the line is not UTF-8; expected text in UTF-8", *bad + 1));
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    const bool is_c1 = c == 0xC2 && static_cast<unsigned char>(line[i + 1]) < 0xA0;
    if ((c >= 0x20 && c != 0x7F && !is_c1) || c == '\t') continue;
    lines.refuse(
        fmt::format("found the control character {:#04x} at byte {} of the line; expected "
                    "text",
                    is_c1 ? static_cast<unsigned char>(line[i + 1]) : c, i + 1));
  }
}

std::vector<std::string> read_as(const OptionRecord& record, const std::string& path,
                                 const Limits& limits) {
  try {
    return read_line_file(path, limits);
  } catch (const Error& error) {
    throw Error(error.code(), "--" + record.name, error.what());
  }
}

}  // namespace

std::vector<std::string> read_line_file(const std::string& path, const Limits& limits) {
  try {
    const auto source = open_bytes(path, limits);
    LineReader lines(*source, limits);
    std::vector<std::string> all;
    while (lines.next()) {
      if (std::ssize(all) >= limits.max_entries) {
        lines.refuse(
            fmt::format("more than {} lines; expected fewer (max_entries)", limits.max_entries));
      }
      const std::string_view line = lines.line();
      check_text(lines, line);
      all.emplace_back(line.substr(0, line.find_last_not_of(" \t") + 1));
    }
    return all;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::memory, shown_path(path), "not enough memory to hold the lines");
  }
}

void attach_files(Options& options, const Limits& limits) {
  for (const OptionRecord& record : options.records()) {
    if (record.type != OptionType::lines || !options.given(record.name)) continue;
    if (options.is_attached(record.name)) continue;
    options.attach(record.name, read_as(record, options.path(record.name), limits));
  }
}

std::vector<AttachedRecord> attached_records(const Options& options) {
  std::vector<AttachedRecord> records;
  for (const OptionRecord& record : options.records()) {
    if (!options.is_attached(record.name)) continue;
    records.push_back({record.name, options.path(record.name), options.digest(record.name),
                       std::ssize(options.lines(record.name))});
  }
  return records;
}

void attach_again(Options& options, const std::vector<AttachedRecord>& records,
                  const std::map<std::string, std::string>& moved) {
  for (const auto& [name, path] : moved) {
    const auto is_it = [&](const AttachedRecord& one) { return one.option == name; };
    if (std::none_of(records.begin(), records.end(), is_it)) {
      throw Error(ErrorCode::usage, "--attached",
                  "the result was made without a file for --" + printable(name, 60));
    }
    options.set(name, path);
  }
  for (const AttachedRecord& one : records) {
    if (one.path.empty() && !moved.contains(one.option)) {
      throw Error(ErrorCode::input, "--" + one.option,
                  fmt::format("its {} lines came from memory, not from a file; write them to one "
                              "and name it with --attached {}=FILE",
                              one.n_lines, one.option));
    }
    const std::string& path = options.path(one.option);
    try {
      options.attach(one.option, read_line_file(path));
    } catch (const Error& error) {
      throw Error(error.code(), "--" + one.option,
                  fmt::format("{}; if the file has moved, name it with --attached {}=FILE",
                              error.what(), one.option));
    }
  }
}

std::vector<std::string> changed_lines(const Options& options,
                                       const std::vector<AttachedRecord>& records) {
  std::vector<std::string> changes;
  for (const AttachedRecord& one : records) {
    const std::string& digest = options.digest(one.option);
    if (digest == one.digest) continue;
    changes.push_back(fmt::format(
        "--{} {}: digest is reported as {} ({} lines), found {} ({} lines): the lines are not the "
        "same",
        one.option, printable(options.canonical(one.option)), one.digest, one.n_lines, digest,
        options.lines(one.option).size()));
  }
  return changes;
}

}  // namespace gingham
