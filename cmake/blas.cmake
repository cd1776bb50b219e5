# gingham_blas: OpenBLAS for whoever links it. A target whose property GINGHAM_OWN_BLAS is on gets the archive and
# brings its own copy; every other target gets the shared library.
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_get_variable(folder openblas libdir)
find_library(GINGHAM_BLAS_ARCHIVE libopenblas.a HINTS "${folder}")
if(GINGHAM_BLAS_ARCHIVE)
  set(found ON)
else()
  set(found OFF)
endif()
option(GINGHAM_STATIC_BLAS "The Python module brings its own OpenBLAS, from libopenblas.a" ${found})
if(GINGHAM_PYTHON AND GINGHAM_STATIC_BLAS AND NOT GINGHAM_BLAS_ARCHIVE)
  message(FATAL_ERROR "GINGHAM_STATIC_BLAS: there is no libopenblas.a in ${folder}; name it as "
                      "GINGHAM_BLAS_ARCHIVE, or link the shared library with -DGINGHAM_STATIC_BLAS=OFF")
endif()

add_library(gingham_blas INTERFACE)
set(own "$<BOOL:$<TARGET_PROPERTY:GINGHAM_OWN_BLAS>>")
target_link_libraries(gingham_blas INTERFACE "$<IF:${own},${GINGHAM_BLAS_ARCHIVE},PkgConfig::OPENBLAS>"
                                             Threads::Threads)
