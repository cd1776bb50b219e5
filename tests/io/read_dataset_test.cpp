#include "gingham/io/read_dataset.hpp"

#include <gtest/gtest.h>

#include "gingham/io/result_json.hpp"
#include "gingham/io/write.hpp"
#include "io/temporary_folder.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

std::string write_cube(const TemporaryFolder& folder) {
  Tensor cube({2, 3, 4});
  for (Index i = 0; i < cube.size(); ++i) cube.data()[i] = static_cast<double>(i);
  write_block(Block("cube", std::move(cube)), folder / "cube.npy");
  return folder / "cube.npy";
}

TEST(ReadDataset, OneBlockPerFileOrPerSlice) {
  const TemporaryFolder folder;
  const std::string cube = write_cube(folder);
  const std::string table = folder.write("x.csv", "1,2\n3,4\n");
  EXPECT_EQ(read_dataset({.files = {table, cube}}).size(), 2);
  const Dataset series = read_dataset({.files = {cube}, .series_mode = 1});
  ASSERT_EQ(series.size(), 3);
  EXPECT_EQ(series.block(2).name(), cube + "[mode_1 = 2]");
  EXPECT_EQ((*series.block(2).dense_matrix())(1, 3), 12.0 + 2 * 4 + 3);
  const Dataset one = read_dataset({.files = {cube}, .series_mode = 1, .slice = 2});
  ASSERT_EQ(one.size(), 1);
  EXPECT_EQ(one.block(0).digest(), series.block(2).digest());
  EXPECT_EQ(one.block(0).name(), series.block(2).name());
}

TEST(ReadDataset, SparseTensorsGiveSparseSlices) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.tns", "1 1 1 2.5\n2 3 1 -1\n2 1 2 4\n");
  const DataFiles input{
      .files = {path}, .options = {.unlisted = Unlisted::missing}, .series_mode = 0};
  const Dataset series = read_dataset(input);
  ASSERT_EQ(series.size(), 2);
  EXPECT_TRUE(series.block(1).is_sparse());
  EXPECT_EQ(series.block(1).shape(), (Shape{3, 2}));
  EXPECT_EQ(series.block(1).summary().missing, 4);
}

TEST(ReadDataset, RefusesWhatCannotBeCut) {
  const TemporaryFolder folder;
  const std::string cube = write_cube(folder);
  const std::string table = folder.write("x.csv", "1,2\n3,4\n");
  using test::expect_error;
  expect_error(ErrorCode::usage, {"--series-mode", "2 inputs"}, [&] {
    read_dataset({.files = {cube, cube}, .series_mode = 0});
  });
  expect_error(ErrorCode::input, {"x.csv", "2 modes"},
               [&] { read_dataset({.files = {table}, .series_mode = 0}); });
  expect_error(ErrorCode::usage, {"no mode 3"},
               [&] { read_dataset({.files = {cube}, .series_mode = 3}); });
  expect_error(ErrorCode::input, {"number 7"},
               [&] { read_dataset({.files = {cube}, .series_mode = 0, .slice = 7}); });
  // Two entries, but a million matrices of a million rows.
  const std::string wide = folder.write("wide.tns", "1 1 1 1\n1000000 1000000 1 1\n");
  expect_error(ErrorCode::memory, {"1000000 sparse matrices"}, [&] {
    read_dataset({.files = {wide}, .options = {.limits = {.max_entries = 1000}}, .series_mode = 0});
  });
}

Labels labels_of(const Dataset& data, Index block, Index mode) {
  return data.block(block).labels(mode);
}

TEST(ReadDataset, NamesComeFromAFilePerMode) {
  const TemporaryFolder folder;
  const std::string cube = write_cube(folder);
  const std::string ab = folder.write("ab.txt", "a\r\nb\r\n");
  const std::string months = folder.write("months.txt", "May\nJune\nJuly\nAugust");
  const Dataset data = read_dataset({.files = {cube}, .names = {ab, "", months}});
  EXPECT_EQ(labels_of(data, 0, 0), (Labels{"a", "b"}));
  EXPECT_TRUE(labels_of(data, 0, 1).empty());
  EXPECT_EQ(labels_of(data, 0, 2), (Labels{"May", "June", "July", "August"}));
  EXPECT_EQ(data.block(0).digest(), read_dataset({.files = {cube}}).block(0).digest());
  // Of the tensor, also where it is cut.
  const Dataset series =
      read_dataset({.files = {cube}, .names = {ab, "", months}, .series_mode = 1});
  for (Index i = 0; i < 3; ++i) {
    EXPECT_EQ(labels_of(series, i, 0), (Labels{"a", "b"}));
    EXPECT_EQ(labels_of(series, i, 1).front(), "May");
  }
  // In place of those of a table, and shared by several.
  const std::string table = folder.write("x.csv", "id,u,v\np,1,2\nq,3,4\n");
  const Dataset both = read_dataset({.files = {table, table}, .names = {ab}});
  for (Index i = 0; i < 2; ++i) {
    EXPECT_EQ(labels_of(both, i, 0), (Labels{"a", "b"}));
    EXPECT_EQ(labels_of(both, i, 1), (Labels{"u", "v"}));
  }
}

TEST(ReadDataset, NamesOfRowsThatAreReadWhenNeeded) {
  const TemporaryFolder folder;
  Matrix x(2, 3);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i);
  write_block(Block("x", std::move(x)), folder / "x.npy");
  const std::string ab = folder.write("ab.txt", "a\nb\n");
  const DataFiles input{.files = {folder / "x.npy"}, .names = {ab}, .stream_beyond_bytes = 1.0};
  const Dataset data = read_dataset(input);
  ASSERT_NE(data.block(0).row_source(), nullptr);
  EXPECT_EQ(labels_of(data, 0, 0), (Labels{"a", "b"}));
  EXPECT_EQ(data.block(0).digest(), read_dataset({.files = {folder / "x.npy"}}).block(0).digest());
}

TEST(ReadDataset, RefusesNamesThatDoNotFit) {
  const TemporaryFolder folder;
  const std::string cube = write_cube(folder);
  const std::string ab = folder.write("ab.txt", "a\nb\n");
  const std::string twice = folder.write("twice.txt", "a\na\n");
  using test::expect_error;
  const auto reading = [&](const std::vector<std::string>& names) {
    return [&cube, names] { read_dataset({.files = {cube}, .names = names}); };
  };
  expect_error(ErrorCode::input, {"ab.txt", "2 lines found", "expected 3", "mode 1", "cube.npy"},
               reading({"", ab}));
  expect_error(ErrorCode::input, {"twice.txt", "lines 1 and 2"}, reading({twice}));
  expect_error(ErrorCode::usage, {"--names", "4 files", "3 modes"}, reading({ab, "", "", ""}));
  expect_error(ErrorCode::input, {"none.txt"}, reading({folder / "none.txt"}));
  expect_error(ErrorCode::input, {"control"}, reading({folder.write("esc.txt", "a\n\x1b[31m\n")}));
}

TEST(ReadDataset, TheRecordReadsTheSameAgain) {
  const DataFiles input{.files = {"a b.npy"},
                        .options = {.unlisted = Unlisted::missing,
                                    .index_base = 0,
                                    .duplicates = Duplicates::sum,
                                    .labels = LabelMode::both,
                                    .shape = {2, 3}},
                        .names = {"", "b.txt"},
                        .series_mode = 2,
                        .slice = 1};
  const DataFiles again = files_of(record_of(input));
  EXPECT_EQ(again.files, input.files);
  EXPECT_EQ(again.options.unlisted, input.options.unlisted);
  EXPECT_EQ(again.options.index_base, 0);
  EXPECT_EQ(again.options.duplicates, input.options.duplicates);
  EXPECT_EQ(again.options.labels, input.options.labels);
  EXPECT_EQ(again.options.shape, input.options.shape);
  EXPECT_EQ(again.series_mode, input.series_mode);
  EXPECT_EQ(again.slice, input.slice);
  EXPECT_EQ(again.names, input.names);
  EXPECT_FALSE(files_of(record_of(DataFiles{})).series_mode);
}

}  // namespace
}  // namespace gingham
