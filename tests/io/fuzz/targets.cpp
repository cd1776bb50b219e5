#include "io/fuzz/targets.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "gingham/io/formats.hpp"
#include "gingham/io/lines.hpp"
#include "gingham/io/write.hpp"

namespace gingham::fuzz {
namespace {

[[noreturn]] void broken(const char* promise, const std::string& detail) {
  std::fprintf(stderr, "broken promise: %s: %s\n", promise, detail.c_str());
  std::abort();
}

template <class Body>
void allow_refusals(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::input) broken("only Error{input}", error.what());
    if (error.where().empty() || error.message().empty())
      broken("a place and a reason", error.what());
    for (const char c : std::string(error.what())) {
      if (static_cast<unsigned char>(c) < 0x20)
        broken("no control characters in messages", error.what());
    }
  }
}

LabelMode labels_of(const Block& block) {
  const bool rows = !block.labels(0).empty();
  const bool columns = !block.labels(1).empty();
  return rows ? (columns ? LabelMode::both : LabelMode::rows)
              : (columns ? LabelMode::columns : LabelMode::none);
}

void expect_same(const Block& block, const Block& again) {
  if (block.digest() != again.digest()) broken("write and read give the same block", block.name());
  for (Index mode = 0; mode < block.modes(); ++mode) {
    if (block.labels(mode) != again.labels(mode))
      broken("write and read give the same labels", block.name());
  }
}

// What reading gave, as text.
template <class Read>
std::string outcome_of(Read&& read) {
  try {
    const Block block = read();
    std::string text = block.digest();
    for (Index mode = 0; mode < block.modes(); ++mode) {
      for (const std::string& label : block.labels(mode)) text += "|" + label;
    }
    return text;
  } catch (const Error& error) {
    return error.what();
  }
}

template <class Read>
void expect_same_in_pieces(std::span<const char> bytes, Read&& read) {
  static ThreadPool pool(2);
  const auto outcome = [&](const Pieces& pieces) {
    return outcome_of([&] { return read(*memory_bytes("fuzz", bytes), pieces); });
  };
  const std::string by_lines = outcome({.bytes = 0});
  for (const Index size : {Index{1}, Index{7}, Index{64}}) {
    if (outcome({&pool, size}) != by_lines)
      broken("pieces give what reading by lines gives", by_lines);
  }
}

// The first byte chooses among the options.
ReadOptions take_options(std::span<const char>& bytes) {
  ReadOptions options;
  if (bytes.empty()) return options;
  const unsigned choice = static_cast<unsigned char>(bytes[0]);
  bytes = bytes.subspan(1);
  options.labels = static_cast<LabelMode>(choice % 8 > 4 ? 0 : choice % 8);
  options.index_base = (choice & 8) != 0 ? 0 : 1;
  options.duplicates = (choice & 16) != 0 ? Duplicates::sum : Duplicates::error;
  options.unlisted = (choice & 32) != 0 ? Unlisted::missing : Unlisted::zero;
  if ((choice & 64) != 0) options.limits.max_line_bytes = 100;
  return options;
}

void table(std::span<const char> bytes, char delimiter) {
  const ReadOptions options = take_options(bytes);
  expect_same_in_pieces(bytes, [&](ByteSource& source, const Pieces& pieces) {
    return read_csv(source, delimiter, options, pieces);
  });
  allow_refusals([&] {
    const auto source = memory_bytes("fuzz", bytes);
    const Block block = read_csv(*source, delimiter, options);
    MemorySink sink;
    write_table(sink, block, delimiter);
    ReadOptions same;
    same.labels = labels_of(block);
    const auto written = memory_bytes("again", sink.bytes());
    expect_same(block, read_csv(*written, delimiter, same));
  });
}

void csv(std::span<const char> bytes) { table(bytes, ','); }
void tsv(std::span<const char> bytes) { table(bytes, '\t'); }

void mtx(std::span<const char> bytes) {
  const ReadOptions options = take_options(bytes);
  expect_same_in_pieces(bytes, [&](ByteSource& source, const Pieces& pieces) {
    return read_mtx(source, options, pieces);
  });
  allow_refusals([&] {
    const auto source = memory_bytes("fuzz", bytes);
    const Block block = read_mtx(*source, options);
    if (block.summary().listed > 100000 || block.shape()[0] > 100000) return;
    MemorySink sink;
    write_mtx(sink, block);
    ReadOptions same;
    same.unlisted = options.unlisted;
    const auto written = memory_bytes("again", sink.bytes());
    expect_same(block, read_mtx(*written, same));
  });
}

void tns(std::span<const char> bytes) {
  const ReadOptions options = take_options(bytes);
  expect_same_in_pieces(bytes, [&](ByteSource& source, const Pieces& pieces) {
    return read_tns(source, options, pieces);
  });
  allow_refusals([&] {
    const auto source = memory_bytes("fuzz", bytes);
    const Block block = read_tns(*source, options);
    MemorySink sink;
    write_tns(sink, block);
    ReadOptions same;
    same.unlisted = options.unlisted;
    same.shape = block.shape();
    const auto written = memory_bytes("again", sink.bytes());
    expect_same(block, read_tns(*written, same));
  });
}

void npy(std::span<const char> bytes) {
  allow_refusals([&] {
    const auto source = memory_bytes("fuzz", bytes);
    const Block block = read_npy(*source, {});
    MemorySink sink;
    if (const Matrix* matrix = block.dense_matrix()) {
      write_npy(sink, *matrix);
    } else {
      write_npy(sink, *block.dense_tensor());
    }
    const auto written = memory_bytes("again", sink.bytes());
    const Block again = read_npy(*written, {});
    // NaNs of other types may change their payload when widened, not their place.
    if (block.shape() != again.shape() || block.summary().missing != again.summary().missing) {
      broken("write and read give the same block", block.name());
    }
  });
}

void npz(std::span<const char> bytes) {
  const ReadOptions options = take_options(bytes);
  allow_refusals([&] { read_npz("fuzz", bytes, "", options); });
  allow_refusals([&] { read_npz("fuzz", bytes, "x", options); });
}

void gzip(std::span<const char> bytes) {
  allow_refusals([&] {
    const auto source = gunzip(memory_bytes("fuzz", bytes), {});
    LineReader lines(*source, {});
    while (lines.next()) {
    }
  });
}

void lines(std::span<const char> bytes) {
  allow_refusals([&] {
    const std::vector<std::string> read = read_lines(*memory_bytes("fuzz", bytes), {});
    std::string text = "\xEF\xBB\xBF";
    for (const std::string& line : read) text += line + "\r\n";
    if (read_lines(*memory_bytes("again", text), {}) != read)
      broken("write and read give the same lines", text);
  });
}

constexpr Target kTargets[] = {{"csv", csv}, {"tsv", tsv}, {"mtx", mtx},   {"tns", tns},
                               {"npy", npy}, {"npz", npz}, {"gzip", gzip}, {"lines", lines}};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace gingham::fuzz
