#include "gingham/base/free_memory.hpp"

#include <malloc.h>

namespace gingham {

void release_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace gingham
