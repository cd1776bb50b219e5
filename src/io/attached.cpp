#include "gingham/io/attached.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "gingham/base/text.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/formats.hpp"
#include "gingham/io/read.hpp"
#include "gingham/io/text_writer.hpp"
#include "gingham/io/write.hpp"

namespace gingham {
namespace {

Matrix read_matrix(const std::string& path, const Limits& limits) {
  const Block block = read_block(path, {.limits = limits});
  if (block.dense_matrix() == nullptr)
    throw Error(ErrorCode::input, block.name(), "is not a dense matrix, which is needed here");
  if (block.has_missing())
    throw Error(ErrorCode::input, block.name(),
                "has missing values, a matrix of numbers is needed");
  return *block.dense_matrix();
}

// Of one of Options::file_names.
bool is_matrix(const Options& options, const std::string& name) {
  return options.record(name.substr(0, name.find('.'))).type == OptionType::matrix;
}

// `advice` follows what went wrong.
void attach_file(Options& options, const std::string& name, const std::string& path,
                 const Limits& limits, const std::string& advice) {
  try {
    if (is_matrix(options, name)) {
      options.attach_matrix(name, read_matrix(path, limits));
    } else {
      options.attach(name, read_line_file(path, limits));
    }
  } catch (const Error& error) {
    throw Error(error.code(), "--" + name, error.what() + advice);
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
  for (const std::string& name : options.file_names()) {
    if (!options.is_attached(name)) attach_file(options, name, options.path(name), limits, "");
  }
}

void attach_contents(Options& options, const MemoryContents& contents) {
  for (const auto& [name, content] : contents) {
    if (options.has(name) && options.is_file(name) && !options.path(name).empty())
      throw Error(ErrorCode::usage, "--" + printable(name, 60),
                  "is given as a file and as content; give one of them");
    if (const auto* lines = std::get_if<std::vector<std::string>>(&content)) {
      options.attach(name, *lines);
    } else {
      options.attach_matrix(name, std::get<Matrix>(content));
    }
  }
}

std::string AttachedRecord::size_text() const {
  return shape.empty() ? fmt::format("{} lines", n_lines) : shape_text(shape);
}

std::vector<AttachedRecord> attached_records(const Options& options) {
  std::vector<AttachedRecord> records;
  for (const std::string& name : options.file_names()) {
    if (!options.is_attached(name)) continue;
    AttachedRecord one{.option = name, .path = options.path(name), .digest = options.digest(name)};
    if (const Matrix* matrix = options.matrix(name)) {
      one.shape = {matrix->rows(), matrix->cols()};
    } else {
      one.n_lines = std::ssize(options.lines(name));
    }
    records.push_back(std::move(one));
  }
  return records;
}

std::string shown_name(const Options& options, const AttachedRecord& one) {
  return options.has(one.option) ? options.canonical(one.option) : one.path;
}

std::string attached_file(const OptionRecord& record) {
  return fmt::format("attached/{}.{}", record.key(),
                     record.type == OptionType::matrix ? "npy" : "txt");
}

void write_attached(AtomicDirectory& directory, const Options& options) {
  for (const OptionRecord& record : options.records()) {
    if (!options.is_attached(record.name) || !options.path(record.name).empty()) continue;
    const std::unique_ptr<ByteSink> sink = directory.open(attached_file(record));
    if (const Matrix* matrix = options.matrix(record.name)) {
      write_npy(*sink, *matrix);
    } else {
      TextWriter out(*sink);
      for (const std::string& line : options.lines(record.name)) {
        out.text(line);
        out.character('\n');
      }
      out.flush();
    }
    sink->finish();
  }
}

void attach_again(Options& options, const std::vector<AttachedRecord>& records,
                  const std::string& directory, const std::map<std::string, std::string>& moved) {
  for (const auto& [name, path] : moved) {
    const auto is_it = [&](const AttachedRecord& one) { return one.option == name; };
    if (std::none_of(records.begin(), records.end(), is_it)) {
      throw Error(ErrorCode::usage, "--attached",
                  "the result was made without a file for --" + printable(name, 60));
    }
    options.set(name, path);
  }
  for (const AttachedRecord& one : records) {
    const bool is_inside = one.path.empty() && !moved.contains(one.option);
    attach_file(options, one.option,
                is_inside ? directory + "/" + attached_file(options.record(one.option))
                          : options.path(one.option),
                {}, "; if the file has moved, name it with --attached " + one.option + "=FILE");
  }
}

std::vector<std::string> changed_files(const Options& options,
                                       const std::vector<AttachedRecord>& records) {
  std::vector<std::string> changes;
  for (const AttachedRecord& now : attached_records(options)) {
    for (const AttachedRecord& one : records) {
      if (one.option != now.option || one.digest == now.digest) continue;
      changes.push_back(
          fmt::format("--{} {}: digest is reported as {} ({}), found {} ({}): the {} not the same",
                      one.option, printable(shown_name(options, now)), one.digest, one.size_text(),
                      now.digest, now.size_text(), now.shape.empty() ? "lines are" : "matrix is"));
    }
  }
  return changes;
}

}  // namespace gingham
