// Two stories over time with a known answer: a small developing brain, and groups that come and go.
#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::evolving {

// Voxels x genes at several ages. Genes are the same at all ages, voxels are not: each age has its
// own, and more of them than the age before. Every voxel belongs to a region; each region has a
// programme of genes that it keeps through all ages. Problem "evolving".
Simulator simulator();

// The same rows and columns at all times, noise, and planted blocks of which some stay, some gain
// rows, some appear and some vanish. Problem "evolving-groups".
Simulator group_simulator();

}  // namespace gingham::methods::evolving
