#include "gingham/io/npy_rows.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "gingham/base/rng.hpp"
#include "gingham/data/copy_rows.hpp"
#include "gingham/io/read_dataset.hpp"
#include "gingham/io/write.hpp"
#include "io/temporary_folder.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using test::bits_of;
using test::expect_error;

std::string npy(const std::string& type, bool fortran, const std::string& shape,
                const std::string& body) {
  const std::string text = "{'descr': '" + type +
                           "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
                           shape + ")}\n";
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(text.size() & 255);
  file += static_cast<char>(text.size() >> 8);
  return file + text + body;
}

template <class T>
std::string bytes_of(const std::vector<T>& values, bool swap = false) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  for (std::size_t at = 0; swap && at < bytes.size(); at += sizeof(T))
    std::reverse(bytes.begin() + static_cast<Index>(at),
                 bytes.begin() + static_cast<Index>(at + sizeof(T)));
  return bytes;
}

Matrix random_matrix(Index rows, Index cols) {
  Rng rng(4, 0);
  Matrix x(rows, cols);
  for (double& value : x.values()) value = rng.uniform() < 0.1 ? std::nan("") : rng.normal();
  return x;
}

Block streamed(const std::string& path) {
  const Dataset data = read_dataset({.files = {path}, .stream_beyond_bytes = 0.0});
  EXPECT_NE(data.block(0).row_source(), nullptr);
  return data.block(0);
}

void expect_same(const Block& held, const Block& block) {
  EXPECT_EQ(block.name(), held.name());
  EXPECT_EQ(block.digest(), held.digest());
  EXPECT_EQ(block.shape(), held.shape());
  EXPECT_EQ(block.summary().sum, held.summary().sum);
  EXPECT_EQ(block.summary().missing, held.summary().missing);
  const Index rows = held.shape()[0], cols = held.shape()[1];
  std::vector<double> all;
  for_each_row(block, [&](Index, ConstVec row) { all.insert(all.end(), row.begin(), row.end()); });
  EXPECT_EQ(bits_of(all), bits_of(held.dense_matrix()->values()));
  const Index first = rows / 3, count = rows - first;
  std::vector<float> wanted(static_cast<std::size_t>(count * cols)), found(wanted.size());
  copy_rows(held, first, count, std::span(wanted));
  copy_rows(block, first, count, std::span(found));
  EXPECT_EQ(std::memcmp(wanted.data(), found.data(), wanted.size() * sizeof(float)), 0);
}

TEST(NpyRows, AreWhatTheFileInMemoryIs) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.npy";
  write_block(Block("X", random_matrix(1000, 333)), path);
  expect_same(read_block(path), streamed(path));
  const std::vector<float> floats{1.5f, -0.0f, std::nanf(""), 3e38f, 1e-45f, 7.0f};
  // Rounded once to double and once more to float.
  const std::vector<std::int64_t> integers{
      0, -1, 16777217, (std::int64_t{1} << 60) + 1, -9007199791611905, 9007199791611905};
  for (const bool swap : {false, true}) {
    const std::string order = swap ? ">" : "<";
    folder.write("f.npy", npy(order + "f4", false, "3, 2", bytes_of(floats, swap)));
    expect_same(read_block(folder / "f.npy"), streamed(folder / "f.npy"));
    folder.write("i.npy", npy(order + "i8", false, "3, 2", bytes_of(integers, swap)));
    expect_same(read_block(folder / "i.npy"), streamed(folder / "i.npy"));
  }
}

TEST(NpyRows, AreOnlyForLargeMatricesInCOrder) {
  const TemporaryFolder folder;
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  const std::string body = bytes_of(values);
  const std::string path = folder.write("x.npy", npy("<f8", false, "3, 2", body));
  EXPECT_TRUE(stream_npy(path, 47.0));
  EXPECT_FALSE(stream_npy(path, 48.0));
  EXPECT_FALSE(stream_npy(folder / "none.npy", 0.0));
  for (const auto& [name, bytes] :
       {std::pair<std::string, std::string>{"f.npy", npy("<f8", true, "3, 2", body)},
        {"v.npy", npy("<f8", false, "6,", body)},
        {"t.npy", npy("<f8", false, "3, 1, 2", body)},
        {"short.npy", npy("<f8", false, "4, 2", body)},
        {"x.csv", "1,2\n"}}) {
    EXPECT_FALSE(stream_npy(folder.write(name, bytes), 0.0)) << name;
  }
}

TEST(NpyRows, FailAsReadingIntoMemoryFails) {
  const TemporaryFolder folder;
  const std::vector<double> bad{1, 2, std::numeric_limits<double>::infinity(), 4};
  for (const std::string& bytes :
       {npy("<f8", false, "2, 2", bytes_of(bad)), npy("|b1", false, "2, 2", {1, 0, 7, 1}),
        npy("<f8", false, "3, 2", bytes_of(bad)), npy("<f8", false, "", bytes_of(bad)),
        npy("<c8", false, "2, 2", bytes_of(bad)), npy("<f8", false, "0, 2", ""), std::string()}) {
    const std::string path = folder.write("x.npy", bytes);
    const auto held = test::error_of([&] { read_dataset({.files = {path}}); });
    const auto found =
        test::error_of([&] { read_dataset({.files = {path}, .stream_beyond_bytes = 0.0}); });
    ASSERT_TRUE(held && found);
    EXPECT_EQ(found->code(), held->code());
    EXPECT_STREQ(found->what(), held->what());
  }
}

TEST(NpyRows, NoticeThatTheFileHasChanged) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.npy";
  const Matrix x = random_matrix(50, 4);
  write_block(Block("X", x), path);
  const Block block = streamed(path);
  std::vector<double> row(4);
  copy_rows(block, 49, 1, std::span(row));
  // The same bytes at another time count as a change, too: nobody can tell what was in between.
  const std::string bytes = TemporaryFolder::read(path);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  folder.write("x.npy", bytes);
  expect_error(ErrorCode::input, {path, "while it was read"},
               [&] { copy_rows(block, 0, 1, std::span(row)); });
  const Block again = streamed(path);
  std::filesystem::resize_file(path, 500);
  expect_error(ErrorCode::input, {path}, [&] { for_each_row(again, [](Index, ConstVec) {}); });
  // One that took its place under the same name is another file: the open one goes on.
  write_block(Block("X", x), path);
  const Block open = streamed(path);
  write_block(Block("X", random_matrix(9, 2)), path);
  copy_rows(open, 7, 1, std::span(row));
  EXPECT_EQ(bits_of(row), bits_of(x.row(7)));
}

TEST(NpyRows, AreReadBySeveralThreads) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.npy";
  const Matrix x = random_matrix(400, 50);
  write_block(Block("X", x), path);
  const Block block = streamed(path);
  std::vector<double> found(static_cast<std::size_t>(x.size()));
  std::vector<std::jthread> threads;
  for (Index t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (Index i = t; i < 400; i += 4)
        copy_rows(block, i, 1, std::span(found).subspan(static_cast<std::size_t>(i * 50), 50));
    });
  }
  threads.clear();
  EXPECT_EQ(bits_of(found), bits_of(x.values()));
}

}  // namespace
}  // namespace gingham
