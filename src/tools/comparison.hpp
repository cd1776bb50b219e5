// What verify counts and collects: numbers compared, and a sentence for each that differs.
#pragma once
#include <string>
#include <vector>

#include "gingham/engine/model.hpp"
#include "gingham/tools/verify.hpp"

namespace gingham {

class Comparison {
 public:
  // Equal but for rounding: a share of the larger of the two, and `floor` besides. A number that is
  // not finite equals itself alone.
  void number(const std::string& what, double reported, double recomputed, double floor = 0.0);
  // In the units of the data's sum of squares.
  void squares(const std::string& what, double reported, double recomputed) {
    number(what, reported, recomputed, floor_);
  }
  void named(const std::string& kind, const std::vector<NamedValue>& said,
             const std::vector<NamedValue>& found, double floor);
  void members(const Membership& said, const Membership& found);
  void truth(bool holds, const std::string& complaint);

  void set_relative(double share) { relative_ = share; }
  void set_floor(double floor) { floor_ = floor; }

  Verification result;

 private:
  double relative_ = 1e-9;  // two ways of adding up the same numbers
  double floor_ = 0.0;
};

// The entries of an array row by row, of a sparse one those it lists; and where one of them is.
std::span<const double> values_of(const NamedArray& array);
std::string place_in(const NamedArray& array, std::size_t at);

}  // namespace gingham
