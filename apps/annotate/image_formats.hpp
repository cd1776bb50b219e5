// One decoder per format; decode_image chooses among them.
#pragma once
#include "annotate/read_image.hpp"

namespace gingham::annotate {

// The bytes of a picture's file, and how it is refused.
struct ImageFile {
  const std::string& name;
  std::span<const char> bytes;
  const ImageLimits& limits;

  Index size() const { return std::ssize(bytes); }
  [[noreturn]] void refuse(const std::string& message) const;
  // Little-endian or big-endian, `count` bytes; refuses what lies behind the end.
  Index little(Index offset, int count) const;
  Index big(Index offset, int count) const;
  // Throws unless there are pixels, and no more than the limits allow.
  void check_size(Index height, Index width) const;
};

Image decode_bmp(const ImageFile& file);
Image decode_png(const ImageFile& file);
Image decode_jpeg(const ImageFile& file);

std::uint8_t grey_of(Index red, Index green, Index blue);

}  // namespace gingham::annotate
