#include "gingham/io/bmp.hpp"

#include <limits>

namespace gingham {
namespace {

constexpr Index kHeaderBytes = 14 + 40;
constexpr Index kPaletteColours = 256;
constexpr Index kAlignment = 4;  // of rows

void put(std::string& out, Index value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

void check(const Image& image) {
  const bool has_channels = image.channels == 1 || image.channels == 3;
  if (image.height < 1 || image.width < 1 || !has_channels ||
      image.height > std::numeric_limits<std::int32_t>::max() ||
      image.width > std::numeric_limits<std::int32_t>::max() / 4 ||
      std::ssize(image.pixels) !=
          checked_mul(checked_mul(image.height, image.width, "picture"), image.channels, "picture"))
    throw Error(ErrorCode::usage, "",
                "a bitmap needs 1 or 3 channels and a value for each of its pixels");
}

}  // namespace

std::string bmp_bytes(const Image& image) {
  check(image);
  const Index used = image.width * image.channels;
  const Index row_bytes = (used + kAlignment - 1) / kAlignment * kAlignment;
  const Index palette = image.channels == 1 ? kPaletteColours : 0;
  const Index offset = kHeaderBytes + 4 * palette;
  const Index total = checked_add(offset, checked_mul(row_bytes, image.height, "bitmap"), "bitmap");
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::usage, "", "the picture is too large for a bitmap");
  std::string out = "BM";
  out.reserve(static_cast<std::size_t>(total));
  put(out, total, 4);
  put(out, 0, 4);
  put(out, offset, 4);
  put(out, 40, 4);  // of the second header
  put(out, image.width, 4);
  put(out, image.height, 4);
  put(out, 1, 2);                   // planes
  put(out, 8 * image.channels, 2);  // bits of a pixel
  put(out, 0, 4);                   // not compressed
  put(out, row_bytes * image.height, 4);
  put(out, 0, 8);  // no resolution
  put(out, palette, 4);
  put(out, 0, 4);
  for (Index grey = 0; grey < palette; ++grey) put(out, grey * 0x010101, 4);
  for (Index y = image.height; y-- > 0;) {
    const std::uint8_t* row = image.pixels.data() + y * used;
    for (Index x = 0; x < image.width; ++x) {
      // Blue comes first.
      for (Index c = image.channels; c-- > 0;)
        out += static_cast<char>(row[x * image.channels + c]);
    }
    out.append(static_cast<std::size_t>(row_bytes - used), '\0');
  }
  return out;
}

}  // namespace gingham
