// What the simulated brain calls its ages, voxels and genes.
#pragma once
#include "gingham/data/dataset.hpp"

namespace gingham::methods::evolving {

// "E11" (embryonic day), ..., "P28" (day after birth) for up to seven ages, otherwise "age_001":
// in alphabetical order they are in order of time.
std::string age_name(Index age, Index n_ages);
// "voxel 12 (cortex)".
Labels voxel_names(const std::vector<Index>& regions);
// Made-up symbols, "Bor1", all different.
Labels gene_names(Index n_genes);

}  // namespace gingham::methods::evolving
