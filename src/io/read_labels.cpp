#include "gingham/io/read_labels.hpp"

#include <fmt/format.h>

#include <new>

#include "gingham/io/lines.hpp"
#include "gingham/io/npy.hpp"

namespace gingham {
namespace {

using Visit = FunctionRef<void(std::string_view)>;

void read_integers(ByteSource& source, const Limits& limits, Visit visit) {
  const NpyHeader header = read_npy_header(source, limits);
  if (header.shape.size() != 1) {
    source.refuse_at(
        0, fmt::format("found {} modes; expected one label after the other", header.shape.size()));
  }
  const Array<Index> values = read_npy_integers(source, header);
  for (const Index value : values.span()) visit(std::to_string(value));
}

void read_lines(ByteSource& source, const Limits& limits, Visit visit) {
  LineReader lines(source, limits);
  Index blank = 0, n_labels = 0;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.find_first_not_of(' ') == std::string_view::npos) {
      if (blank == 0) blank = lines.number();
      continue;
    }
    if (blank > 0)
      throw Error(ErrorCode::input, lines.where(blank), "found a blank line; expected a label");
    if (n_labels++ >= limits.max_entries) {
      lines.refuse(
          fmt::format("more than {} labels; expected fewer (max_entries)", limits.max_entries));
    }
    check_label(line, lines.where());
    visit(line);
  }
  if (n_labels == 0)
    throw Error(ErrorCode::input, lines.where(1), "found no labels; expected one per line");
}

}  // namespace

std::vector<std::string> read_label_file(const std::string& path, const Limits& limits) {
  std::vector<std::string> labels;
  for_each_label(
      path, [&](std::string_view label) { labels.emplace_back(label); }, limits);
  return labels;
}

void for_each_label(const std::string& path, FunctionRef<void(std::string_view)> visit,
                    const Limits& limits) {
  try {
    const auto source = open_bytes(path, limits);
    const bool is_npy = path.ends_with(".npy") || path.ends_with(".npy.gz");
    is_npy ? read_integers(*source, limits, visit) : read_lines(*source, limits, visit);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::memory, shown_path(path), "not enough memory to hold the labels");
  }
}

}  // namespace gingham
