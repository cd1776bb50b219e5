// All scores of one labeling against another, under the names the outputs use.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham {

struct Scores {
  std::vector<std::pair<std::string, double>> values;

  double at(const std::string& name) const;  // throws Error{usage} for a name that is not there
};

// s_index, nmi, ari, accuracy, in this order. Labels are any integers; -1 is a class of its own.
// Throws Error{usage} where the lengths differ or there are no labels.
Scores score_labels(std::span<const Index> found, std::span<const Index> truth);

// Integers for labels given as text: "-1" stays -1, the others are numbered 0, 1, ... as they first
// appear.
std::vector<Index> encode_labels(const std::vector<std::string>& labels);

}  // namespace gingham
