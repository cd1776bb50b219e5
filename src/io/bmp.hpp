// Pictures as Windows bitmaps, which every viewer opens: 8 bits with a grey palette or 24 bits,
// uncompressed, rows from the bottom up.
#pragma once
#include <string>

#include "gingham/data/image.hpp"

namespace gingham {

// The file's bytes. Throws Error{usage} for a picture that a bitmap cannot hold: without pixels, of
// other than 1 or 3 channels, or of 4 GB and more.
GINGHAM_API std::string bmp_bytes(const Image& image);

}  // namespace gingham
