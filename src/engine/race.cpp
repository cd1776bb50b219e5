#include "gingham/engine/race.hpp"

#include <algorithm>
#include <cmath>

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
  for (Racer& one : racers) {
    if (std::isnan(one.objective)) one.objective = HUGE_VAL;
  }
  std::sort(racers.begin(), racers.end(), [](const Racer& a, const Racer& b) {
    return a.objective < b.objective || (a.objective == b.objective && a.restart < b.restart);
  });
  racers.resize((racers.size() + 1) / 2);
  return racers;
}

}  // namespace gingham
