#include "gingham/io/attached.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "gingham/base/text.hpp"
#include "gingham/io/formats.hpp"

namespace gingham {
namespace {

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
    return read_lines(*open_bytes(path, limits), limits);
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
