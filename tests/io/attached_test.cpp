#include "gingham/io/attached.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gingham/base/rng.hpp"
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
                  lines_option("group-weights", "")});
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
  attach_again(again, records);
  EXPECT_TRUE(changed_lines(again, records).empty());

  folder.write("g.txt", "a\nb\nc\n");
  attach_again(again, records);
  ASSERT_EQ(changed_lines(again, records).size(), 1u);
  for (const std::string part : {"--groups", "g.txt", "(2 lines)", "(3 lines)", "not the same"})
    EXPECT_NE(changed_lines(again, records)[0].find(part), std::string::npos) << part;

  std::filesystem::remove(folder / "g.txt");
  expect_error(ErrorCode::input, {"--groups", "g.txt", "--attached groups=FILE"},
               [&] { attach_again(again, records); });
  attach_again(again, records, {{"groups", folder.write("moved.txt", "a\r\nb")}});
  EXPECT_TRUE(changed_lines(again, records).empty());
  expect_error(ErrorCode::usage, {"--attached", "group-weights"}, [&] {
    attach_again(again, records, {{"group-weights", folder / "moved.txt"}});
  });
  Options memory = sample_options();
  memory.attach("groups", {"a", "b"});
  expect_error(ErrorCode::input, {"--groups", "2 lines", "memory"},
               [&] { attach_again(memory, attached_records(memory)); });
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
  const std::string json = to_json(result, {});
  const auto squeezed = [&](std::string text) {
    std::erase_if(text, [](char c) { return c == '\n'; });
    return text;
  };
  for (const std::string& part :
       {std::string(R"("groups": "my groups.txt")"), std::string(R"("group_weights": "<1 line>")"),
        std::string(R"(  "groups": {   "path": "my groups.txt",   "digest": ")") +
            result.options.digest("groups") + R"(",   "lines": 2)",
        std::string(R"(  "group_weights": {   "path": "",)")}) {
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
