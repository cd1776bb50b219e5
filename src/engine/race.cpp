#include "gingham/engine/race.hpp"

#include <algorithm>
#include <limits>

#include "gingham/engine/result.hpp"

namespace gingham {
namespace {

constexpr Index kFirstRound = 5;  // iterations

}  // namespace

bool races(const MethodInfo& info, const Options& options) {
  return info.race.bytes && options.integer("restarts") > 1 && options.text("race") == "yes" &&
         (!info.race.takes || info.race.takes(options));
}

// One of them is counted with the method.
double race_bytes(const MethodInfo& info, const Dataset& data, const Options& options) {
  if (!races(info, options)) return 0.0;
  return static_cast<double>(options.integer("restarts") - 1) * info.race.bytes(data, options);
}

Index iterations_by(Index round) { return kFirstRound * ((Index{1} << round) - 1); }

std::vector<Racer> better_half(std::vector<Racer> racers) {
  constexpr double kLast = std::numeric_limits<double>::max();
  for (Racer& one : racers) {
    if (!(one.objective < kLast)) one.objective = kLast;
  }
  const auto is_earlier = [](const Racer& a, const Racer& b) { return a.restart < b.restart; };
  std::sort(racers.begin(), racers.end(),
            [](const Racer& a, const Racer& b) { return a.objective < b.objective; });
  // Those that the lowest of them is not lower than tie with it.
  for (auto tied = racers.begin(); tied != racers.end();) {
    const auto end = std::find_if(tied, racers.end(), [&](const Racer& one) {
      return is_lower(tied->objective, one.objective);
    });
    std::sort(tied, end, is_earlier);
    tied = end;
  }
  racers.resize((racers.size() + 1) / 2);
  return racers;
}

}  // namespace gingham
