// A number of a penalty before the data are known.
#pragma once
#include <string>
#include <string_view>

#include "gingham/base/index.hpp"

namespace gingham {

struct PenaltyValue {
  enum class Kind { number, percent, word };
  Kind kind = Kind::number;
  double number = 0.0;  // the number or the percentage
  std::string word;

  bool is(std::string_view wanted) const { return kind == Kind::word && word == wanted; }
  // The number itself, or that share of `maximum`. A word has no number: Error{internal}.
  double resolve(double maximum) const;
  std::string text() const;
};

}  // namespace gingham
