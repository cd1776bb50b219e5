// How a run, a restart or a component ended.
#pragma once
#include <string_view>

#include "gingham/base/api.hpp"

namespace gingham {

enum class Status {
  converged,          // the largest relative optimality gap is at most the tolerance
  iteration_limit,    // the iterations allowed were used up before that
  time_limit,         // the time allowed was
  cancelled,          // somebody asked to stop
  numerical_failure,  // a number that is not finite turned up
  cycle,              // the iterates repeat: no further iteration will change that
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
