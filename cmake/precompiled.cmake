# Headers that are parsed once instead of in every file: the standard library's and fmt's, and GoogleTest's for tests.
# None of our own, so that layers stay apart and a changed header rebuilds no more than what includes it. Every file
# still includes what it uses: the build with GINGHAM_PRECOMPILE=OFF must pass. A compiler cache works better without.
set(GINGHAM_PRECOMPILE_DEFAULT ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(GINGHAM_PRECOMPILE_DEFAULT OFF)
endif()
option(GINGHAM_PRECOMPILE "Parse the standard headers once" ${GINGHAM_PRECOMPILE_DEFAULT})

# gingham_precompiled(kind USES target... HEADERS header...): the headers for all targets of a kind, which are compiled
# with the same flags. They belong to a target of their own, because CMake counts them among the objects of the one
# that makes them.
function(gingham_precompiled kind)
  cmake_parse_arguments(ARG "" "" "USES;HEADERS" ${ARGN})
  if(NOT GINGHAM_PRECOMPILE)
    return()
  endif()
  set(target gingham_precompiled_${kind})
  set(source "${PROJECT_BINARY_DIR}/precompiled.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "int main() {}\n")
  if(kind STREQUAL "libraries")
    add_library(${target} OBJECT EXCLUDE_FROM_ALL "${source}")
  else()
    add_executable(${target} EXCLUDE_FROM_ALL "${source}")
  endif()
  target_link_libraries(${target} PRIVATE gingham_flags fmt::fmt ${ARG_USES})
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <cstring> <filesystem> <functional>
    <limits> <map> <memory> <numeric> <optional> <set> <span> <string> <string_view> <utility> <variant> <vector>
    <fmt/format.h> ${ARG_HEADERS})
endfunction()

# gingham_precompile(target kind): the target takes over what was made for its kind. GCC forgets what a precompiled
# header told it to be silent about: three warnings about sizes that <string> knows to be wrong inside
# itself. They are errors in the build without, as everywhere.
function(gingham_precompile target kind)
  if(NOT GINGHAM_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM gingham_precompiled_${kind})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()
