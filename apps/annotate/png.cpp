// PNG by libpng's simplified interface, which keeps its jumps to itself.
#include <fmt/format.h>
#include <png.h>

#include "annotate/image_formats.hpp"

namespace gingham::annotate {
namespace {

constexpr Index kSignature = 8;
constexpr Index kChunkFrame = 12;      // length, name, checksum
constexpr Index kMaxExpansion = 1032;  // of deflate

struct Png {
  png_image control = {};
  Png() { control.version = PNG_IMAGE_VERSION; }
  ~Png() { png_image_free(&control); }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
};

// Whether all is there up to the last chunk, before anything is decoded.
void check_chunks(const ImageFile& file) {
  for (Index at = kSignature;;) {
    const Index length = file.size() - at < kChunkFrame ? -1 : file.big(at, 4);
    if (length < 0 || length > file.size() - at - kChunkFrame)
      file.refuse(fmt::format("ends at byte {} within a chunk; the file is cut off", file.size()));
    if (file.big(at + 4, 4) == 0x49454E44) return;  // IEND
    at += kChunkFrame + length;
  }
}

// The size that the first chunk claims, held against the file's length: the packed pixels, of at
// least one bit each, can have shrunk to a 1032nd at best.
void check_claim(const ImageFile& file) {
  if (file.big(kSignature + 4, 4) != 0x49484452 || file.big(kSignature, 4) != 13)  // IHDR
    file.refuse("does not begin with the chunk IHDR; expected a .png");
  const Index width = file.big(16, 4), height = file.big(20, 4);
  file.check_size(height, width);
  const Index packed = height * (1 + (width + 7) / 8);
  if (packed / kMaxExpansion > file.size())
    file.refuse(fmt::format("claims {} x {} pixels in {} bytes; the file is damaged", height, width,
                            file.size()));
}

}  // namespace

Image decode_png(const ImageFile& file) {
  check_chunks(file);
  check_claim(file);
  Png png;
  if (png_image_begin_read_from_memory(&png.control, file.bytes.data(), file.bytes.size()) == 0)
    file.refuse(fmt::format("is damaged: {}", png.control.message));
  const bool has_colour = (png.control.format & PNG_FORMAT_FLAG_COLOR) != 0;
  png.control.format = has_colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png.control.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  Image image{.height = png.control.height, .width = png.control.width};
  file.check_size(image.height, image.width);
  const Index n_pixels = image.height * image.width;
  image.pixels.resize(static_cast<std::size_t>(n_pixels * (has_colour ? 3 : 1)));
  constexpr png_color kWhite{255, 255, 255};
  if (png_image_finish_read(&png.control, &kWhite, image.pixels.data(), 0, nullptr) == 0)
    file.refuse(fmt::format("is damaged: {}", png.control.message));
  if (!has_colour) return image;
  for (Index i = 0; i < n_pixels; ++i) {
    const std::uint8_t* colour = image.pixels.data() + 3 * i;
    image.pixels[static_cast<std::size_t>(i)] = grey_of(colour[0], colour[1], colour[2]);
  }
  image.pixels.resize(static_cast<std::size_t>(n_pixels));
  return image;
}

}  // namespace gingham::annotate
