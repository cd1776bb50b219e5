#include "gingham/metrics/scores.hpp"

#include <unordered_map>

#include "gingham/metrics/accuracy.hpp"
#include "gingham/metrics/ari.hpp"
#include "gingham/metrics/nmi.hpp"
#include "gingham/metrics/s_index.hpp"

namespace gingham {

double Scores::at(const std::string& name) const {
  for (const auto& [key, value] : values) {
    if (key == name) return value;
  }
  throw Error(ErrorCode::usage, "", "there is no score named " + name);
}

Scores score_labels(std::span<const Index> found, std::span<const Index> truth) {
  return {{{"s_index", s_index(found, truth)},
           {"nmi", nmi(found, truth)},
           {"ari", ari(found, truth)},
           {"accuracy", accuracy(found, truth)}}};
}

std::vector<Index> encode_labels(const std::vector<std::string>& labels) {
  std::unordered_map<std::string, Index> numbers{{"-1", -1}};
  std::vector<Index> encoded;
  encoded.reserve(labels.size());
  for (const std::string& label : labels) {
    const Index next = static_cast<Index>(numbers.size()) - 1;
    encoded.push_back(numbers.try_emplace(label, next).first->second);
  }
  return encoded;
}

}  // namespace gingham
