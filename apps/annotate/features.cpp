#include "annotate/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "annotate/read_image.hpp"
#include "gingham/base/parallel.hpp"
#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/write.hpp"
#include "gingham/tools/output.hpp"

namespace gingham::annotate {
namespace {

constexpr Index kBatch = 64;  // pictures whose descriptors wait to be written

// What the first pass finds.
struct Scanned {
  std::string digest;
  Index height = 0, width = 0, n_windows = 0;
  std::vector<Corner> kept = {};
};

std::string shown_field(const std::string& text) { return printable(text, 4096); }

std::vector<Scanned> scan(const BaggedImages& found, const WindowOptions& options,
                          Executor& executor) {
  std::vector<Scanned> all(found.images.size());
  executor.map(std::ssize(all), [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    const ReadImage read = read_image(found.images[at].path);
    all[at] = {.digest = read.digest,
               .height = read.image.height,
               .width = read.image.width,
               .n_windows = std::ssize(all_windows(read.image, options)),
               .kept = busy_windows(read.image, options)};
  });
  return all;
}

std::vector<float> describe_again(const BaggedImage& image, const Scanned& scanned,
                                  const WindowOptions& options) {
  const ReadImage read = read_image(image.path);
  if (read.digest != scanned.digest)
    throw Error(ErrorCode::input, printable(image.path), "has changed while it was read");
  std::vector<float> values(scanned.kept.size() * static_cast<std::size_t>(options.size()));
  describe(read.image, scanned.kept, options, values);
  return values;
}

void write_features(AtomicDirectory& directory, const BaggedImages& found,
                    const std::vector<Scanned>& scanned, Index n_patches,
                    const WindowOptions& options, Executor& executor) {
  const std::unique_ptr<ByteSink> sink = directory.open("features.npy");
  write_npy_header(*sink, "<f4", {n_patches, options.size()});
  const Index n_images = std::ssize(scanned);
  for (Index first = 0; first < n_images; first += kBatch) {
    const Index count = std::min(kBatch, n_images - first);
    std::vector<std::vector<float>> batch(static_cast<std::size_t>(count));
    executor.map(count, [&](Index i) {
      const auto at = static_cast<std::size_t>(first + i);
      batch[static_cast<std::size_t>(i)] = describe_again(found.images[at], scanned[at], options);
    });
    for (const std::vector<float>& values : batch)
      sink->write({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
  }
  sink->finish();
}

void write_patches(AtomicDirectory& directory, const BaggedImages& found,
                   const std::vector<Scanned>& scanned) {
  const std::unique_ptr<ByteSink> sink = directory.open("patches.tsv");
  sink->write("row\timage\tbag\tx\ty\n");
  Index row = 0;
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    const BaggedImage& image = found.images[i];
    const std::string place = shown_field(image.shown) + "\t" +
                              shown_field(found.bags[static_cast<std::size_t>(image.bag)].name);
    for (const Corner& corner : scanned[i].kept)
      sink->write(fmt::format("{}\t{}\t{}\t{}\n", row++, place, corner.x, corner.y));
  }
  sink->finish();
}

// Returns the number of bags without patches.
Index write_bags(AtomicDirectory& directory, const BaggedImages& found,
                 const std::vector<Scanned>& scanned) {
  std::vector<Index> n_images(found.bags.size()), n_patches(found.bags.size());
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    const auto bag = static_cast<std::size_t>(found.images[i].bag);
    ++n_images[bag];
    n_patches[bag] += std::ssize(scanned[i].kept);
  }
  std::string text = "bag\timages\tpatches\tterms\n";
  for (std::size_t b = 0; b < found.bags.size(); ++b)
    text += fmt::format("{}\t{}\t{}\t{}\n", shown_field(found.bags[b].name), n_images[b],
                        n_patches[b], joined_terms(found.bags[b].terms));
  directory.write("bags.tsv", text);
  return std::count(n_patches.begin(), n_patches.end(), 0);
}

std::string provenance(const FeaturesRequest& request, const BaggedImages& found,
                       const std::vector<Scanned>& scanned, const FeaturesOutcome& outcome) {
  nlohmann::ordered_json json;
  json["gingham"] = kVersion;
  json["parameters"] = {{"window", request.windows.window},
                        {"step", request.windows.step},
                        {"descriptor", request.windows.is_sift ? "sift" : "pixels"},
                        {"flat", request.windows.flat}};
  json["table"] = shown_field(request.table);
  json["images"] = outcome.n_images;
  json["bags"] = outcome.n_bags;
  json["windows"] = outcome.n_windows;
  json["flat_windows"] = outcome.n_windows - outcome.n_patches;
  json["patches"] = outcome.n_patches;
  json["empty_bags"] = outcome.n_empty_bags;
  json["inputs"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < scanned.size(); ++i)
    json["inputs"].push_back({{"path", shown_field(found.images[i].shown)},
                              {"digest", scanned[i].digest},
                              {"height", scanned[i].height},
                              {"width", scanned[i].width},
                              {"windows", scanned[i].n_windows},
                              {"patches", std::ssize(scanned[i].kept)}});
  return json.dump(1) + "\n";
}

}  // namespace

FeaturesOutcome extract_features(const FeaturesRequest& request) {
  check_parent(request.output);
  check_replaceable(request.output, kFeaturesMarker, "features", request.force);
  const BaggedImages found = bag_images(request.images, request.table);
  ThreadPool executor(request.threads);
  const std::vector<Scanned> scanned = scan(found, request.windows, executor);
  FeaturesOutcome outcome{.n_images = std::ssize(scanned), .n_bags = std::ssize(found.bags)};
  for (const Scanned& one : scanned) {
    outcome.n_windows += one.n_windows;
    outcome.n_patches += std::ssize(one.kept);
  }
  if (outcome.n_patches == 0)
    throw Error(ErrorCode::input, printable(found.images.front().shown),
                fmt::format("neither this nor any other of {} images has a window of {} x {} "
                            "pixels that is not flat",
                            outcome.n_images, request.windows.window, request.windows.window));
  AtomicDirectory directory(request.output, request.force, kFeaturesMarker);
  write_features(directory, found, scanned, outcome.n_patches, request.windows, executor);
  write_patches(directory, found, scanned);
  outcome.n_empty_bags = write_bags(directory, found, scanned);
  directory.write(kFeaturesMarker, provenance(request, found, scanned, outcome));
  directory.commit();
  return outcome;
}

}  // namespace gingham::annotate
