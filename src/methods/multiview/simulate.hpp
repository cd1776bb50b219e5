// Genetic markers and clinical features of the same subjects, after Sun, Lu, Xu and Bi 2015.
#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::multiview {

// By default the study of the paper: 1092 subjects, 1000 markers of which two clusters of subjects
// have ten risk markers each, and ten clinical features that follow the clusters with noise.
// Problem "multiview".
Simulator simulator();

}  // namespace gingham::methods::multiview
