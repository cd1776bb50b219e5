// E-mails between people over months, of any size.
#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::tensor {

// Sender x receiver x month, sparse: a background of a few busy and many quiet people, and cliques
// who write to each other during some months. Time and memory go with the number of entries.
// Problem "emails".
Simulator email_simulator();

}  // namespace gingham::methods::tensor
