#include "gingham/engine/options.hpp"

namespace gingham {

std::vector<OptionRecord> common_options() {
  const double largest = 9.0e15;  // whole numbers up to here are exact as real numbers
  return {
      integer_option("seed", "0", 0, largest,
                     "Start of all random streams; the same seed gives the same result."),
      {.name = "precision",
       .type = OptionType::choice,
       .initial = "double",
       .words = {"double"},
       .help = "Arithmetic the method works in."},
      real_option("tolerance", "1e-6", 0, 1,
                  "Converged means: the largest relative optimality gap is at most this."),
      {.name = "max-iterations",
       .type = OptionType::integer,
       .initial = "500",
       .min = 1,
       .max = largest,
       .help = "Iterations allowed per component.",
       .may_differ_on_resume = true},
      integer_option(
          "restarts", "1", 1, 1e6,
          "Runs from different random starts; the one with the lowest objective is kept."),
      choice_option("race", "yes", {"yes", "no"},
                    "Restarts that are behind after a few iterations are given up, in the methods "
                    "whose restarts race; no: each runs to its end."),
      {.name = "threads",
       .type = OptionType::integer,
       .initial = "0",
       .min = 0,
       .max = 4096,
       .help = "Threads to use, 0 for all; the result does not depend on it.",
       .may_differ_on_resume = true},
      {.name = "time-limit",
       .type = OptionType::real,
       .min = 0,
       .max = 1e12,
       .help = "Seconds after which the run stops with what it has.",
       .may_differ_on_resume = true},
  };
}

}  // namespace gingham
