# Layers as targets. The headers of layer L lie in src/L and are included as "gingham/L/name.hpp", in the
# build tree as after installation. Each layer has an include folder of its own that holds nothing but a
# link to its sources, so a layer cannot include what it does not name under USES.

function(gingham_include_folder layer out)
  set(folder "${PROJECT_BINARY_DIR}/include/${layer}")
  file(MAKE_DIRECTORY "${folder}/gingham")
  if(NOT EXISTS "${folder}/gingham/${layer}")
    file(CREATE_LINK "${PROJECT_SOURCE_DIR}/src/${layer}" "${folder}/gingham/${layer}" SYMBOLIC)
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# gingham_layer(name USES target...): every .cpp in src/name becomes part of the target gingham_name.
function(gingham_layer layer)
  cmake_parse_arguments(ARG "" "" "USES;SOURCES" ${ARGN})
  if(ARG_SOURCES)
    set(sources "")
  else()
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp")
  endif()
  gingham_include_folder(${layer} folder)
  set(target gingham_${layer})
  if(sources OR ARG_SOURCES)
    add_library(${target} STATIC ${sources} ${ARG_SOURCES})
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${folder}>")
    target_link_libraries(${target} PRIVATE gingham_flags)
    target_link_libraries(${target} PUBLIC ${ARG_USES})
    gingham_precompile(${target} libraries)
    set_property(GLOBAL APPEND PROPERTY GINGHAM_OBJECTS "$<TARGET_OBJECTS:${target}>")
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${folder}>")
    target_link_libraries(${target} INTERFACE ${ARG_USES})
  endif()
  set_property(GLOBAL APPEND PROPERTY GINGHAM_LAYERS ${layer})
endfunction()

# gingham_method_sources(out): the sources of all methods, one folder each, and the generated list that calls each
# folder's info(). A folder without info.cpp holds what several methods share; one whose name starts with an underscore
# is not built.
function(gingham_method_sources out)
  file(GLOB infos CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/methods/*/info.cpp")
  foreach(extra IN LISTS GINGHAM_EXTRA_METHODS)
    list(APPEND infos "${extra}/info.cpp")
  endforeach()
  set(names "")
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/methods/*.cpp")
  file(GLOB shared CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/methods/*/*.cpp")
  foreach(source IN LISTS shared)
    get_filename_component(folder "${source}" DIRECTORY)
    if(NOT EXISTS "${folder}/info.cpp")
      list(APPEND sources ${source})
    endif()
  endforeach()
  foreach(info IN LISTS infos)
    get_filename_component(folder "${info}" DIRECTORY)
    get_filename_component(name "${folder}" NAME)
    if(NOT name MATCHES "^_")
      list(APPEND names ${name})
      file(GLOB own CONFIGURE_DEPENDS "${folder}/*.cpp")
      list(APPEND sources ${own})
    endif()
  endforeach()
  list(SORT names)
  set(DECLARATIONS "")
  set(CALLS "")
  foreach(name IN LISTS names)
    string(APPEND DECLARATIONS "namespace methods::${name} {\nMethodInfo info();\n}\n")
    string(APPEND CALLS "      methods::${name}::info(),\n")
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/method_list.cpp.in" "${PROJECT_BINARY_DIR}/method_list.cpp" @ONLY)
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# gingham_penalty_list(): writes the list of the words that name penalties: each header in src/penalties/members defines
# penalties::<its name>::word(), one whose name starts with an underscore is left out. GINGHAM_EXTRA_PENALTIES: further
# headers.
function(gingham_penalty_list)
  file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/penalties/members/*.hpp")
  set(INCLUDES "")
  set(CALLS "")
  foreach(header IN LISTS headers GINGHAM_EXTRA_PENALTIES)
    get_filename_component(name "${header}" NAME_WE)
    if(NOT name MATCHES "^_")
      string(REPLACE "${PROJECT_SOURCE_DIR}/src/" "gingham/" header "${header}")
      string(APPEND INCLUDES "#include \"${header}\"\n")
      string(APPEND CALLS "      penalties::${name}::word(),\n")
    endif()
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/penalty_list.cpp.in" "${PROJECT_BINARY_DIR}/penalty_list.cpp" @ONLY)
endfunction()

# gingham_penalties(USES ...): the layer of penalties.
function(gingham_penalties)
  cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
  gingham_penalty_list()
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/penalties/*.cpp"
       "${PROJECT_SOURCE_DIR}/src/penalties/members/*.cpp")
  gingham_layer(penalties USES ${ARG_USES} SOURCES ${sources} "${PROJECT_BINARY_DIR}/penalty_list.cpp")
endfunction()

# gingham_methods(USES ...): the layer of methods.
function(gingham_methods)
  cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
  gingham_method_sources(sources)
  gingham_layer(methods USES ${ARG_USES} SOURCES ${sources} "${PROJECT_BINARY_DIR}/method_list.cpp")
endfunction()

# The product: one library of all layers, its headers, and what find_package and pkg-config need.
function(gingham_library)
  get_property(objects GLOBAL PROPERTY GINGHAM_OBJECTS)
  get_property(layers GLOBAL PROPERTY GINGHAM_LAYERS)
  gingham_include_folder(. unused)
  if(GINGHAM_SHARED)
    add_library(gingham SHARED ${objects})
    set_target_properties(gingham PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  else()
    add_library(gingham STATIC ${objects})
  endif()
  set_target_properties(gingham PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME Gingham
                                           ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
                                           LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  target_compile_features(gingham PUBLIC cxx_std_20)
  target_include_directories(gingham PUBLIC "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(gingham PRIVATE fmt::fmt PkgConfig::XXHASH Threads::Threads PkgConfig::OPENBLAS
                                        ZLIB::ZLIB PkgConfig::LIBZIP)
  include(CMakePackageConfigHelpers)
  install(TARGETS gingham EXPORT GinghamTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT GinghamTargets NAMESPACE Gingham:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Gingham)
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/GinghamConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/GinghamConfig.cmake" INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Gingham)
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/GinghamConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
  # A static library needs its dependencies at every link, a shared one brings them along.
  set(PKGCONFIG_REQUIRES "Requires")
  if(GINGHAM_SHARED)
    set(PKGCONFIG_REQUIRES "Requires.private")
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/gingham.pc.in" "${PROJECT_BINARY_DIR}/gingham.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/GinghamConfig.cmake" "${PROJECT_BINARY_DIR}/GinghamConfigVersion.cmake"
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Gingham)
  install(FILES "${PROJECT_BINARY_DIR}/gingham.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  install(FILES "${PROJECT_SOURCE_DIR}/src/gingham.hpp" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gingham)
  foreach(layer IN LISTS layers)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/${layer}" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gingham
            FILES_MATCHING PATTERN "*.hpp" PATTERN "_*" EXCLUDE)
  endforeach()
endfunction()
