// Pictures to patches: a descriptor for each window that shows something, and which picture and bag
// it came from.
#pragma once
#include <string>
#include <vector>

#include "annotate/bags.hpp"
#include "annotate/windows.hpp"

namespace gingham::annotate {

inline constexpr const char* kFeaturesMarker = "features.json";

struct FeaturesRequest {
  std::vector<std::string> images = {};
  std::string table = {};  // empty: none
  WindowOptions windows = {};
  int threads = 0;
  std::string output = {};
  bool force = false;
};

struct FeaturesOutcome {
  Index n_images = 0;
  Index n_bags = 0;
  Index n_windows = 0;
  Index n_patches = 0;  // windows that were kept
  Index n_empty_bags = 0;
};

// Writes, whole or not at all, into `output`
//   features.npy   patches x numbers, float32
//   patches.tsv    row, image, bag, x, y (of the window's upper left pixel)
//   bags.tsv       bag, images, patches, terms
//   features.json  version, options, images with digests and counts
// Pictures are read twice, so that no more than a few of them are in memory: one that changes
// between is an Error{input}.
FeaturesOutcome extract_features(const FeaturesRequest& request);

}  // namespace gingham::annotate
