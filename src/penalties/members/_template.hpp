// A penalty to copy: the file's name becomes its namespace, and `word` below what users type.
//
//   g(z) = weight sum_j (j + 1) / n |z_j| + sum_j rule(z_j)             n entries: the last pay
//   most
//
// Start here: write g, then minimise, and add the new penalty to the list in
// tests/penalties/all_penalties.hpp: the contract says whether the two belong together.
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham::penalties::_template {

class Rising final : public Penalty {
 public:
  Rising(double weight, EntryRule entry) : weight_(weight), entry_(entry) {}

  PenaltyTraits traits() const override {
    const bool has_weight = weight_ > 0.0 || entry_.has_weight();
    return {.is_nonnegative = entry_.is_nonnegative(),
            .is_homogeneous = entry_.ridge == 0.0 && !entry_.is_boxed(),
            .is_bounded = entry_.is_bounded(),
            .has_weight = has_weight,
            .has_free_columns = !has_weight};
  }

  double value(ConstVec z, Curvature h = 1.0) const override {
    double sum = 0.0;
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double own = rule(j, z.size()).value(z[j]);
      sum += own == kInfinity || h[j] > 0.0 ? own : 0.0;  // what was not observed pays nothing
    }
    return sum;
  }

  void minimise(ConstVec b, Curvature h, Vec z) const override {
    require_problem(b, h, z);
    for (std::size_t j = 0; j < z.size(); ++j) z[j] = rule(j, z.size()).minimiser(b[j], h[j]);
  }

  double smallest_zero(ConstVec b, Curvature h) const override {
    double most = 0.0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const double pulled = entry_.pulled(b[j], h[j]);
      const double size = entry_.is_nonnegative() ? std::max(pulled, 0.0) : std::abs(pulled);
      most = std::max(most, size / height(j, b.size()));
    }
    return most;
  }

  std::unique_ptr<Penalty> times(double c) const override {
    return std::make_unique<Rising>(c * weight_, entry_.times(c));
  }

 private:
  static double height(std::size_t j, std::size_t n) {
    return static_cast<double>(j + 1) / static_cast<double>(n);
  }
  // What entry j obeys.
  EntryRule rule(std::size_t j, std::size_t n) const {
    EntryRule own = entry_;
    own.l1 += weight_ * height(j, n);
    return own;
  }

  double weight_;
  EntryRule entry_;
};

inline PenaltyWord word() {
  return {.word = "rising",
          .takes = PenaltyWord::Takes::weight,
          .example = "rising:20%",
          .help = "Sum of magnitudes that rise with the place: the last entries pay most.",
          .make = [](const PenaltyArguments& given,
                     const EntryRule& entry) -> std::unique_ptr<Penalty> {
            return std::make_unique<Rising>(given.weight, entry);
          }};
}

}  // namespace gingham::penalties::_template
