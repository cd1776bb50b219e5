// An organisation's e-mail, with names.
#pragma once
#include "gingham/engine/registry.hpp"

namespace gingham::methods::tensor {

// Sender x receiver x month, sparse: departments whose people write to each other while a project
// lasts, in front of everybody's everyday mail. People, departments and months have names. Problem
// "organisation".
Simulator organisation_simulator();

}  // namespace gingham::methods::tensor
