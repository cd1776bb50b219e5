#include "gingham/io/read.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>

#include "gingham/io/byte_source.hpp"
#include "gingham/io/npy_stream.hpp"
#include "gingham/io/read_labels.hpp"
#include "gingham/io/write.hpp"
#include "io/temporary_folder.hpp"

namespace gingham {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

std::string npy(const std::string& header, const std::string& body) {
  std::string text = header + "\n";
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(text.size() & 255);
  file += static_cast<char>(text.size() >> 8);
  return file + text + body;
}

std::string gzipped(const std::string& bytes) {
  MemorySink target;
  GzipSink gzip(target);
  gzip.write(bytes);
  gzip.finish();
  return target.bytes();
}

TEST(ReadBlock, ReadsATableWithItsLabels) {
  const TemporaryFolder folder;
  const Block block = read_block(folder.write("x.csv", ",a,b\r\np,1,NA\r\n\"q \"\"r\"\"\",,-4e2"));
  ASSERT_NE(block.dense_matrix(), nullptr);
  EXPECT_EQ(block.shape(), (Shape{2, 2}));
  EXPECT_EQ(block.labels(0), (Labels{"p", "q \"r\""}));
  EXPECT_EQ(block.labels(1), (Labels{"a", "b"}));
  EXPECT_EQ((*block.dense_matrix())(0, 0), 1.0);
  EXPECT_EQ((*block.dense_matrix())(1, 1), -400.0);
  EXPECT_EQ(block.summary().missing, 2);
}

TEST(ReadBlock, NamesFileLineAndColumn) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.csv", "1,2\n3,4\n5,1.5abc\n");
  try {
    read_block(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_EQ(error.where(), path + ":3");
    EXPECT_NE(error.message().find("column 2"), std::string::npos);
    EXPECT_NE(error.message().find("1.5abc"), std::string::npos);
  }
}

TEST(ReadBlock, NamesBothLinesOfADuplicate) {
  const TemporaryFolder folder;
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n%\n";
  const std::string path = folder.write("x.mtx", head + "3 3 4\n1 1 1\n3 1 5\n2 2 1\n3 1 6\n");
  try {
    read_block(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), path + ":7");
    EXPECT_NE(error.message().find("line 5"), std::string::npos) << error.message();
  }
  const Block sum = read_block(path, {.duplicates = Duplicates::sum});
  EXPECT_EQ(sum.summary().sum, 1 + 2 * 11 + 1);
}

TEST(ReadBlock, TakesShapeAsTheWordForHugeModes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.tns", "1 1 6000000 2.5\n");
  EXPECT_THROW(read_block(path), Error);
  EXPECT_EQ(read_block(path, {.shape = {1, 1, 6000000}}).shape(), (Shape{1, 1, 6000000}));
}

TEST(ReadBlock, MarksUnlistedCellsAsAsked) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.tns", "1 1 1 2.5\n2 2 2 1\n");
  EXPECT_EQ(read_block(path).summary().missing, 0);
  EXPECT_EQ(read_block(path, {.unlisted = Unlisted::missing}).summary().missing, 6);
}

TEST(ReadBlock, RefusesAnotherIndexBaseThanZeroAndOne) {
  const TemporaryFolder folder;
  try {
    read_block(folder.write("x.tns", "1 1 1\n"), {.index_base = 2});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
  }
}

TEST(ReadBlock, KeepsToItsLimits) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& name, const std::string& bytes, Limits limits) {
    try {
      read_block(folder.write(name, bytes), {.limits = limits});
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input) << name;
      EXPECT_NE(error.message().find("max_"), std::string::npos) << error.message();
    }
  };
  refused("a.csv", "1,2\n3,4\n", {.max_bytes = 7});
  refused("a.csv", "1,2\n3,4\n", {.max_entries = 3});
  refused("a.csv", "1,2\n3,4444\n", {.max_line_bytes = 5});
  refused("a.csv.gz", gzipped("1,2\n3,4\n"), {.max_bytes = 7});
  refused("a.tns", "1 1 1 1\n1 1 2 1\n", {.max_entries = 1});
  refused("a.tns", "1 1 1 1\n", {.max_modes = 2});
  refused("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 2\n",
          {.max_entries = 1});
  refused("a.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n", {.max_entries = 1});
  refused("a.npy",
          npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1)}", std::string(16, '\0')),
          {.max_entries = 1});
}

TEST(ReadBlock, ReadsLinesOfAnyLengthAcrossBuffers) {
  // Quoted newlines, CRLF and long rows at every position relative to the reader's buffer.
  const TemporaryFolder folder;
  for (const Index width : {Index{1}, Index{7}, Index{4096}, Index{65536}}) {
    std::string text;
    Index rows = 0;
    while (text.size() < 700000) {
      text += "\"row\n" + std::to_string(rows) + "\"";
      for (Index j = 0; j < width; ++j) text += "," + std::to_string((rows * width + j) % 1000);
      text += "\r\n";
      ++rows;
    }
    const Block block = read_block(folder.write("x.csv", text));
    ASSERT_EQ(block.shape(), (Shape{rows, width}));
    for (Index k = 0; k < rows * width; ++k)
      ASSERT_EQ(block.dense_matrix()->values()[k], static_cast<double>(k % 1000));
    EXPECT_EQ(block.labels(0)[rows - 1], "row\n" + std::to_string(rows - 1));
  }
}

// The child may take 1 MB and the size of the file on top of what it has; a reader that believes
// the header asks for more and ends in another error than Error{input}.
int refusal_in_little_memory(const std::string& path) {
  const Index size = static_cast<Index>(std::filesystem::file_size(path));
  const pid_t child = fork();
  if (child == 0) {
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const auto allowed = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + size + (1 << 20));
    const rlimit limit{allowed, allowed};
    setrlimit(RLIMIT_AS, &limit);
    int code = 10;
    try {
      read_block(path);
    } catch (const Error& error) {
      code = error.code() == ErrorCode::input ? 0 : 20;
    } catch (...) {
      code = 30;
    }
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

TEST(ReadBlock, AsksForNoMemoryOnTheWordOfAHeader) {
  if (kSanitized) GTEST_SKIP() << "address space limits and sanitizers do not mix";
  const TemporaryFolder folder;
  const std::string coordinate = "%%MatrixMarket matrix coordinate real general\n";
  const std::string array = "%%MatrixMarket matrix array real general\n";
  const std::string filler(100000, '1');
  const std::pair<std::string, std::string> files[] = {
      {"a.mtx", coordinate + "2000000000 2000000000 1\n1 1 1\n"},
      {"a.mtx", coordinate + "100000 100000 1000000000\n1 1 1\n"},
      {"a.mtx",
       coordinate + "9223372036854775807 9223372036854775807 9223372036854775807\n1 1 1\n"},
      {"a.mtx", array + "100000 100000\n1\n"},
      {"a.mtx", array + "4294967296 4294967296\n1\n"},
      {"a.tns", "2000000000 2000000000 2000000000 1\n"},
      {"a.npy",
       npy("{'descr': '<f8', 'fortran_order': False, 'shape': (65536, 65536)}", "12345678")},
      {"a.npy", npy("{'descr': '<f8', 'fortran_order': True, 'shape': (100000000,)}", filler)},
      {"a.npy", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12) + filler},
      {"a.csv", "1\n" + filler + "\n"},
      {"a.csv", "1,\"" + filler},
  };
  for (const auto& [name, bytes] : files) {
    EXPECT_EQ(refusal_in_little_memory(folder.write(name, bytes)), 0) << bytes.substr(0, 120);
    EXPECT_EQ(refusal_in_little_memory(folder.write(name + ".gz", gzipped(bytes))), 0)
        << bytes.substr(0, 120);
  }
}

TEST(ByteSource, NoticesAFileThatChangesWhileRead) {
  const TemporaryFolder folder;
  for (const std::size_t new_size :
       {std::size_t{0}, std::size_t{100}, std::size_t{300000}, std::size_t{500000}}) {
    const std::string path = folder.write("x.csv", std::string(400000, '1'));
    const auto source = open_bytes(path, {});
    std::string bytes(1000, '\0');
    ASSERT_EQ(source->read(bytes.data(), bytes.size()), bytes.size());
    std::filesystem::resize_file(path, new_size);
    EXPECT_THROW(
        {
          while (source->read(bytes.data(), bytes.size()) > 0) {
          }
        },
        Error)
        << new_size;
  }
}

TEST(NpyStream, ReadsRowsAndNoticesTrouble) {
  const TemporaryFolder folder;
  const Index rows = 1000, cols = 700;
  Matrix matrix(rows, cols);
  for (Index k = 0; k < matrix.size(); ++k) matrix.data()[k] = static_cast<double>(k) / 3.0;
  matrix(5, 3) = std::nan("");
  const std::string path = folder / "x.npy";
  write_block(Block("X", matrix), path);
  const NpyStream stream(path);
  EXPECT_EQ(stream.rows(), rows);
  EXPECT_EQ(stream.cols(), cols);
  std::vector<double> part(static_cast<std::size_t>(400 * cols));
  std::vector<float> narrow(part.size());
  stream.read_rows(300, 400, std::span<double>(part));
  stream.read_rows(300, 400, std::span<float>(narrow));
  for (Index k = 0; k < 400 * cols; ++k) {
    ASSERT_EQ(part[k], matrix.data()[300 * cols + k]);
    ASSERT_EQ(narrow[k], static_cast<float>(matrix.data()[300 * cols + k]));
  }
  EXPECT_THROW(stream.read_rows(700, 400, std::span<double>(part)), Error);
  EXPECT_THROW(stream.read_rows(-1, 400, std::span<double>(part)), Error);
  EXPECT_THROW(stream.read_rows(0, 3, std::span<double>(part)), Error);
  std::filesystem::resize_file(path, 4000);
  EXPECT_THROW(stream.read_rows(300, 400, std::span<double>(part)), Error);
  EXPECT_THROW(stream.check_unchanged(), Error);
  EXPECT_THROW(NpyStream(folder / "none.npy"), Error);
  matrix(2, 2) = 1e300;
  write_block(Block("X", matrix), path);
  EXPECT_THROW(NpyStream(path).read_rows(0, 400, std::span<float>(narrow)), Error);
}

TEST(NpyStream, ReadsFortranOrderByColumns) {
  const TemporaryFolder folder;
  std::string body(2 * 3 * 8, '\0');
  for (int k = 0; k < 6; ++k) {
    const double value = k;
    std::memcpy(body.data() + 8 * k, &value, 8);
  }
  const std::string path =
      folder.write("x.npy", npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3)}", body));
  std::vector<double> rows(6);
  NpyStream(path).read_rows(0, 2, std::span<double>(rows));
  EXPECT_EQ(rows, (std::vector<double>{0, 2, 4, 1, 3, 5}));
}

TEST(NpyStream, RefusesABoolThatIsNone) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "x.npy", npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 1)}", "\x01\x02"));
  std::vector<double> rows(2);
  EXPECT_THROW(NpyStream(path).read_rows(0, 2, std::span<double>(rows)), Error);
}

TEST(WriteBlock, RefusesWhatAFormatCannotHold) {
  const TemporaryFolder folder;
  const Block tensor("T", Tensor({2, 2, 2}));
  const Block sparse(
      "S", SparseMatrix::from_triplets(2, 2, Array<std::int32_t>(1), Array<std::int32_t>(1),
                                       Array<double>(1), Duplicates::error));
  for (const char* name : {"x.csv", "x.tsv.gz", "x.mtx", "x.xyz", "x"}) {
    EXPECT_THROW(write_block(tensor, folder / name), Error) << name;
  }
  EXPECT_THROW(write_block(sparse, folder / "x.npy"), Error);
  EXPECT_TRUE(folder.content().empty());
}

TEST(WriteBlock, WritesLabelsThatReadBack) {
  const TemporaryFolder folder;
  const Labels hostile{"a,b", "say \"x\"", "two\nlines", " padded ", "", "NA", "plain", "\t1"};
  Labels columns(hostile.begin(), hostile.end() - 1);
  Matrix matrix(static_cast<Index>(columns.size()), static_cast<Index>(columns.size()));
  matrix(0, 0) = std::nan("");
  write_block(Block("X", matrix, {columns, columns}), folder / "x.csv");
  const Block again = read_block(folder / "x.csv", {.labels = LabelMode::both});
  EXPECT_EQ(again.labels(0), columns);
  EXPECT_EQ(again.labels(1), columns);
  EXPECT_EQ(again.summary().missing, 1);
}

TEST(WriteBlock, WritesTheSameBytesForTheSameData) {
  const TemporaryFolder folder;
  const Block block(
      "S", SparseMatrix::from_triplets(2, 2, Array<std::int32_t>(1), Array<std::int32_t>(1),
                                       Array<double>(1), Duplicates::error));
  for (const char* name : {"x.npz", "x.mtx.gz", "x.tns", "x.csv"}) {
    write_block(block, folder / name);
    const std::string first = TemporaryFolder::read(folder / name);
    write_block(block, folder / name);
    EXPECT_EQ(TemporaryFolder::read(folder / name), first) << name;
  }
}

TEST(ReadLabels, ReadsOneLabelPerLine) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_label_file(folder.write("l.txt", "a\r\nb c\r\na")),
            (std::vector<std::string>{"a", "b c", "a"}));
  EXPECT_THROW(read_label_file(folder.write("l.txt", "a\n\nb\n")), Error);
  EXPECT_THROW(read_label_file(folder / "none.txt"), Error);
}

}  // namespace
}  // namespace gingham
