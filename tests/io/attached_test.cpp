#include "gingham/io/attached.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gingham/base/rng.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/result_json.hpp"
#include "gingham/io/sink.hpp"
#include "io/temporary_folder.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using Lines = std::vector<std::string>;
using test::expect_error;

std::string gzipped(const std::string& bytes) {
  MemorySink target;
  GzipSink gzip(target);
  gzip.write(bytes);
  gzip.finish();
  return target.bytes();
}

TEST(ReadLineFile, TakesWhatTextFilesAreLike) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& bytes) {
    const Lines plain = read_line_file(folder.write("x.txt", bytes));
    EXPECT_EQ(read_line_file(folder.write("x.txt.gz", gzipped(bytes))), plain);
    return plain;
  };
  EXPECT_EQ(read("a\nb\n"), (Lines{"a", "b"}));
  EXPECT_EQ(read("a\nb"), (Lines{"a", "b"}));
  EXPECT_EQ(read("a\r\nb\r\n"), (Lines{"a", "b"}));
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "a\nb\n"),
            (Lines{"a", "b"}));
  EXPECT_EQ(read(""), Lines{});
  EXPECT_EQ(read("\n"), Lines{""});
  EXPECT_EQ(read("a\n\n\nb\n\n"), (Lines{"a", "", "", "b", ""}));
  EXPECT_EQ(read("a \t\n  \n\t b\tc \r\n"), (Lines{"a", "", "\t b\tc"}));
  EXPECT_EQ(read("größe,\xE4\xB8\xAD\n"), (Lines{"größe,\xE4\xB8\xAD"}));
  const std::string longer(100000, 'x');
  EXPECT_EQ(read(longer + "\n" + longer), (Lines{longer, longer}));
  const std::string twice = gzipped("a\n") + gzipped("b\n");
  EXPECT_EQ(read_line_file(folder.write("x.gz", twice)), (Lines{"a", "b"}));
}

TEST(ReadLineFile, RefusesTheRestWithItsPlace) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& bytes, const Lines& parts,
                           const Limits& limits = {}) {
    for (const char* name : {"x.txt", "x.txt.gz"}) {
      const bool is_gzip = std::string(name).ends_with(".gz");
      const std::string path = folder.write(name, is_gzip ? gzipped(bytes) : bytes);
      Lines all = parts;
      all.push_back(name);
      expect_error(ErrorCode::input, all, [&] { read_line_file(path, limits); });
    }
  };
  refused(std::string("a\nb\0c\n", 6), {":2", "0x00 at byte 2"});
  refused(std::string("a\nb\0", 4), {":2", "0x00"});
  refused("a\n\nb\rc\n", {":3", "0x0d"});
  refused("a\n\x7F\n", {":2", "0x7f"});
  refused("a\nb\xC2\x85\n", {":2", "0x85"});
  refused("a\nb\nc \xFF\n", {":3", "byte 3", "UTF-8"});
  refused("a\nb\xC3\n", {":2", "byte 2", "UTF-8"});
  refused(
      "\xFF\xFE"
      "a",
      {"UTF-16"});
  refused("a\nb\nc\n", {":3", "more than 2 lines"}, {.max_entries = 2});
  refused("a\nbbbb\n", {":2", "more than 3 bytes"}, {.max_line_bytes = 3});
  refused("a\nbbbb\n", {"6"}, {.max_bytes = 6});
  expect_error(ErrorCode::input, {"none.txt"}, [&] { read_line_file(folder / "none.txt"); });
  expect_error(ErrorCode::input, {"regular"}, [&] { read_line_file(folder.path()); });
  const std::string whole = gzipped("some lines\nand more of them\n");
  for (std::size_t size = 1; size < whole.size(); ++size)
    EXPECT_THROW(read_line_file(folder.write("cut.gz", whole.substr(0, size))), Error);
  expect_error(ErrorCode::input, {"gzip"}, [&] { read_line_file(folder.write("x.txt", whole)); });
}

// The same by looking at one character after the other.
Lines naive_lines(const std::string& bytes) {
  Lines lines;
  std::string line;
  const auto end = [&] {
    if (line.ends_with('\r')) line.pop_back();
    while (line.ends_with(' ') || line.ends_with('\t')) line.pop_back();
    lines.push_back(line);
    line.clear();
  };
  for (const char c : bytes) {
    if (c == '\n') {
      end();
    } else {
      line += c;
    }
  }
  if (!line.empty()) end();
  return lines;
}

TEST(ReadLineFile, AgreesWithANaiveReader) {
  const TemporaryFolder folder;
  Rng rng = Rng::named(1, "lines");
  const Lines pieces{"a", "b", " ", "\t", "\n", "\n", "\r\n", ",", "/", "ä", "long piece of text"};
  for (int trial = 0; trial < 500; ++trial) {
    std::string bytes;
    for (Index n = rng.below(40); n > 0; --n) bytes += pieces[rng.below(std::ssize(pieces))];
    ASSERT_EQ(read_line_file(folder.write("x", bytes)), naive_lines(bytes)) << bytes;
  }
}

Options sample_options() {
  return Options({integer_option("clusters", "3", 1, 9, ""), lines_option("groups", ""),
                  lines_option("group-weights", ""),
                  matrix_option("begin", "random", {"random"}, "")});
}

TEST(AttachFiles, ReadsWhatWasSetAndNotYetAttached) {
  const TemporaryFolder folder;
  Options options = sample_options();
  attach_files(options);
  EXPECT_FALSE(options.given("groups"));
  options.set("groups", folder.write("g.txt", "a\n\nb\n"));
  options.set("group-weights", folder / "none.txt");
  expect_error(ErrorCode::input, {"--group-weights", "none.txt"}, [&] { attach_files(options); });
  options.attach("group-weights", {"a 2"});
  attach_files(options);
  EXPECT_EQ(options.lines("groups"), (Lines{"a", "", "b"}));
  EXPECT_EQ(options.lines("group-weights"), Lines{"a 2"});
  const std::vector<AttachedRecord> records = attached_records(options);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].option, "groups");
  EXPECT_EQ(records[0].path, folder / "g.txt");
  EXPECT_EQ(records[0].digest, options.digest("groups"));
  EXPECT_EQ(records[0].n_lines, 3);
}

TEST(AttachAgain, NoticesFilesThatMovedOrChanged) {
  const TemporaryFolder folder;
  Options options = sample_options();
  options.set("groups", folder.write("g.txt", "a\nb\n"));
  attach_files(options);
  const std::vector<AttachedRecord> records = attached_records(options);
  Options again = sample_options();
  again.set("groups", folder / "g.txt");
  attach_again(again, records, folder / "out");
  EXPECT_TRUE(changed_files(again, records).empty());

  folder.write("g.txt", "a\nb\nc\n");
  attach_again(again, records, folder / "out");
  ASSERT_EQ(changed_files(again, records).size(), 1u);
  for (const std::string part : {"--groups", "g.txt", "(2 lines)", "(3 lines)", "not the same"})
    EXPECT_NE(changed_files(again, records)[0].find(part), std::string::npos) << part;

  std::filesystem::remove(folder / "g.txt");
  expect_error(ErrorCode::input, {"--groups", "g.txt", "--attached groups=FILE"},
               [&] { attach_again(again, records, folder / "out"); });
  attach_again(again, records, folder / "out", {{"groups", folder.write("moved.txt", "a\r\nb")}});
  EXPECT_TRUE(changed_files(again, records).empty());
  expect_error(ErrorCode::usage, {"--attached", "group-weights"}, [&] {
    attach_again(again, records, folder / "out", {{"group-weights", folder / "moved.txt"}});
  });
}

TEST(AttachFiles, ReadsMatricesOfEveryFormat) {
  const TemporaryFolder folder;
  Options options = sample_options();
  attach_files(options);
  EXPECT_EQ(options.matrix("begin"), nullptr);
  std::string digest;
  for (const auto& [name, bytes] : std::map<std::string, std::string>{
           {"b.csv", "1,2,3\n4,5,6\n"},
           {"b.csv.gz", gzipped("1,2,3\n4,5,6\n")},
           {"named.tsv", "x\ty\tz\n1\t2\t3\n4\t5\t6\n"},
           {"b.mtx", "%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n"}}) {
    options.set("begin", folder.write(name, bytes));
    attach_files(options);
    ASSERT_NE(options.matrix("begin"), nullptr);
    EXPECT_EQ((*options.matrix("begin"))(1, 2), 6.0) << name;
    if (digest.empty()) digest = options.digest("begin");
    EXPECT_EQ(options.digest("begin"), digest) << name;
  }
  const std::vector<AttachedRecord> records = attached_records(options);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].option, "begin");
  EXPECT_EQ(records[0].shape, (Shape{2, 3}));
  EXPECT_EQ(records[0].size_text(), "2 x 3");
}

TEST(AttachFiles, RefusesWhatIsNoDenseMatrixOfNumbers) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& path, const Lines& parts) {
    Options options = sample_options();
    options.set("begin", path);
    Lines all = parts;
    all.push_back("--begin");
    expect_error(ErrorCode::input, all, [&] { attach_files(options); });
  };
  refused(folder / "none.npy", {"none.npy"});
  refused(folder.write("hole.csv", "1,\n2,3\n"), {"hole.csv", "missing"});
  refused(folder.write("s.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 5\n"),
          {"s.mtx", "dense"});
  refused(folder.write("t.tns", "1 1 1 5\n"), {"t.tns", "dense"});
  refused(folder.write("bad.csv", "1,2\n3\n"), {"bad.csv:2"});
  refused(folder.write("b.txt", "1 2\n"), {"b.txt"});
}

TEST(AttachAgain, NoticesMatricesThatMovedOrChanged) {
  const TemporaryFolder folder;
  Options options = sample_options();
  options.set("begin", folder.write("b.csv", "1,2\n3,4\n"));
  attach_files(options);
  const std::vector<AttachedRecord> records = attached_records(options);
  attach_again(options, records, folder / "out");
  EXPECT_TRUE(changed_files(options, records).empty());
  folder.write("b.csv", "1,2\n3,4\n5,6\n");
  attach_again(options, records, folder / "out");
  ASSERT_EQ(changed_files(options, records).size(), 1u);
  for (const std::string part :
       {"--begin", "b.csv", "(2 x 2)", "(3 x 2)", "matrix is not the same"})
    EXPECT_NE(changed_files(options, records)[0].find(part), std::string::npos) << part;
  std::filesystem::remove(folder / "b.csv");
  expect_error(ErrorCode::input, {"--begin", "b.csv", "--attached begin=FILE"},
               [&] { attach_again(options, records, folder / "out"); });
  attach_again(options, records, folder / "out",
               {{"begin", folder.write("moved.tsv", "1\t2\n3\t4\n")}});
  EXPECT_TRUE(changed_files(options, records).empty());
}

// A directory with what came from memory, as a result's.
void write_content(const std::string& directory, const Options& options) {
  AtomicDirectory files(directory, true);
  write_attached(files, options);
  files.commit();
}

TEST(AttachAgain, FindsContentFromMemoryInTheDirectory) {
  const TemporaryFolder folder;
  Options options = sample_options();
  options.set("groups", folder.write("g.txt", "a\n"));
  attach_files(options);
  options.attach("group-weights", {"a 2", "", "\tb \t"});
  options.attach_matrix("begin", Matrix(2, 3));
  write_content(folder / "out", options);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/attached/groups.txt"));
  EXPECT_EQ(TemporaryFolder::read(folder / "out/attached/group_weights.txt"), "a 2\n\n\tb\n");
  const std::vector<AttachedRecord> records = attached_records(options);
  Options again = sample_options();
  again.set("groups", folder / "g.txt");
  attach_again(again, records, folder / "out");
  EXPECT_TRUE(changed_files(again, records).empty());
  for (const AttachedRecord& one : records) {
    EXPECT_EQ(again.path(one.option), one.path);
    EXPECT_EQ(again.digest(one.option), one.digest);
  }
  // Another file may be named in its place.
  attach_again(again, records, folder / "out", {{"begin", folder.write("b.csv", "1,2\n")}});
  EXPECT_EQ(again.path("begin"), folder / "b.csv");
  ASSERT_EQ(changed_files(again, records).size(), 1u);
  EXPECT_NE(changed_files(again, records)[0].find("(2 x 3), found"), std::string::npos);
  // Content that is not what it was, or gone.
  again = sample_options();
  again.set("groups", folder / "g.txt");
  folder.write("out/attached/group_weights.txt", "a 3\n");
  attach_again(again, records, folder / "out");
  ASSERT_EQ(changed_files(again, records).size(), 1u);
  EXPECT_NE(changed_files(again, records)[0].find("--group-weights <1 line>"), std::string::npos);
  std::filesystem::remove_all(folder / "out/attached");
  expect_error(
      ErrorCode::input,
      {"--group-weights", "out/attached/group_weights.txt", "--attached group-weights=FILE"},
      [&] { attach_again(again, records, folder / "out"); });
}

TEST(AttachAgain, AnyContentThatCanBeAttachedReadsBack) {
  const TemporaryFolder folder;
  Rng rng = Rng::named(3, "content");
  const Lines pieces{"a",
                     " ",
                     "\t",
                     ",",
                     "\"",
                     "#",
                     "ä",
                     "\xE2\x80\xA8",
                     "\xEF\xBB\xBF",
                     "\r",
                     "\n",
                     "\xFF",
                     std::string(1, '\0'),
                     std::string(70000, 'x')};
  Index n_taken = 0;
  for (int round = 0; round < 400; ++round) {
    Lines lines(static_cast<std::size_t>(rng.below(4)));
    const Index kinds = round % 2 == 0 ? 8 : std::ssize(pieces);  // all of them text, or not
    for (std::string& line : lines) {
      for (Index n = rng.below(4); n > 0; --n) line += pieces[rng.below(kinds)];
    }
    Options options = sample_options();
    if (test::error_of([&] { options.attach("groups", lines); })) {
      EXPECT_EQ(round % 2, 1);
      continue;
    }
    ++n_taken;
    Matrix matrix(1 + rng.below(3), 1 + rng.below(3));
    for (double& value : matrix.values()) value = rng.below(4) == 0 ? -0.0 : rng.normal();
    options.attach_matrix("begin", matrix);
    write_content(folder / "out", options);
    Options again = sample_options();
    attach_again(again, attached_records(options), folder / "out");
    EXPECT_EQ(again.lines("groups"), options.lines("groups"));
    EXPECT_EQ(test::bits_of(again.matrix("begin")->values()), test::bits_of(matrix.values()));
    EXPECT_TRUE(changed_files(again, attached_records(options)).empty());
  }
  EXPECT_GT(n_taken, 200);
}

TEST(ResultJson, RecordsTheFilesOfOptions) {
  Result result;
  result.method = "some-method";
  std::vector<OptionRecord> records = common_options();
  const Options own = sample_options();
  records.insert(records.end(), own.records().begin(), own.records().end());
  result.options = Options(records);
  result.options.set("groups", "my groups.txt");
  result.options.attach("groups", {"a", "b"});
  result.options.attach("group-weights", {"a 2"});
  result.options.set("begin", "my start.npy");
  result.options.attach_matrix("begin", Matrix(2, 3));
  const std::string json = to_json(result, {});
  const auto squeezed = [&](std::string text) {
    std::erase_if(text, [](char c) { return c == '\n'; });
    return text;
  };
  for (const std::string& part :
       {std::string(R"("groups": "my groups.txt")"), std::string(R"("group_weights": "<1 line>")"),
        std::string(R"(  "groups": {   "path": "my groups.txt",   "digest": ")") +
            result.options.digest("groups") + R"(",   "lines": 2)",
        std::string(R"(  "group_weights": {   "path": "",)"),
        std::string(R"("begin": "my start.npy")"),
        std::string(R"(  "begin": {   "path": "my start.npy",   "digest": ")") +
            result.options.digest("begin") + R"(",   "shape": [    2,    3   ])"}) {
    EXPECT_NE(squeezed(json).find(part), std::string::npos) << part << " is not in " << json;
  }
  // Lines from memory are no request that could be typed again.
  const std::string requested = json.substr(json.find("\"requested\""));
  const std::string object = requested.substr(0, requested.find('}'));
  EXPECT_NE(object.find("\"groups\""), std::string::npos);
  EXPECT_EQ(object.find("\"group_weights\""), std::string::npos);
}

}  // namespace
}  // namespace gingham
