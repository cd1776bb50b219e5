#include "annotate/read_image.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "annotate/image_formats.hpp"
#include "gingham/io/bmp.hpp"
#include "image_bytes.hpp"
#include "io/temporary_folder.hpp"

namespace gingham::annotate {
namespace {

// The rule in floating point, from colours.
std::vector<std::uint8_t> greys_of(const Image& image) {
  if (image.channels == 1) return image.pixels;
  std::vector<std::uint8_t> greys;
  for (std::size_t i = 0; i < image.pixels.size(); i += 3)
    greys.push_back(
        static_cast<std::uint8_t>(std::floor(0.299 * image.pixels[i] + 0.587 * image.pixels[i + 1] +
                                             0.114 * image.pixels[i + 2] + 0.5 + 1e-9)));
  return greys;
}

std::string refusal(const std::string& bytes, const ImageLimits& limits = {}) {
  try {
    decode_image("picture", bytes, limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_EQ(error.where(), "picture");
    return error.message();
  }
  return "";
}

void expect_refused(const std::string& bytes, const std::string& says) {
  EXPECT_NE(refusal(bytes).find(says), std::string::npos)
      << "'" << refusal(bytes) << "' does not say '" << says << "'";
}

void expect_no_prefix(const std::string& bytes, std::size_t until) {
  for (std::size_t size = 0; size < until; ++size)
    EXPECT_NE(refusal(bytes.substr(0, size)), "") << "cut to " << size << " of " << bytes.size();
}

// Damage leads to a refusal or to a picture, whole.
void expect_no_crash(const std::string& bytes, int rounds) {
  Rng rng(3, 4);
  for (int round = 0; round < rounds; ++round) {
    std::string damaged = bytes;
    for (Index n = 1 + rng.below(4); n-- > 0;)
      damaged[static_cast<std::size_t>(rng.below(std::ssize(damaged)))] =
          static_cast<char>(rng.below(256));
    try {
      const Image image = decode_image("picture", damaged, {.max_pixels = 1 << 20});
      EXPECT_EQ(std::ssize(image.pixels), image.height * image.width);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input);
    }
  }
}

std::string little(Index value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}

// A bitmap by its numbers, whatever they are.
struct Bitmap {
  Index width = 2, height = 2, bits = 24, compression = 0, colours = 0, header = 40;
  Index offset = -1;  // where the pixels are; -1: behind what comes before
  std::string between = "", pixels = std::string(16, '\x40');

  std::string bytes() const {
    const Index real = 14 + 40 + std::ssize(between);
    return "BM" + little(0, 8) + little(offset < 0 ? real : offset, 4) + little(header, 4) +
           little(width, 4) + little(height, 4) + little(1, 2) + little(bits, 2) +
           little(compression, 4) + little(0, 12) + little(colours, 4) + little(0, 4) + between +
           pixels;
  }
};

TEST(ReadBmp, GivesBackWhatWasWritten) {
  for (const Index channels : {1, 3}) {
    for (Index width = 1; width < 7; ++width) {
      const Image image = random_image(3, width, channels);
      const Image read = decode_image("x", bmp_bytes(image));
      EXPECT_EQ(read.height, 3);
      EXPECT_EQ(read.width, width);
      EXPECT_EQ(read.channels, 1);
      EXPECT_EQ(read.pixels, greys_of(image));
    }
  }
}

TEST(ReadBmp, RowsMayGoDownAndPixelsMayHaveAFourthByte) {
  const std::string wide("\x01\x01\x01\x00\x02\x02\x02\xFF\x03\x03\x03\x80\x04\x04\x04\x7F", 16);
  const std::string masks = little(0xFF0000, 4) + little(0xFF00, 4) + little(0xFF, 4);
  using Pixels = std::vector<std::uint8_t>;
  for (const bool has_masks : {false, true}) {
    Bitmap bitmap{.bits = 32,
                  .compression = has_masks ? 3 : 0,
                  .between = has_masks ? masks : "",
                  .pixels = wide};
    EXPECT_EQ(decode_image("x", bitmap.bytes()).pixels, (Pixels{3, 4, 1, 2}));
    bitmap.height = -2;
    EXPECT_EQ(decode_image("x", bitmap.bytes()).pixels, (Pixels{1, 2, 3, 4}));
  }
  const Bitmap odd{.bits = 32, .compression = 3, .between = std::string(12, '\x0F')};
  expect_refused(odd.bytes(), "masks");
}

TEST(ReadBmp, ThePaletteDecides) {
  const Bitmap bitmap{.width = 3,
                      .height = 1,
                      .bits = 8,
                      .colours = 2,
                      .between = little(0x0000FF, 4) + little(0xFF0000, 4),
                      .pixels = std::string("\x00\x01\x02\x00", 4)};
  // Blue, red, and a colour that is not listed.
  EXPECT_EQ(decode_image("x", bitmap.bytes()).pixels, (std::vector<std::uint8_t>{29, 76, 0}));
}

TEST(ReadBmp, RefusesWhatItIsNot) {
  expect_refused(Bitmap{.bits = 4}.bytes(), "4 bits");
  expect_refused(Bitmap{.bits = 1}.bytes(), "1 bits");
  expect_refused(Bitmap{.bits = 8, .compression = 1}.bytes(), "compressed");
  expect_refused(Bitmap{.header = 12}.bytes(), "header of 12");
  expect_refused(Bitmap{.header = 4000000000}.bytes(), "header of 4000000000");
  expect_refused(Bitmap{.width = 0}.bytes(), "2 x 0 pixels");
  expect_refused(Bitmap{.width = -2}.bytes(), "pixels");
  expect_refused(Bitmap{.height = 0}.bytes(), "0 x 2 pixels");
  expect_refused(Bitmap{.height = -2147483648}.bytes(), "pixels");
  expect_refused(Bitmap{.width = 2147483647, .height = 2147483647}.bytes(), "at most");
  expect_refused(Bitmap{.width = 10000, .height = 10000}.bytes(), "is 70 bytes long");
  expect_refused(Bitmap{.offset = 0}.bytes(), "bytes long");
  expect_refused(Bitmap{.offset = 4294967295}.bytes(), "bytes long");
  expect_refused(Bitmap{.bits = 8, .colours = 300, .pixels = std::string(4096, '\0')}.bytes(),
                 "300 colours");
  expect_refused(Bitmap{.bits = 8, .pixels = std::string(8, '\0')}.bytes(), "cut off");
}

TEST(ReadBmp, RefusesEveryPrefixAndSurvivesDamage) {
  for (const Index channels : {1, 3}) {
    const std::string bytes = bmp_bytes(random_image(5, 5, channels));
    expect_no_prefix(bytes, bytes.size());
    EXPECT_EQ(refusal(bytes + "more"), "");
    expect_no_crash(bytes.substr(0, 60) + bytes.substr(60), 3000);
  }
}

TEST(ReadPng, GreyColourAndTransparency) {
  const Image grey = random_image(5, 7, 1), colour = random_image(5, 7, 3);
  EXPECT_EQ(decode_image("x", png_bytes(5, 7, PNG_FORMAT_GRAY, grey.pixels.data())).pixels,
            grey.pixels);
  EXPECT_EQ(decode_image("x", png_bytes(5, 7, PNG_FORMAT_RGB, colour.pixels.data())).pixels,
            greys_of(colour));
  // Grey and colours with alpha: opaque, half, not at all.
  const std::uint8_t shades[] = {100, 255, 100, 128, 100, 0};
  const Image seen = decode_image("x", png_bytes(1, 3, PNG_FORMAT_GA, shades));
  EXPECT_EQ(seen.pixels[0], 100);
  EXPECT_GT(seen.pixels[1], 150);
  EXPECT_LT(seen.pixels[1], 255);
  EXPECT_EQ(seen.pixels[2], 255);
  const std::uint8_t colours[] = {10, 200, 90, 255, 10, 200, 90, 0};
  EXPECT_EQ(decode_image("x", png_bytes(1, 2, PNG_FORMAT_RGBA, colours)).pixels,
            (std::vector<std::uint8_t>{grey_of(10, 200, 90), 255}));
}

TEST(ReadPng, SixteenBitsAndOnePixel) {
  const std::uint16_t linear[] = {0, 65535};
  EXPECT_EQ(decode_image("x", png_bytes(1, 2, PNG_FORMAT_LINEAR_Y, linear)).pixels,
            (std::vector<std::uint8_t>{0, 255}));
  const std::uint8_t one = 77;
  EXPECT_EQ(decode_image("x", png_bytes(1, 1, PNG_FORMAT_GRAY, &one)).pixels,
            (std::vector<std::uint8_t>{77}));
}

TEST(ReadPng, RefusesEveryPrefixAndSurvivesDamage) {
  for (const Index channels : {1, 3}) {
    const Image image = random_image(9, 11, channels);
    const std::string bytes =
        png_bytes(9, 11, channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB, image.pixels.data());
    expect_no_prefix(bytes, bytes.size());
    EXPECT_EQ(refusal(bytes + "more"), "");
    expect_no_crash(bytes, 3000);
    std::string damaged = bytes;
    damaged[bytes.size() - 20] ^= 1;  // within the pixels
    EXPECT_NE(refusal(damaged), "");
  }
}

TEST(ReadPng, DoesNotBelieveItsHeader) {
  const std::uint8_t one = 77;
  const std::string bytes = png_bytes(1, 1, PNG_FORMAT_GRAY, &one);
  expect_refused(with_png_size(bytes, 2000000000, 2000000000), "at most");
  expect_refused(with_png_size(bytes, 10000, 10000), "claims 10000 x 10000");
  expect_refused(with_png_size(bytes, 100, 100), "damaged");
  expect_refused(with_png_size(bytes, 0, 1), "pixels");
  expect_refused(with_png_size(bytes, 0xFFFFFFFF, 1), "at most");
}

TEST(ReadJpeg, KeepsGreyLevelsAboutAsTheyWere) {
  for (const bool is_progressive : {false, true}) {
    for (const Index channels : {1, 3}) {
      const Image image = smooth_image(21, 35, channels);
      const Image read = decode_image("x", jpeg_bytes(image, is_progressive));
      ASSERT_EQ(read.height, 21);
      ASSERT_EQ(read.width, 35);
      const std::vector<std::uint8_t> wanted = greys_of(image);
      for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_NEAR(read.pixels[i], wanted[i], 6) << i;
    }
  }
  EXPECT_EQ(decode_image("x", jpeg_bytes(smooth_image(1, 1, 1))).pixels.size(), 1u);
}

TEST(ReadJpeg, RefusesEveryPrefixAndSurvivesDamage) {
  for (const bool is_progressive : {false, true}) {
    const std::string bytes = jpeg_bytes(random_image(20, 20, 3), is_progressive);
    expect_no_prefix(bytes, bytes.size());
    EXPECT_EQ(refusal(bytes + "more"), "");
    expect_no_crash(bytes, 2000);
  }
}

TEST(ReadJpeg, DoesNotBelieveItsHeader) {
  std::string bytes = jpeg_bytes(smooth_image(8, 8, 1));
  const std::size_t frame = bytes.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  const auto claiming = [&](const std::string& height, const std::string& width) {
    std::string changed = bytes;
    changed.replace(frame + 5, 2, height);
    changed.replace(frame + 7, 2, width);
    return changed;
  };
  expect_refused(claiming("\xFF\xDC", "\xFF\xDC"), "at most");
  expect_refused(claiming("\x10\x10", "\x10\x10"), "claims 4112 x 4112");
  EXPECT_NE(refusal(claiming(std::string("\x00\x40", 2), std::string("\x00\x40", 2))), "");
  expect_refused(jpeg_bytes(random_image(8, 8, 4)), "CMYK");
}

TEST(ReadImage, SaysWhatIsNoPicture) {
  expect_refused("", "empty");
  expect_refused("hello", "no picture");
  expect_refused("B", "no picture");
  expect_refused("BM", "cut off");
  EXPECT_NE(refusal("\xFF\xD8\xFF"), "");
  expect_refused("\x89PNG\r\n\x1a\n", "cut off");
}

TEST(ReadImage, HasLimits) {
  const std::string bytes = bmp_bytes(random_image(10, 10, 1));
  EXPECT_EQ(refusal(bytes, {.max_pixels = 100}), "");
  EXPECT_NE(refusal(bytes, {.max_pixels = 99}), "");
  const TemporaryFolder folder;
  const std::string path = folder.write("a.bmp", bytes);
  EXPECT_EQ(read_image(path).image.height, 10);
  EXPECT_THROW(read_image(path, {.max_bytes = 100}), Error);
  EXPECT_THROW(read_image(folder.path()), Error);
  EXPECT_THROW(read_image(folder / "nothing.bmp"), Error);
}

}  // namespace
}  // namespace gingham::annotate
