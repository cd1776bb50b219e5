#include "gingham/metrics/confusion.hpp"

#include <limits>

namespace gingham {
namespace {

double rate(Index part, Index rest) {
  if (part + rest == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(part) / static_cast<double>(part + rest);
}

}  // namespace

double Confusion::sensitivity() const { return rate(true_positives, false_negatives); }
double Confusion::specificity() const { return rate(true_negatives, false_positives); }
double Confusion::balanced_accuracy() const { return 0.5 * (sensitivity() + specificity()); }

Confusion confusion(std::span<const Index> found, std::span<const Index> truth, Index positive) {
  if (found.size() != truth.size()) {
    throw Error(ErrorCode::usage, "",
                std::to_string(found.size()) + " labels compared with " +
                    std::to_string(truth.size()) + ": they must be as many");
  }
  Confusion result;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool said = found[i] == positive, is = truth[i] == positive;
    ++(said ? (is ? result.true_positives : result.false_positives)
            : (is ? result.false_negatives : result.true_negatives));
  }
  return result;
}

}  // namespace gingham
