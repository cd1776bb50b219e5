#include "gingham/tools/status_words.hpp"

namespace gingham {

StatusWords status_words(Status status) {
  constexpr const char* kBestSoFar =
      "It has not converged: this is the best so far. The same command with --resume goes on from "
      "here.";
  switch (status) {
    case Status::converged:
      return {Tone::good, "converged", "Converged",
              "Every part of the model is optimal, to the tolerance asked for, while the others "
              "stay as they are. More iterations would not change it. Other starts may still lead "
              "to another solution."};
    case Status::finished:
      return {Tone::good, "all that was asked is done", "All that was asked is done",
              "All epochs or starts that were asked for were run. More of them may improve the "
              "result a little; the gaps say how far each part is from its own optimum."};
    case Status::iteration_limit:
      return {Tone::fair, "stopped at the iteration limit, not converged",
              "Stopped at the iteration limit",
              "It has not converged: the components below may still change. Allow more iterations "
              "(--max-iterations) or accept a larger gap (--tolerance)."};
    case Status::time_limit:
      return {Tone::fair, "stopped at the time limit, not converged", "Stopped at the time limit",
              kBestSoFar};
    case Status::cancelled:
      return {Tone::fair, "stopped on request, not converged", "Stopped on request", kBestSoFar};
    case Status::numerical_failure:
      return {Tone::bad, "failed: a number is not finite, or the objective rose", "Failed",
              "A number that is not finite turned up, or the objective rose where it cannot. Do "
              "not use the components below; try the "
              "data on a smaller scale."};
    case Status::cycle:
      return {Tone::fair, "the iterates cycle, not converged", "Ends in a cycle",
              "The iterations repeat themselves without settling, and going on would not help. The "
              "components are one point of the cycle; other penalties or another start may "
              "settle."};
    case Status::left_race:
      return {Tone::fair, "given up: other restarts were ahead", "Left the race",
              "Other restarts had a lower objective after as many iterations; it was not worth "
              "going on with this one (--race no runs each to its end)."};
  }
  return {Tone::bad, "ended in an unknown way", "Unknown", "How the run ended is not known."};
}

}  // namespace gingham
