#include "gingham/io/pieces.hpp"

#include <gtest/gtest.h>

#include "gingham/io/sink.hpp"
#include "gingham/io/write.hpp"
#include "io/read_in_pieces.hpp"
#include "io/temporary_folder.hpp"

namespace gingham {
namespace {

using testing::Held;
using testing::UglyText;

std::unique_ptr<ByteSource> from_memory(const std::string& bytes) {
  return memory_bytes("file", bytes);
}

// Many files, of which enough can be read and enough cannot.
void expect_both(const Held& held) {
  EXPECT_GT(held.blocks, (held.blocks + held.errors) / 8);
  EXPECT_GT(held.errors, (held.blocks + held.errors) / 8);
}

TEST(ReadInPieces, GivesTheTableOrTheErrorOfReadingByLines) {
  expect_both(testing::hold_tables(1, 800, 4, ',', from_memory));
  expect_both(testing::hold_tables(2, 300, 4, '\t', from_memory));
}

TEST(ReadInPieces, GivesTheMatrixMarketFileOrTheErrorOfReadingByLines) {
  expect_both(testing::hold_matrix_market(3, 1000, 4, from_memory));
}

TEST(ReadInPieces, GivesTheTensorOrTheErrorOfReadingByLines) {
  expect_both(testing::hold_tensors(4, 1000, 4, from_memory));
}

std::string gzipped(const std::string& bytes) {
  MemorySink target;
  GzipSink gzip(target);
  gzip.write(bytes);
  gzip.finish();
  return target.bytes();
}

// A damaged stream fails where it is damaged, behind the errors in the text before it.
TEST(ReadInPieces, GivesTheErrorsOfCompressedFilesInTheirOrder) {
  const auto open = [](const std::string& bytes) {
    return gunzip(memory_bytes("file", bytes), {});
  };
  const auto make = [](UglyText& random) {
    std::string text;
    for (Index part = random.below(40); part >= 0; --part) text += random.table(',');
    return random.chance(0.5) ? random.damaged(gzipped(text)) : gzipped(text);
  };
  const Held held = testing::hold_against_lines(
      5, 200, 4, make,
      [](ByteSource& source, const ReadOptions& options, const Pieces& pieces) {
        return read_csv(source, ',', options, pieces);
      },
      open);
  EXPECT_GT(held.errors, 100);
}

// All bytes up to the error and the error, read `step` bytes at a time.
std::pair<std::string, std::string> unpacked(const std::string& bytes, std::size_t step,
                                             const Limits& limits) {
  const auto source = gunzip(memory_bytes("file", bytes), limits);
  std::pair<std::string, std::string> outcome;
  std::string part(step, '\0');
  try {
    while (const std::size_t got = source->read(part.data(), step))
      outcome.first.append(part, 0, got);
  } catch (const Error& error) {
    outcome.second = error.what();
  }
  return outcome;
}

TEST(Gunzip, FailsAtTheSameByteHoweverMuchIsAskedFor) {
  UglyText random(7);
  for (int file = 0; file < 200; ++file) {
    std::string text;
    for (Index part = random.below(60); part >= 0; --part) text += random.table(',');
    std::string bytes = random.damaged(gzipped(text));
    if (random.chance(0.2)) bytes.resize(bytes.size() / 2);
    Limits limits;
    if (random.chance(0.2)) limits.max_bytes = 1 + random.below(std::ssize(text));
    const auto expected = unpacked(bytes, 1, limits);
    for (const std::size_t step : {2u, 7u, 100u, 4096u, 1u << 18})
      EXPECT_EQ(unpacked(bytes, step, limits), expected);
  }
}

// Long enough that the reader goes back and forth between its two buffers.
TEST(ReadInPieces, ReadsLongTablesWithOddLinesHereAndThere) {
  UglyText random(6);
  ThreadPool pool(3);
  for (const Index piece : {Index{50}, Index{1000}, Index{1} << 17}) {
    std::string text;
    Index rows = 0;
    while (text.size() < 600000) {
      text += random.chance(0.001) ? "\"two\nlines" + std::to_string(rows) + "\""
                                   : "row" + std::to_string(rows);
      const Index width = 5;
      for (Index j = 0; j < width; ++j) text += "," + std::to_string(rows * width + j) + ".25";
      text += random.chance(0.1) ? "\r\n" : "\n";
      ++rows;
    }
    const auto outcome = [&](const std::string& bytes, const Pieces& pieces) {
      return testing::outcome_of(
          [&] { return read_csv(*memory_bytes("file", bytes), ',', {}, pieces); });
    };
    const std::string expected = outcome(text, {.bytes = 0});
    ASSERT_TRUE(expected.starts_with("block")) << expected;
    EXPECT_EQ(outcome(text, {&pool, piece}), expected);
    EXPECT_EQ(outcome(text, {nullptr, piece}), expected);
    text += "last,1,2,3,4\n";
    const std::string ragged = outcome(text, {.bytes = 0});
    ASSERT_NE(ragged.find("found 5 cells"), std::string::npos) << ragged;
    EXPECT_EQ(outcome(text, {&pool, piece}), ragged);
  }
}

TEST(ReadInPieces, ReadsLinesThatAreLongerThanManyPieces) {
  ThreadPool pool(2);
  std::string text;
  for (int row = 0; row < 40; ++row) {
    for (int j = 0; j < 5000; ++j) text += (j > 0 ? "," : "") + std::to_string(row * 7 + j);
    text += "\n";
  }
  const auto read = [&](const Pieces& pieces) {
    return read_csv(*memory_bytes("file", text), ',', {}, pieces).digest();
  };
  EXPECT_EQ(read({&pool, 10}), read({.bytes = 0}));
  EXPECT_EQ(read({nullptr, 3000}), read({.bytes = 0}));
}

// The error is that of the file in pieces too when the file ends or fails in the middle of one.
TEST(ReadInPieces, GivesTheSameForAFileCutAnywhere) {
  ThreadPool pool(3);
  const std::string text = "a,b\nr1,1.5,2\n\"r\n2\",3,4\nr3,5,6\nr4,7,8\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string bytes = text.substr(0, size);
    const auto outcome = [&](const Pieces& pieces) {
      return testing::outcome_of(
          [&] { return read_csv(*memory_bytes("file", bytes), ',', {}, pieces); });
    };
    for (Index piece = 1; piece < 20; ++piece)
      EXPECT_EQ(outcome({&pool, piece}), outcome({.bytes = 0})) << size;
  }
}

TEST(ReadInPieces, ReadsTheMembersOfAnArchiveAtTheSameTime) {
  const TemporaryFolder folder;
  UglyText random(8);
  ThreadPool pool(3);
  Index blocks = 0, errors = 0;
  for (int file = 0; file < 200; ++file) {
    constexpr Index kEntries = 60;
    Array<std::int32_t> row(kEntries), column(kEntries);
    Array<double> value(kEntries);
    for (Index k = 0; k < kEntries; ++k) {
      row.data()[k] = static_cast<std::int32_t>(random.below(9));
      column.data()[k] = static_cast<std::int32_t>(random.below(11));
      value.data()[k] = static_cast<double>(random.below(100)) / 7.0;
    }
    MemorySink sink;
    write_npz_sparse(sink, SparseMatrix::from_triplets(9, 11, std::move(row), std::move(column),
                                                       std::move(value), Duplicates::sum));
    const std::string bytes = file % 4 == 0 ? sink.bytes() : random.damaged(sink.bytes());
    const std::string path = folder.write("x.npz", bytes);
    const auto outcome = [&](Executor* executor) {
      return testing::outcome_of([&] { return read_npz(path, "", {}, executor); });
    };
    const std::string expected = outcome(nullptr);
    ++(expected.starts_with("block") ? blocks : errors);
    EXPECT_EQ(outcome(&pool), expected);
    const auto from_bytes = [&](Executor* executor) {
      return testing::outcome_of([&] { return read_npz("memory", bytes, "", {}, executor); });
    };
    EXPECT_EQ(from_bytes(&pool), from_bytes(nullptr));
  }
  EXPECT_GE(blocks, 50);
  EXPECT_GT(errors, 50);
}

TEST(Gathered, HoldsWhatWasAppended) {
  Gathered<std::int32_t> gathered;
  std::vector<std::int32_t> expected;
  for (std::int32_t k = 0; k < 3000; ++k) {
    gathered.push_back(k);
    expected.push_back(k);
    if (k % 100 != 0) continue;
    const std::vector<std::int32_t> more(static_cast<std::size_t>(k), k);
    gathered.append(more.data(), std::ssize(more));
    expected.insert(expected.end(), more.begin(), more.end());
  }
  ASSERT_EQ(gathered.size(), std::ssize(expected));
  EXPECT_EQ(gathered[2999], expected[2999]);
  const Array<std::int32_t> array = gathered.finish();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), array.span().begin()));
  EXPECT_EQ(gathered.size(), 0);
  gathered.push_back(5);
  EXPECT_EQ(gathered.finish().span()[0], 5);
}

}  // namespace
}  // namespace gingham
