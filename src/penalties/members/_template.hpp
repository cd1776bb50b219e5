// A penalty to copy: the file's name becomes its namespace, and `word` below what users type.
//
//   g(z) = weight / 2 ( sum_j z_j )^2                 entries above and below 0 balance each other
//
// The minimiser solves (diag(h) + weight 1 1') z = b: z_j = (b_j - weight s) / h_j over the
// observed items, with s = sum z = (sum b_j / h_j) / (1 + weight sum 1 / h_j).
//
// Start here: write g, then minimise, and add the new penalty to the list in
// tests/penalties/all_penalties.hpp: the contract says whether the two belong together.
#pragma once
#include "gingham/penalties/word.hpp"

namespace gingham::penalties::_template {

class Balanced final : public Penalty {
 public:
  explicit Balanced(double weight) : weight_(weight) {}

  PenaltyTraits traits() const override { return {}; }

  double value(ConstVec z, Curvature h = 1.0) const override {
    double sum = 0.0;
    for (std::size_t j = 0; j < z.size(); ++j) sum += h[j] > 0.0 ? z[j] : 0.0;
    return 0.5 * weight_ * sum * sum;
  }

  void minimise(ConstVec b, Curvature h, Vec z) const override {
    require_problem(b, h, z);
    double sum = 0.0, room = 0.0;
    for (std::size_t j = 0; j < z.size(); ++j) {
      if (!(h[j] > 0.0)) continue;
      sum += b[j] / h[j];
      room += 1.0 / h[j];
    }
    const double pull = weight_ * (sum / (1.0 + weight_ * room));
    for (std::size_t j = 0; j < z.size(); ++j) z[j] = h[j] > 0.0 ? (b[j] - pull) / h[j] : 0.0;
  }

  double smallest_zero(ConstVec b, Curvature h) const override { return h.largest(b.size()); }

  std::unique_ptr<Penalty> times(double c) const override {
    return std::make_unique<Balanced>(c * weight_);
  }

 private:
  double weight_;
};

inline PenaltyWord word() {
  return {.word = "balanced",
          .takes = PenaltyWord::Takes::weight,
          .example = "balanced:20%",
          .help = "Half the squared sum: entries above and below 0 balance each other.",
          .make = [](const PenaltyArguments& given,
                     const EntryRule& entry) -> std::unique_ptr<Penalty> {
            if (!entry.is_free()) refuse_sum("balanced", "others", "use it alone");
            return std::make_unique<Balanced>(given.weight);
          }};
}

}  // namespace gingham::penalties::_template
