// What the simulated study calls its subjects, markers and clinical features.
#pragma once
#include "gingham/data/dataset.hpp"

namespace gingham::methods::multiview {

Labels subject_names(Index n);  // "S001"
Labels marker_names(Index n);   // "rs10007", as many digits for all
Labels feature_names(Index n);  // "joint pain", ..., then "sign 23"

}  // namespace gingham::methods::multiview
