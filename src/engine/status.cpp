#include "gingham/engine/status.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "gingham/base/error.hpp"
#include "gingham/base/text.hpp"

namespace gingham {
namespace {

constexpr std::array<std::string_view, 8> kNames{"converged",  "finished",  "iteration_limit",
                                                 "time_limit", "cancelled", "numerical_failure",
                                                 "cycle",      "left_race"};
// From reassuring to not.
constexpr std::array<Status, 8> kOrder{
    Status::converged, Status::finished,   Status::cycle,     Status::iteration_limit,
    Status::left_race, Status::time_limit, Status::cancelled, Status::numerical_failure};

}  // namespace

bool is_status(Status status) {
  return std::find(kOrder.begin(), kOrder.end(), status) != kOrder.end();
}

std::string_view status_name(Status status) { return kNames[static_cast<std::size_t>(status)]; }

Status status_from_name(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    throw Error(ErrorCode::input, "", "unknown status '" + printable(name, 60) + "'");
  }
  return static_cast<Status>(found - kNames.begin());
}

Status worse(Status a, Status b) {
  const auto rank = [](Status s) { return std::find(kOrder.begin(), kOrder.end(), s); };
  return rank(a) < rank(b) ? b : a;
}

bool is_unfinished(Status status) {
  return status == Status::cancelled || status == Status::time_limit;
}

}  // namespace gingham
