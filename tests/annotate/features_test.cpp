#include "annotate/features.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "annotate/read_image.hpp"
#include "gingham/io/bmp.hpp"
#include "gingham/io/read.hpp"
#include "image_bytes.hpp"
#include "io/temporary_folder.hpp"

namespace gingham::annotate {
namespace {

// Three pictures in two bags, one of them flat, one too small for a window.
void write_pictures(const TemporaryFolder& folder) {
  folder.write("a.bmp", bmp_bytes(random_image(40, 33, 1, 1)));
  folder.write("b.bmp", bmp_bytes(random_image(24, 24, 3, 2)));
  folder.write("flat.bmp",
               bmp_bytes({.height = 30, .width = 30, .pixels = std::vector<std::uint8_t>(900, 5)}));
  folder.write("small.bmp", bmp_bytes(random_image(15, 90, 1, 3)));
  folder.write("bags.tsv",
               "image\tbag\tterms\na.bmp\tg\tred\nflat.bmp\th\t\nsmall.bmp\th\tblue\nb.bmp\tg\t\n");
}

FeaturesRequest request_in(const TemporaryFolder& folder, const std::string& output) {
  return {.table = folder / "bags.tsv", .threads = 2, .output = folder / output};
}

TEST(Features, HoldTheDescriptorsOfEveryBusyWindowInOrder) {
  const TemporaryFolder folder;
  write_pictures(folder);
  const FeaturesRequest request = request_in(folder, "out");
  const FeaturesOutcome outcome = extract_features(request);
  std::vector<float> wanted;
  std::string lines = "row\timage\tbag\tx\ty\n";
  Index row = 0;
  for (const std::string name : {"a.bmp", "b.bmp"}) {
    const Image image = read_image(folder / name).image;
    const std::vector<Corner> windows = busy_windows(image, request.windows);
    std::vector<float> values(128 * windows.size());
    describe(image, windows, request.windows, values);
    wanted.insert(wanted.end(), values.begin(), values.end());
    for (const Corner& corner : windows)
      lines += std::to_string(row++) + "\t" + name + "\tg\t" + std::to_string(corner.x) + "\t" +
               std::to_string(corner.y) + "\n";
  }
  EXPECT_EQ(outcome.n_images, 4);
  EXPECT_EQ(outcome.n_bags, 2);
  EXPECT_EQ(outcome.n_patches, row);
  EXPECT_EQ(outcome.n_empty_bags, 1);
  const Block found = read_block(folder / "out/features.npy");
  ASSERT_EQ(found.shape(), (Shape{row, 128}));
  for (Index k = 0; k < found.dense_matrix()->size(); ++k)
    ASSERT_EQ(found.dense_matrix()->data()[k], wanted[static_cast<std::size_t>(k)]);
  EXPECT_EQ(TemporaryFolder::read(folder / "out/patches.tsv"), lines);
  EXPECT_EQ(TemporaryFolder::read(folder / "out/bags.tsv"),
            "bag\timages\tpatches\tterms\ng\t2\t" + std::to_string(row) + "\tred\nh\t2\t0\tblue\n");
  const auto json = nlohmann::json::parse(TemporaryFolder::read(folder / "out/features.json"));
  EXPECT_EQ(json["patches"], row);
  EXPECT_EQ(json["windows"], outcome.n_windows);
  EXPECT_EQ(json["inputs"].size(), 4u);
  EXPECT_EQ(json["inputs"][2]["windows"], 0);
}

TEST(Features, AreTheSameForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  write_pictures(folder);
  FeaturesRequest request = request_in(folder, "one");
  request.threads = 1;
  extract_features(request);
  extract_features(request_in(folder, "two"));
  for (const char* file : {"features.npy", "patches.tsv", "bags.tsv", "features.json"})
    EXPECT_EQ(TemporaryFolder::read(folder / ("one/" + std::string(file))),
              TemporaryFolder::read(folder / ("two/" + std::string(file))));
}

TEST(Features, ABadImageIsNamedAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  write_pictures(folder);
  const std::string whole = TemporaryFolder::read(folder / "b.bmp");
  folder.write("b.bmp", whole.substr(0, whole.size() - 1));
  try {
    extract_features(request_in(folder, "out"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_NE(error.where().find("b.bmp"), std::string::npos);
  }
  EXPECT_FALSE(folder.content().contains("out"));
  EXPECT_EQ(folder.content().size(), 5u);
}

TEST(Features, NothingButFlatWindowsIsAnError) {
  const TemporaryFolder folder;
  write_pictures(folder);
  const FeaturesRequest request{
      .images = {folder / "flat.bmp"}, .threads = 1, .output = folder / "out"};
  EXPECT_THROW(extract_features(request), Error);
}

TEST(Features, AreOnlyReplacedWhenAsked) {
  const TemporaryFolder folder;
  write_pictures(folder);
  FeaturesRequest request = request_in(folder, "out");
  extract_features(request);
  EXPECT_THROW(extract_features(request), Error);
  request.force = true;
  request.windows.is_sift = false;
  extract_features(request);
  EXPECT_EQ(read_block(folder / "out/features.npy").shape()[1], 256);
}

}  // namespace
}  // namespace gingham::annotate
