#include "report/sections.hpp"

namespace gingham::report {

StatusWords status_words(Status status) {
  constexpr const char* kBestSoFar =
      "It has not converged: this is the best so far. The same command with --resume goes on from "
      "here.";
  switch (status) {
    case Status::converged:
      return {"good", "Converged",
              "Every part of the model is optimal, to the tolerance asked for, while the others "
              "stay as they are. More iterations would not change it. Other starts may still lead "
              "to another solution."};
    case Status::iteration_limit:
      return {"fair", "Stopped at the iteration limit",
              "It has not converged: the components below may still change. Allow more iterations "
              "(--max-iterations, or epochs where a method counts these) or accept a larger gap "
              "(--tolerance)."};
    case Status::time_limit:
      return {"fair", "Stopped at the time limit", kBestSoFar};
    case Status::cancelled:
      return {"fair", "Stopped on request", kBestSoFar};
    case Status::numerical_failure:
      return {"bad", "Failed",
              "A number that is not finite turned up. Do not use the components below; try the "
              "data on a smaller scale."};
    case Status::cycle:
      return {"fair", "Ends in a cycle",
              "The iterations repeat themselves without settling, and going on would not help. The "
              "components are one point of the cycle; other penalties or another start may "
              "settle."};
  }
  return {"bad", "Unknown", "How the run ended is not known."};
}

}  // namespace gingham::report
