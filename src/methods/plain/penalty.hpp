// For recomputations: g(z) of one column as --penalty MODE=WORDS asks for it, word by word from the
// formula, with the numbers of the fit.
//
//   nonneg    0 if z >= 0                      fused     w sum_j |z_j+1 - z_j|
//   l1        w sum_j |z_j|                    smooth    w sum_j (z_j+1 - z_j)^2
//   ridge     w / 2 sum_j z_j^2                group     w sum_s (sum over s of z_j^2)^(1/2)
//   box       w sum_j z_j if 0 <= z <= 1       groupmax  w sum_s max over s of |z_j|
//   top       0 if at most w entries are not 0
//   ball      0 if sum_j z_j^2 <= 1
//   simplex   0 if z >= 0 and sum_j z_j = 1
//   unimodal  0 if z rises up to some item and falls from there
//   free      0
//
// and +infinity otherwise. Items without an observed cell pay no l1, ridge and box, and are 0 in a
// simplex, whose sum does not count them.
#pragma once
#include <optional>

#include "gingham/engine/mode_penalties.hpp"
#include "gingham/methods/plain/sums.hpp"

namespace gingham::methods::plain {

class AskedPenalty {
 public:
  AskedPenalty() = default;
  // Error{input} where numbers are missing from the result.
  AskedPenalty(const Options& options, const Model& model, const std::string& mode, Index n_items);

  bool is_asked() const { return !words_.empty(); }
  // `observed`: per item 0 where no cell was observed. Nothing where nothing was asked, or where a
  // word is not in the list above.
  std::optional<Real> value(const Reals& z, const std::vector<double>& observed) const;

 private:
  struct Word {
    std::string name;
    Real number = 0;
  };
  std::vector<Word> words_;
  std::shared_ptr<const Groups> groups_;
};

}  // namespace gingham::methods::plain
