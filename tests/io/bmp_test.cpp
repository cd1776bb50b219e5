#include "gingham/io/bmp.hpp"

#include <gtest/gtest.h>

namespace gingham {
namespace {

Index number(const std::string& bytes, std::size_t at, int size) {
  Index value = 0;
  for (int i = size; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  return value;
}

// Row by row from the top, found by the header's own words.
std::vector<std::uint8_t> pixels_of(const std::string& bytes) {
  const Index offset = number(bytes, 10, 4), width = number(bytes, 18, 4);
  const Index height = number(bytes, 22, 4), channels = number(bytes, 28, 2) / 8;
  const Index row = (width * channels + 3) / 4 * 4;
  std::vector<std::uint8_t> pixels;
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x) {
      for (Index c = 0; c < channels; ++c) {
        const Index at = offset + (height - 1 - y) * row + x * channels + channels - 1 - c;
        pixels.push_back(static_cast<std::uint8_t>(bytes[static_cast<std::size_t>(at)]));
      }
    }
  }
  return pixels;
}

TEST(Bmp, HoldsThePixelsOfEveryWidth) {
  for (const Index channels : {1, 3}) {
    for (Index width = 1; width <= 6; ++width) {
      Image image{.height = 3, .width = width, .channels = channels};
      for (Index i = 0; i < 3 * width * channels; ++i)
        image.pixels.push_back(static_cast<std::uint8_t>(251 * i % 256));
      const std::string bytes = bmp_bytes(image);
      EXPECT_EQ(bytes.substr(0, 2), "BM");
      EXPECT_EQ(number(bytes, 2, 4), std::ssize(bytes));
      EXPECT_EQ(number(bytes, 28, 2), 8 * channels);
      EXPECT_EQ(pixels_of(bytes), image.pixels) << width << " x " << channels;
    }
  }
}

TEST(Bmp, HasAGreyPalette) {
  const std::string bytes = bmp_bytes({.height = 1, .width = 1, .channels = 1, .pixels = {7}});
  for (Index grey = 0; grey < 256; ++grey)
    EXPECT_EQ(number(bytes, static_cast<std::size_t>(54 + 4 * grey), 4), grey * 0x010101);
}

TEST(Bmp, RefusesWhatIsNoPicture) {
  EXPECT_THROW(bmp_bytes({}), Error);
  EXPECT_THROW(bmp_bytes({.height = 2, .width = 2, .channels = 1, .pixels = {1, 2, 3}}), Error);
  EXPECT_THROW(bmp_bytes({.height = 1, .width = 1, .channels = 2, .pixels = {1, 2}}), Error);
  EXPECT_THROW(bmp_bytes({.height = 0, .width = 5, .channels = 1, .pixels = {}}), Error);
  EXPECT_THROW(bmp_bytes({.height = Index{1} << 40, .width = Index{1} << 40}), Error);
}

}  // namespace
}  // namespace gingham
