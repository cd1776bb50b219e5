// The race of the restarts of a run (successive halving; Jamieson, Talwalkar: Non-stochastic best
// arm identification and hyperparameter optimization. AISTATS 2016).
//
// Round t = 1, 2, ... ends when every restart in the race has done 5 (2^t - 1) iterations, of all
// components together (5, 15, 35, 75, ...), or has come to an end. Of n restarts in the race then
// the ceil(n / 2) with the lowest objective stay: that of their last iteration, the exact one of
// those that came to an end, which keep their place with it; of equal ones (is_lower) those with
// the lowest number. The others leave. When one is left it runs to its end. A restart that fails is
// not in the race from there on; should all fail that did not leave, those that left begin again,
// the one with the lowest objective first, until one comes to an end.
//
// Of all restarts that came to an end the one with the lowest objective is kept, as without a race.
// One that leaves is concluded as if its component ended there (Method::conclude), and counts for
// stability with the members it has then.
#pragma once
#include <vector>

#include "gingham/engine/registry.hpp"

namespace gingham {

// Whether the restarts of this run race: there are several, the method's may, and --race says so.
bool races(const MethodInfo& info, const Options& options);

// Bytes beyond those of restarts that run one after the other; 0 where they do not race.
double race_bytes(const MethodInfo& info, const Dataset& data, const Options& options);

// Rounds that a run can have, with room: there are fewer than 2^30 restarts.
inline constexpr Index kMostRounds = 40;
// Iterations of a restart by the end of a round, counted from 1 to kMostRounds.
Index iterations_by(Index round);

struct Racer {
  double objective = 0.0;  // infinite or NaN: the last
  Index restart = 0;
};
// Those that stay, best first.
std::vector<Racer> better_half(std::vector<Racer> racers);

}  // namespace gingham
