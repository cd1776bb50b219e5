// Pictures as files in memory, written by the libraries themselves.
#pragma once
#include <png.h>
#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "gingham/base/rng.hpp"
#include "gingham/data/image.hpp"

extern "C" {
#include <jpeglib.h>
}

namespace gingham::annotate {

inline Image random_image(Index height, Index width, Index channels, std::uint64_t seed = 1) {
  Rng rng(seed, 7);
  Image image{.height = height, .width = width, .channels = channels};
  for (Index i = 0; i < height * width * channels; ++i)
    image.pixels.push_back(static_cast<std::uint8_t>(rng.below(256)));
  return image;
}

// A picture without noise, which lossy formats keep well.
inline Image smooth_image(Index height, Index width, Index channels) {
  Image image{.height = height, .width = width, .channels = channels};
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x) {
      for (Index c = 0; c < channels; ++c)
        image.pixels.push_back(static_cast<std::uint8_t>(40 + 2 * y + 3 * x + 20 * c));
    }
  }
  return image;
}

// `format` is one of PNG_FORMAT_...; pixels hold what it asks for.
inline std::string png_bytes(Index height, Index width, png_uint_32 format, const void* pixels) {
  png_image control = {};
  control.version = PNG_IMAGE_VERSION;
  control.height = static_cast<png_uint_32>(height);
  control.width = static_cast<png_uint_32>(width);
  control.format = format;
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&control, nullptr, &size, 0, pixels, 0, nullptr);
  std::string bytes(size, '\0');
  png_image_write_to_memory(&control, bytes.data(), &size, 0, pixels, 0, nullptr);
  bytes.resize(size);
  return bytes;
}

inline std::string jpeg_bytes(const Image& image, bool is_progressive = false) {
  jpeg_compress_struct control;
  jpeg_error_mgr errors;
  control.err = jpeg_std_error(&errors);
  jpeg_create_compress(&control);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&control, &buffer, &size);
  control.image_height = static_cast<JDIMENSION>(image.height);
  control.image_width = static_cast<JDIMENSION>(image.width);
  control.input_components = static_cast<int>(image.channels);
  control.in_color_space = image.channels == 1   ? JCS_GRAYSCALE
                           : image.channels == 3 ? JCS_RGB
                                                 : JCS_CMYK;
  jpeg_set_defaults(&control);
  jpeg_set_quality(&control, 95, TRUE);
  if (is_progressive) jpeg_simple_progression(&control);
  jpeg_start_compress(&control, TRUE);
  for (Index y = 0; y < image.height; ++y) {
    auto* row = const_cast<std::uint8_t*>(image.pixels.data() + y * image.width * image.channels);
    jpeg_write_scanlines(&control, &row, 1);
  }
  jpeg_finish_compress(&control);
  jpeg_destroy_compress(&control);
  std::string bytes(reinterpret_cast<const char*>(buffer), size);
  std::free(buffer);
  return bytes;
}

// The header chunk changed, with the checksum that belongs to it.
inline std::string with_png_size(std::string bytes, std::uint32_t width, std::uint32_t height) {
  const auto put = [&](std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i)
      bytes[at + i] = static_cast<char>(value >> (24 - 8 * i) & 0xFF);
  };
  put(16, width);
  put(20, height);
  put(29, static_cast<std::uint32_t>(
              crc32(0, reinterpret_cast<const unsigned char*>(bytes.data() + 12), 17)));
  return bytes;
}

}  // namespace gingham::annotate
