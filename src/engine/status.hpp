// How a run, a restart or a component ended.
#pragma once
#include <string_view>

#include "gingham/base/api.hpp"

namespace gingham {

enum class Status {
  converged,          // the largest relative optimality gap is at most the tolerance
  finished,           // all that was asked is done (epochs), though a gap above it is left
  iteration_limit,    // the iterations allowed were used up before that, or none changes anything
  time_limit,         // the time allowed was
  cancelled,          // somebody asked to stop
  numerical_failure,  // a number that is not finite turned up, or an objective rose that cannot
  cycle,              // the iterates repeat with a period above one: none will change that
  left_race,          // of a restart: others were better after as many iterations (race.hpp)
};

// One of the above, and not a number that a damaged file holds.
bool is_status(Status status);
GINGHAM_API std::string_view status_name(Status status);  // requires is_status
// Throws Error{input} for a name that is none.
Status status_from_name(std::string_view name);
// Stopped from outside: more time would have changed the result.
bool is_unfinished(Status status);
// The status of a whole whose parts ended so: the less reassuring of the two.
Status worse(Status a, Status b);

}  // namespace gingham
