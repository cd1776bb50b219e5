#include "annotate/windows.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>

namespace gingham::annotate {
namespace {

// A view; OpenCV does not write to it.
cv::Mat as_mat(const Image& image) {
  return {static_cast<int>(image.height), static_cast<int>(image.width), CV_8UC1,
          const_cast<std::uint8_t*>(image.pixels.data())};
}

double smoothing(const WindowOptions& options) {
  return static_cast<double>(options.window) / 12.0;
}

// OpenCV's own exceptions say where in OpenCV; there is no input that should lead to one.
template <class Body>
void guarded(Body&& body) {
  // Pictures run side by side already. Told once: telling it is not safe from several threads.
  static const bool is_told = (cv::setNumThreads(1), true);
  static_cast<void>(is_told);
  try {
    body();
  } catch (const cv::Exception& error) {
    throw Error(ErrorCode::internal, "OpenCV", error.what());
  }
}

double deviation(const cv::Mat& smooth, const Corner& corner, Index window) {
  const double count = static_cast<double>(window * window);
  double sum = 0.0, squares = 0.0;
  for (Index y = corner.y; y < corner.y + window; ++y) {
    const float* row = smooth.ptr<float>(static_cast<int>(y)) + corner.x;
    for (Index x = 0; x < window; ++x) sum += static_cast<double>(row[x]);
  }
  for (Index y = corner.y; y < corner.y + window; ++y) {
    const float* row = smooth.ptr<float>(static_cast<int>(y)) + corner.x;
    for (Index x = 0; x < window; ++x) {
      const double apart = static_cast<double>(row[x]) - sum / count;
      squares += apart * apart;
    }
  }
  return std::sqrt(squares / count);
}

// OpenCV 4.6 keeps a descriptor in a place as large as the pixels it looks at, and writes behind
// its end where these are fewer than 128: with windows below 7.
constexpr Index kMinSiftWindow = 8;

void describe_by_sift(const Image& image, const std::vector<Corner>& windows,
                      const WindowOptions& options, std::span<float> out) {
  if (options.window < kMinSiftWindow)
    throw Error(ErrorCode::usage, "--window", "SIFT needs windows of at least 8 pixels");
  const float size = static_cast<float>(options.window) / 6.0f;
  // OpenCV rounds places to whole pixels, halves to even ones: half a window is whole.
  const auto middle = static_cast<float>(options.window / 2);
  std::vector<cv::KeyPoint> points;
  for (const Corner& corner : windows)
    points.emplace_back(static_cast<float>(corner.x) + middle,
                        static_cast<float>(corner.y) + middle, size, 0.0f);
  for (cv::KeyPoint& point : points) point.octave = 0;  // the picture's own size, smoothed once
  constexpr int kLayers = 1;                            // only the first is used
  const cv::Ptr<cv::SIFT> sift = cv::SIFT::create(0, kLayers, 0.04, 10.0, smoothing(options));
  cv::Mat found;
  sift->compute(as_mat(image), points, found);
  if (points.size() != windows.size() || found.cols != 128 || found.type() != CV_32F)
    throw Error(ErrorCode::internal, "OpenCV", "SIFT has left out keypoints");
  for (int i = 0; i < found.rows; ++i)
    std::copy_n(found.ptr<float>(i), 128, &out[128 * static_cast<std::size_t>(i)]);
}

void describe_by_pixels(const Image& image, const std::vector<Corner>& windows, Index window,
                        std::span<float> out) {
  float* next = out.data();
  for (const Corner& corner : windows) {
    for (Index y = corner.y; y < corner.y + window; ++y) {
      const std::uint8_t* row = image.pixels.data() + y * image.width + corner.x;
      next = std::copy_n(row, window, next);
    }
  }
}

void standardize(std::span<float> values) {
  double sum = 0.0, squares = 0.0;
  for (const float value : values) sum += static_cast<double>(value);
  const double mean = sum / static_cast<double>(values.size());
  for (const float value : values)
    squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
  const double scale = squares > 0.0 ? 1.0 / std::sqrt(squares) : 0.0;
  for (float& value : values)
    value = static_cast<float>((static_cast<double>(value) - mean) * scale);
}

}  // namespace

std::vector<Corner> all_windows(const Image& image, const WindowOptions& options) {
  std::vector<Corner> windows;
  for (Index y = 0; y + options.window <= image.height; y += options.step) {
    for (Index x = 0; x + options.window <= image.width; x += options.step)
      windows.push_back({y, x});
  }
  return windows;
}

std::vector<Corner> busy_windows(const Image& image, const WindowOptions& options) {
  std::vector<Corner> windows = all_windows(image, options);
  if (windows.empty()) return windows;
  guarded([&] {
    cv::Mat values, smooth;
    as_mat(image).convertTo(values, CV_32F);
    cv::GaussianBlur(values, smooth, {}, smoothing(options));
    std::erase_if(windows, [&](const Corner& corner) {
      return deviation(smooth, corner, options.window) <= options.flat;
    });
  });
  return windows;
}

void describe(const Image& image, const std::vector<Corner>& windows, const WindowOptions& options,
              std::span<float> out) {
  const std::size_t size = static_cast<std::size_t>(options.size());
  if (out.size() != windows.size() * size)
    throw Error(ErrorCode::internal, "", "descriptors need a place of their size");
  if (windows.empty()) return;
  if (options.is_sift) {
    guarded([&] { describe_by_sift(image, windows, options, out); });
  } else {
    describe_by_pixels(image, windows, options.window, out);
  }
  for (std::size_t i = 0; i < windows.size(); ++i) standardize(out.subspan(i * size, size));
}

}  // namespace gingham::annotate
