// Pictures of 8 bits, as they are shown.
#pragma once
#include <cstdint>
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham {

struct Image {
  Index height = 0;
  Index width = 0;
  Index channels = 1;  // 1 grey, 3 red, green, blue
  std::vector<std::uint8_t> pixels =
      {};  // row by row from the top, the channels of a pixel together
};

}  // namespace gingham
