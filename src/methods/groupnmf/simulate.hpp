// Data with groups of columns or rows, each of which uses some of the components, after Kim,
// Monteiro and Park 2012.
#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::groupnmf {

// Pictures added up with noise; the columns of group i do not use picture i. By default the study
// of the paper: 1024 pixels, five pictures, five groups of 30 columns. Problem "groupnmf".
Simulator picture_simulator();

// Terms x documents about one topic each; the topic of some documents is told, as their group.
// Problem "groupnmf-documents".
Simulator document_simulator();

// Terms of several languages x documents; a topic is absent from some languages, and a document
// is seen in some only. The languages are groups of rows. Problem "groupnmf-languages".
Simulator language_simulator();

}  // namespace gingham::methods::groupnmf
