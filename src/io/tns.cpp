// Sparse tensors as text: one entry per line, an index per mode and the value; comments ('#') come
// first.
#include <fmt/format.h>

#include "gingham/io/coordinates.hpp"
#include "gingham/io/formats.hpp"
#include "gingham/io/lines.hpp"

namespace gingham {

Block read_tns(ByteSource& source, const ReadOptions& options, const Pieces& pieces) {
  LineReader lines(source, options.limits);
  bool found = next_entry_line(lines);
  while (found && lines.line().starts_with('#')) found = next_entry_line(lines);
  if (!found) {
    throw Error(ErrorCode::input, lines.where(),
                "the file has no entries; expected indices and a value per line");
  }
  std::vector<std::string_view> fields;
  split_fields(lines.line(), fields);
  const Index modes = static_cast<Index>(fields.size()) - 1;
  if (modes < 1 || modes > options.limits.max_modes) {
    lines.refuse(fmt::format(
        "found {} fields; expected 1 to {} indices (max_modes) and a value, separated by "
        "spaces",
        fields.size(), options.limits.max_modes));
  }
  Shape shape = options.shape;
  if (!shape.empty() && static_cast<Index>(shape.size()) != modes) {
    lines.refuse(fmt::format("found {} indices; expected {} as --shape says", modes, shape.size()));
  }
  const bool is_meant = !shape.empty();
  for (std::size_t mode = 0; mode < shape.size(); ++mode) {
    check_sparse_size(shape[mode], 0, true, static_cast<Index>(mode), source.name());
  }
  EntryReader entries(lines, options, pieces, modes, true, false);
  do {
    entries.take(shape);
    entries.take_plain(shape, options.limits.max_entries);
  } while (next_entry_line(lines));
  if (!is_meant) shape = entries.largest();
  for (Index mode = 0; mode < modes; ++mode) {
    check_sparse_size(shape[mode], entries.entries(), is_meant, mode,
                      lines.where(entries.last_line()));
  }
  return entries.finish(source.name(), std::move(shape));
}

}  // namespace gingham
