#include "gingham/io/zip_writer.hpp"

#include <gtest/gtest.h>
#include <zip.h>

#include "gingham/io/read.hpp"
#include "gingham/io/write.hpp"
#include "io/temporary_folder.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using Contents = std::vector<std::pair<std::string, std::string>>;

std::string archive_of(const Contents& members, std::uint64_t largest) {
  MemorySink sink;
  ZipWriter zip(sink, largest);
  for (const auto& [name, bytes] : members) {
    const std::string_view whole = bytes;
    zip.add(name, {whole.substr(0, bytes.size() / 3), whole.substr(bytes.size() / 3)});
  }
  zip.finish();
  return sink.bytes();
}

// As libzip sees them, which checks the checksums.
Contents contents_of(const std::string& path) {
  Contents members;
  zip_t* archive = zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, nullptr);
  if (archive == nullptr) return members;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
    const auto at = static_cast<zip_uint64_t>(i);
    zip_stat_t status;
    EXPECT_EQ(zip_stat_index(archive, at, 0, &status), 0);
    EXPECT_EQ(status.comp_method, ZIP_CM_STORE);
    std::string bytes(status.size, '\0');
    zip_file_t* file = zip_fopen_index(archive, at, 0);
    EXPECT_EQ(zip_fread(file, bytes.data(), bytes.size() + 1),
              static_cast<zip_int64_t>(bytes.size()));
    EXPECT_EQ(zip_fclose(file), 0);
    members.emplace_back(status.name, bytes);
  }
  zip_discard(archive);
  return members;
}

// Every number in its short field, some in long ones, all in long ones.
TEST(ZipWriter, IsReadBackWhateverTakesALongField) {
  const TemporaryFolder folder;
  const Contents members{
      {"empty", ""}, {"a.npy", "some bytes"}, {"b.npy", std::string(5000, 'x')}, {"c", "y"}};
  for (const std::uint64_t largest : {0xFFFFFFFEu, 5100u, 4999u, 100u, 5u, 0u}) {
    const std::string path = folder.write("x.zip", archive_of(members, largest));
    EXPECT_EQ(contents_of(path), members) << largest;
  }
  EXPECT_TRUE(contents_of(folder.write("x.zip", archive_of({}, 0xFFFFFFFE))).empty());
}

TEST(ZipWriter, HoldsSparseMatricesThatReadBack) {
  const TemporaryFolder folder;
  const SparseMatrix sparse(3, 4, test::to_array<Index>({0, 2, 2, 3}),
                            test::to_array<std::int32_t>({0, 3, 1}),
                            test::to_array<double>({1.5, -2.0, 1e-300}));
  const Block block("S", sparse), empty("E", SparseMatrix::from_dense(Matrix(2, 2)));
  for (const Block* one : {&block, &empty}) {
    for (const char* name : {"x.npz", "x.npz.gz"}) {
      write_block(*one, folder / name);
      EXPECT_EQ(read_block(folder / name).digest(), one->digest()) << name;
    }
  }
  const Block tensor("T", Tensor({2, 2, 2}));
  write_block(tensor, folder / "t.npz");
  EXPECT_EQ(read_block(folder / "t.npz").digest(), tensor.digest());
}

}  // namespace
}  // namespace gingham
