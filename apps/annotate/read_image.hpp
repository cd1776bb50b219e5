// Pictures from files, as grey levels.
//
// .png, .jpg and .bmp, told by their first bytes, whatever the file is called. Files are untrusted:
// what a header claims is held against the file's length and the limits before anything is
// allocated, and a file that is damaged or cut off is an Error{input} that names it. Colours become
// (299 R + 587 G + 114 B) / 1000; where a .png is transparent, white shines through. The fourth
// byte of a .bmp's pixels, bytes after the picture's end and notes on how to turn it are ignored.
#pragma once
#include <span>
#include <string>

#include "gingham/data/image.hpp"

namespace gingham::annotate {

struct ImageLimits {
  Index max_bytes = Index{1} << 30;   // of the file
  Index max_pixels = Index{1} << 27;  // height x width
};

struct ReadImage {
  Image image;         // of one channel
  std::string digest;  // of the file's bytes
};
// Throws Error{input}.
ReadImage read_image(const std::string& path, const ImageLimits& limits = {});
// The same from memory; `name` is for messages.
Image decode_image(const std::string& name, std::span<const char> bytes,
                   const ImageLimits& limits = {});

}  // namespace gingham::annotate
