#include "gingham/methods/multiview/simulate_names.hpp"

#include <fmt/format.h>

#include <array>

namespace gingham::methods::multiview {
namespace {

constexpr std::array<const char*, 20> kFeatures{
    "joint pain",    "morning stiffness", "dry eyes",   "wheezing",  "night cough", "hay fever",
    "rash",          "itching",           "hives",      "headache",  "aura",        "nausea",
    "palpitations",  "dizziness",         "cold hands", "back pain", "poor sleep",  "weight loss",
    "brittle nails", "low mood"};
constexpr Index kFirstMarker = 10007, kMarkerStep = 37;

}  // namespace

Labels subject_names(Index n) {
  Labels names;
  for (Index i = 0; i < n; ++i)
    names.push_back(fmt::format("S{:0{}}", i + 1, std::to_string(n).size()));
  return names;
}

Labels marker_names(Index n) {
  const Index last = kFirstMarker + kMarkerStep * (n - 1);
  Labels names;
  for (Index j = 0; j < n; ++j) {
    names.push_back(
        fmt::format("rs{:0{}}", kFirstMarker + kMarkerStep * j, std::to_string(last).size()));
  }
  return names;
}

Labels feature_names(Index n) {
  Labels names;
  for (Index j = 0; j < n; ++j) {
    names.push_back(j < std::ssize(kFeatures) ? std::string(kFeatures[j])
                                              : fmt::format("sign {}", j + 1));
  }
  return names;
}

}  // namespace gingham::methods::multiview
