// Square windows of a picture on a grid, and the vectors that describe them.
//
// sift: 4 x 4 cells of window/4 pixels, 8 directions each: 128 numbers (Lowe 2004), by OpenCV at
// keypoints at pixel (window/2, window/2) of the windows, upright. OpenCV's cells are 1.5 keypoint
// sizes wide, so the size is window/6, and the picture is smoothed by a third of a cell, window/12,
// as SIFT has it. No direction is sought for a window: what lies at another angle has another
// descriptor. pixels: the grey levels row by row: window^2 numbers.
//
// A descriptor is then made zero-mean and of length one; one that is constant stays zero.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "gingham/data/image.hpp"

namespace gingham::annotate {

struct WindowOptions {
  Index window = 16;  // pixels along a side
  Index step = 8;
  bool is_sift = true;  // else pixels
  double flat = 2.0;    // grey levels

  Index size() const { return is_sift ? 128 : window * window; }  // of a descriptor
};

// The upper left pixel of a window.
struct Corner {
  Index y = 0, x = 0;
};

// All windows that lie within the picture, row by row.
std::vector<Corner> all_windows(const Image& image, const WindowOptions& options);
// Those where the standard deviation of the smoothed grey levels exceeds `flat`.
std::vector<Corner> busy_windows(const Image& image, const WindowOptions& options);
// One descriptor after the other into `out`, of size() numbers each.
void describe(const Image& image, const std::vector<Corner>& windows, const WindowOptions& options,
              std::span<float> out);

}  // namespace gingham::annotate
