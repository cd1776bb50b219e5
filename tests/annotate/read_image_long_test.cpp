// A million damaged pictures: cut, doubled in places, overwritten, with sizes that are not theirs.
#include <gtest/gtest.h>

#include <algorithm>

#include "annotate/read_image.hpp"
#include "gingham/io/bmp.hpp"
#include "image_bytes.hpp"

namespace gingham::annotate {
namespace {

std::vector<std::string> pictures() {
  std::vector<std::string> all;
  for (const Index channels : {1, 3}) {
    all.push_back(bmp_bytes(random_image(7, 9, channels)));
    all.push_back(jpeg_bytes(random_image(24, 20, channels)));
    all.push_back(jpeg_bytes(random_image(24, 20, channels), true));
    all.push_back(jpeg_bytes(smooth_image(40, 40, channels), true));
    const Image image = random_image(9, 11, channels);
    all.push_back(
        png_bytes(9, 11, channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB, image.pixels.data()));
  }
  const std::vector<std::uint8_t> clear(9 * 11 * 4, 77);
  all.push_back(png_bytes(9, 11, PNG_FORMAT_RGBA, clear.data()));
  return all;
}

std::string damaged(std::string bytes, Rng& rng) {
  const auto place = [&](Index below) { return static_cast<std::size_t>(rng.below(below)); };
  const Index kind = rng.below(4);
  if (kind == 0) bytes.resize(place(std::ssize(bytes) + 1));
  if (kind == 1) {
    const std::string part = bytes.substr(place(std::ssize(bytes)), 1 + place(20));
    bytes.insert(place(std::ssize(bytes)), part);
  }
  constexpr char kTelling[] = {'\0', '\xFF', '\x7F', '\x80', '\1'};
  for (Index n = rng.below(6); n > 0 && !bytes.empty(); --n) {
    const Index size = std::ssize(bytes);
    char& byte = bytes[place(rng.below(2) == 0 ? size : std::min<Index>(size, 64))];
    byte = rng.below(2) == 0 ? static_cast<char>(rng.below(256)) : kTelling[rng.below(5)];
  }
  if (bytes.size() > 33 && bytes[1] == 'P' && rng.below(2) == 0)
    bytes = with_png_size(bytes, static_cast<std::uint32_t>(rng.below(40)),
                          static_cast<std::uint32_t>(rng.below(40)));
  return bytes;
}

TEST(ReadImageLong, AMillionDamagedPicturesAreRefusedOrWhole) {
  const std::vector<std::string> whole = pictures();
  Rng rng(1, 1);
  Index n_refused = 0;
  constexpr Index kRounds = 1000000;
  for (Index round = 0; round < kRounds; ++round) {
    const std::string bytes =
        damaged(whole[static_cast<std::size_t>(rng.below(std::ssize(whole)))], rng);
    try {
      const Image image = decode_image("picture", bytes, {.max_pixels = 1 << 22});
      ASSERT_EQ(std::ssize(image.pixels), image.height * image.width);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::input);
      ASSERT_EQ(error.where(), "picture");
      ++n_refused;
    }
  }
  EXPECT_GT(n_refused, kRounds / 3);
  EXPECT_LT(n_refused, kRounds);
}

}  // namespace
}  // namespace gingham::annotate
