#pragma once
#include "gingham/base/api.hpp"

namespace gingham {

// Gives what was freed in small pieces back to the system, where that can be asked for.
GINGHAM_API void release_free_memory();

}  // namespace gingham
