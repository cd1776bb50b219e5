#include "annotate/windows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "image_bytes.hpp"

namespace gingham::annotate {
namespace {

std::vector<float> described(const Image& image, const std::vector<Corner>& windows,
                             const WindowOptions& options) {
  std::vector<float> out(windows.size() * static_cast<std::size_t>(options.size()));
  describe(image, windows, options, out);
  return out;
}

TEST(Windows, LieOnAGridWithinThePicture) {
  const Image image{.height = 33, .width = 40, .pixels = std::vector<std::uint8_t>(33 * 40)};
  const std::vector<Corner> windows = all_windows(image, {.window = 16, .step = 8});
  ASSERT_EQ(windows.size(), 3u * 4u);
  EXPECT_EQ(windows[5].y, 8);
  EXPECT_EQ(windows[5].x, 8);
  EXPECT_EQ(all_windows(image, {.window = 34, .step = 1}).size(), 0u);
  EXPECT_EQ(all_windows(image, {.window = 33, .step = 100}).size(), 1u);
}

TEST(Windows, FlatOnesAreLeftOut) {
  Image image{.height = 64, .width = 64, .pixels = std::vector<std::uint8_t>(64 * 64, 200)};
  EXPECT_TRUE(busy_windows(image, {}).empty());
  EXPECT_TRUE(busy_windows(image, {.flat = 0.0}).empty());
  for (Index y = 40; y < 56; ++y) {
    for (Index x = 40; x < 56; ++x)
      image.pixels[static_cast<std::size_t>(64 * y + x)] = x % 8 < 4 ? 0 : 255;
  }
  const std::vector<Corner> found = busy_windows(image, {});
  ASSERT_FALSE(found.empty());
  for (const Corner& corner : found) EXPECT_TRUE(corner.y >= 24 && corner.x >= 24);
  EXPECT_TRUE(busy_windows(image, {.flat = 255.0}).empty());
}

TEST(Windows, DescriptorsHaveNoMeanAndLengthOne) {
  const Image image = random_image(50, 70, 1);
  for (const bool is_sift : {true, false}) {
    const WindowOptions options{.is_sift = is_sift};
    const std::vector<Corner> windows = busy_windows(image, options);
    ASSERT_FALSE(windows.empty());
    const std::vector<float> values = described(image, windows, options);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      double sum = 0.0, squares = 0.0;
      for (Index j = 0; j < options.size(); ++j) {
        const double value =
            values[i * static_cast<std::size_t>(options.size()) + static_cast<std::size_t>(j)];
        sum += value;
        squares += value * value;
      }
      EXPECT_NEAR(sum, 0.0, 1e-5);
      EXPECT_NEAR(squares, 1.0, 1e-5);
    }
  }
}

TEST(Windows, PixelsAreThePixels) {
  const Image image = random_image(20, 20, 1);
  const WindowOptions options{.window = 4, .is_sift = false};
  const std::vector<float> values = described(image, {{3, 5}}, options);
  double mean = 0.0, squares = 0.0;
  for (Index k = 0; k < 16; ++k)
    mean += image.pixels[static_cast<std::size_t>((3 + k / 4) * 20 + 5 + k % 4)] / 16.0;
  for (Index k = 0; k < 16; ++k)
    squares +=
        std::pow(image.pixels[static_cast<std::size_t>((3 + k / 4) * 20 + 5 + k % 4)] - mean, 2);
  for (Index k = 0; k < 16; ++k)
    EXPECT_NEAR(values[static_cast<std::size_t>(k)],
                (image.pixels[static_cast<std::size_t>((3 + k / 4) * 20 + 5 + k % 4)] - mean) /
                    std::sqrt(squares),
                1e-6);
}

TEST(Windows, AConstantDescriptorStaysZero) {
  const Image image{.height = 20, .width = 20, .pixels = std::vector<std::uint8_t>(400, 9)};
  for (const bool is_sift : {true, false}) {
    for (const float value : described(image, {{2, 2}}, {.is_sift = is_sift}))
      EXPECT_EQ(value, 0.0f);
  }
}

// What lies further away than half a cell and the smoothing reach does not count; what lies in the
// window does.
TEST(Windows, SiftCoversTheWindow) {
  const Corner corner{24, 24};
  const Image image = random_image(64, 64, 1);
  const std::vector<float> before = described(image, {corner}, {});
  const auto change_at = [&](Index y, Index x) {
    Image changed = image;
    std::uint8_t& pixel = changed.pixels[static_cast<std::size_t>(64 * y + x)];
    pixel = pixel < 128 ? 255 : 0;
    const std::vector<float> after = described(changed, {corner}, {});
    double squares = 0.0;
    for (std::size_t j = 0; j < 128; ++j) squares += std::pow(after[j] - before[j], 2);
    return std::sqrt(squares);
  };
  for (const Index far : {Index{10}, Index{54}}) {
    EXPECT_EQ(change_at(far, 32), 0.0);
    EXPECT_EQ(change_at(32, far), 0.0);
  }
  for (const Index near : {Index{25}, Index{32}, Index{38}}) {
    EXPECT_GT(change_at(near, 32), 0.01);
    EXPECT_GT(change_at(32, near), 0.01);
  }
}

// A quarter turn of the picture turns the cells and moves every direction by two of eight.
TEST(Windows, SiftTurnsWithThePicture) {
  constexpr Index kSide = 49, kWindow = 16;
  const Image image = random_image(kSide, kSide, 1, 5);
  Image turned = image;
  for (Index y = 0; y < kSide; ++y) {
    for (Index x = 0; x < kSide; ++x)  // (y, x) goes to (side - 1 - x, y)
      turned.pixels[static_cast<std::size_t>((kSide - 1 - x) * kSide + y)] =
          image.pixels[static_cast<std::size_t>(y * kSide + x)];
  }
  const Index middle = kSide / 2, at = middle - kWindow / 2;  // the middle stays where it is
  const std::vector<float> before = described(image, {{at, at}}, {});
  const std::vector<float> after = described(turned, {{at, at}}, {});
  double apart[2] = {0.0, 0.0};  // for either sense of the directions
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      for (int d = 0; d < 8; ++d) {
        const double value = before[static_cast<std::size_t>((4 * r + c) * 8 + d)];
        for (int sense : {0, 1}) {
          const int to = (d + (sense == 0 ? 2 : 6)) % 8;
          const double other = after[static_cast<std::size_t>((4 * (3 - c) + r) * 8 + to)];
          apart[sense] += (value - other) * (value - other);
        }
      }
    }
  }
  EXPECT_LT(std::min(apart[0], apart[1]), 1e-3);
  EXPECT_GT(std::max(apart[0], apart[1]), 0.1);
}

TEST(Windows, WorkForSmallAndLargeWindowsAtTheBorder) {
  const Image image = random_image(40, 40, 1);
  for (const Index window : {8, 9, 16, 40}) {
    const WindowOptions options{.window = window, .step = 3};
    const std::vector<Corner> windows = all_windows(image, options);
    EXPECT_EQ(described(image, windows, options).size(), 128 * windows.size());
  }
  EXPECT_THROW(described(image, {{0, 0}}, {.window = 7}), Error);
}

}  // namespace
}  // namespace gingham::annotate
