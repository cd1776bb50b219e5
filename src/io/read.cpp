#include "gingham/io/read.hpp"

#include <fmt/format.h>

#include <new>

#include "gingham/base/text.hpp"
#include "gingham/io/formats.hpp"

namespace gingham {
namespace {

// True, and the ending is cut off, when `path` ends in it in lower or upper case.
bool cut_ending(std::string& path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  for (std::size_t i = 0; i < ending.size(); ++i) {
    const char c = path[path.size() - ending.size() + i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != ending[i]) return false;
  }
  path.resize(path.size() - ending.size());
  return true;
}

std::vector<char> read_all(ByteSource& source) {
  std::vector<char> bytes;
  std::size_t filled = 0;
  for (;;) {
    if (filled == bytes.size()) bytes.resize(std::max<std::size_t>(1 << 16, 2 * bytes.size()));
    const std::size_t got = source.read(bytes.data() + filled, bytes.size() - filled);
    if (got == 0) break;
    filled += got;
  }
  bytes.resize(filled);
  return bytes;
}

Block read_archive(const std::string& path, const std::string& array, const ReadOptions& options,
                   Executor* executor) {
  std::string stem = path;
  if (!cut_ending(stem, ".gz")) return read_npz(path, array, options, executor);
  const auto source = open_bytes(path, options.limits);
  return read_npz(source->name(), read_all(*source), array, options, executor);
}

Block read_any(const std::string& path, const ReadOptions& options, Executor* executor) {
  // "file.npz:name" and "file.npz.gz:name"
  for (const std::string_view ending : {".npz:", ".npz.gz:"}) {
    const std::size_t found = path.rfind(ending);
    if (found == std::string::npos) continue;
    const std::size_t colon = found + ending.size() - 1;
    const std::string array = path.substr(colon + 1);
    if (array.empty()) {
      throw Error(ErrorCode::input, shown_path(path),
                  "found no name after the colon; expected that of an array");
    }
    return read_archive(path.substr(0, colon), array, options, executor);
  }
  std::string stem = path;
  cut_ending(stem, ".gz");
  if (cut_ending(stem, ".npz")) return read_archive(path, "", options, executor);
  using Reader = Block (*)(ByteSource&, const ReadOptions&, const Pieces&);
  const std::pair<std::string_view, Reader> readers[] = {
      {".csv", [](ByteSource& source, const ReadOptions& o,
                  const Pieces& pieces) { return read_csv(source, ',', o, pieces); }},
      {".tsv", [](ByteSource& source, const ReadOptions& o,
                  const Pieces& pieces) { return read_csv(source, '\t', o, pieces); }},
      {".mtx", read_mtx},
      {".npy",
       [](ByteSource& source, const ReadOptions& o, const Pieces&) { return read_npy(source, o); }},
      {".tns", read_tns},
  };
  for (const auto& [ending, reader] : readers) {
    if (!cut_ending(stem, ending)) continue;
    const auto source = open_bytes(path, options.limits);
    return reader(*source, options, {.executor = executor});
  }
  throw Error(ErrorCode::input, shown_path(path),
              "unknown kind of file; expected a name that ends in .csv, .tsv, .mtx, .npy, .npz or "
              ".tns, or one of "
              "these and .gz");
}

}  // namespace

Block read_block(const std::string& path, const ReadOptions& options, Executor* executor) {
  if (options.index_base != 0 && options.index_base != 1) {
    throw Error(ErrorCode::usage, "index-base",
                fmt::format("found {}; expected 0 or 1", options.index_base));
  }
  try {
    return read_any(path, options, executor);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::memory, shown_path(path),
                "not enough memory to hold what the file contains");
  }
}

}  // namespace gingham
