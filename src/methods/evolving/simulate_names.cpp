#include "gingham/methods/evolving/simulate_names.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace gingham::methods::evolving {
namespace {

constexpr std::array<const char*, 7> kAges{"E11", "E13", "E15", "E18", "P04", "P14", "P28"};
constexpr std::array<const char*, 8> kRegions{"cortex",   "striatum",   "thalamus", "hypothalamus",
                                              "midbrain", "cerebellum", "pons",     "medulla"};
constexpr std::string_view kFirst = "BDFGKLMNPRSTVZ", kVowels = "aeiou", kLast = "bdfklmnprstxz";

}  // namespace

std::string age_name(Index age, Index n_ages) {
  if (n_ages <= std::ssize(kAges)) return kAges[age];
  return fmt::format("age_{:0{}}", age + 1, std::to_string(n_ages).size());
}

Labels voxel_names(const std::vector<Index>& regions) {
  Labels names;
  for (std::size_t v = 0; v < regions.size(); ++v) {
    const Index r = regions[v];
    names.push_back(fmt::format(
        "voxel {} ({})", v + 1,
        r < std::ssize(kRegions) ? std::string(kRegions[r]) : fmt::format("region {}", r + 1)));
  }
  return names;
}

// Syllables come in a mixed order: the stride has no factor in common with their number.
Labels gene_names(Index n_genes) {
  const Index syllables = std::ssize(kFirst) * std::ssize(kVowels) * std::ssize(kLast);
  constexpr Index kStride = 373;
  Labels names;
  for (Index j = 0; j < n_genes; ++j) {
    const Index at = j % syllables * kStride % syllables;
    names.push_back(fmt::format("{}{}{}{}", kFirst[at % std::ssize(kFirst)],
                                kVowels[at / std::ssize(kFirst) % std::ssize(kVowels)],
                                kLast[at / std::ssize(kFirst) / std::ssize(kVowels)],
                                j / syllables + 1));
  }
  return names;
}

}  // namespace gingham::methods::evolving
