// Windows bitmaps without compression: 8 bits with a palette, 24 and 32 bits, rows from the bottom
// up or from the top down.
#include <fmt/format.h>

#include <array>

#include "annotate/image_formats.hpp"

namespace gingham::annotate {
namespace {

constexpr Index kFileHeader = 14;
constexpr Index kInfoHeader = 40;  // the smallest of the headers that may follow
constexpr Index kMaxHeader = 124;
constexpr Index kUncompressed = 0, kMasks = 3;

struct Header {
  Index offset, height, width, bits, colours, palette_at;
  bool is_top_down;
};

// A number of 32 bits with a sign.
Index signed_of(Index value) {
  return value >= (Index{1} << 31) ? value - (Index{1} << 32) : value;
}

// Masks are fine as long as they say what is usual: a byte each, blue first.
void check_masks(const ImageFile& file) {
  constexpr std::array<Index, 3> kUsual{0xFF0000, 0x00FF00, 0x0000FF};
  for (int c = 0; c < 3; ++c) {
    if (file.little(kFileHeader + kInfoHeader + 4 * c, 4) != kUsual[static_cast<std::size_t>(c)])
      file.refuse("has unusual masks of colours; expected a byte for each, blue first");
  }
}

Header read_header(const ImageFile& file) {
  const Index info = file.little(kFileHeader, 4);
  if (info < kInfoHeader || info > kMaxHeader)
    file.refuse(fmt::format("has a header of {} bytes; expected 40 to 124", info));
  const Index height = signed_of(file.little(22, 4));
  Header header{.offset = file.little(10, 4),
                .height = height < 0 ? -height : height,
                .width = signed_of(file.little(18, 4)),
                .bits = file.little(28, 2),
                .colours = file.little(46, 4),
                .palette_at = kFileHeader + info,
                .is_top_down = height < 0};
  const Index compression = file.little(30, 4);
  if (header.bits != 8 && header.bits != 24 && header.bits != 32)
    file.refuse(fmt::format("has {} bits per pixel; expected 8, 24 or 32", header.bits));
  if (compression == kMasks && header.bits == 32) {
    check_masks(file);
  } else if (compression != kUncompressed) {
    file.refuse("is compressed; expected a bitmap without compression");
  }
  file.check_size(header.height, header.width);
  return header;
}

// Grey levels of the palette; colours that the file does not list are black.
std::array<std::uint8_t, 256> read_palette(const ImageFile& file, const Header& header) {
  std::array<std::uint8_t, 256> greys{};
  const Index count = header.colours == 0 ? 256 : header.colours;
  if (count > 256) file.refuse(fmt::format("has {} colours; expected at most 256", count));
  for (Index i = 0; i < count; ++i) {
    const Index at = header.palette_at + 4 * i;
    greys[static_cast<std::size_t>(i)] =
        grey_of(file.little(at + 2, 1), file.little(at + 1, 1), file.little(at, 1));
  }
  return greys;
}

}  // namespace

Image decode_bmp(const ImageFile& file) {
  const Header header = read_header(file);
  const Index bytes = header.bits / 8;
  const Index stride = (header.width * bytes + 3) / 4 * 4;  // the limits keep this small
  if (header.offset < kFileHeader + kInfoHeader ||
      stride * header.height > file.size() - header.offset)
    file.refuse(fmt::format("is {} bytes long; expected {} for {} x {} pixels", file.size(),
                            header.offset + stride * header.height, header.height, header.width));
  const auto greys = bytes == 1 ? read_palette(file, header) : std::array<std::uint8_t, 256>{};
  Image image{.height = header.height, .width = header.width};
  image.pixels.reserve(static_cast<std::size_t>(header.height * header.width));
  for (Index y = 0; y < header.height; ++y) {
    const Index row = header.is_top_down ? y : header.height - 1 - y;
    const auto* pixel =
        reinterpret_cast<const std::uint8_t*>(file.bytes.data()) + header.offset + row * stride;
    for (Index x = 0; x < header.width; ++x, pixel += bytes)
      image.pixels.push_back(bytes == 1 ? greys[*pixel] : grey_of(pixel[2], pixel[1], pixel[0]));
  }
  return image;
}

}  // namespace gingham::annotate
