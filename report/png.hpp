// A small PNG writer: one byte per pixel into a palette of 256 colours.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham::report {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
};
using Palette = std::array<Colour, 256>;

// The file's bytes. Requires pixels.size() == rows * columns, both at least 1.
std::string encode_png(Index rows, Index columns, const std::vector<std::uint8_t>& pixels,
                       const Palette& palette);

std::string base64(const std::string& bytes);

}  // namespace gingham::report
