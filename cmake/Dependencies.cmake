# Required libraries are Debian packages (scripts/setup.sh installs them). Optional ones serve single solvers or
# commands: the build goes on without them, says what it loses, and `warpbench list` and `doctor` repeat it.
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(ZLIB REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(benchmark REQUIRED)
# .prefix: libraries carried along by hand to a machine without a registry.
set(by_hand ${PROJECT_SOURCE_DIR}/.prefix)
find_path(XXHASH_INCLUDE_DIR xxhash.h HINTS ${by_hand}/include REQUIRED)
find_path(HWY_INCLUDE_DIR hwy/highway.h HINTS ${by_hand}/include ENV CPLUS_INCLUDE_PATH REQUIRED)
find_library(HWY_LIBRARY hwy HINTS ${by_hand}/lib ENV LIBRARY_PATH REQUIRED)

add_library(warpbench_base INTERFACE)
target_link_libraries(warpbench_base INTERFACE warpbench_flags Threads::Threads OpenMP::OpenMP_CXX ZLIB::ZLIB fmt::fmt ${HWY_LIBRARY} ${CMAKE_DL_LIBS})
target_include_directories(warpbench_base SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR} ${HWY_INCLUDE_DIR})
if(WARPBENCH_BACKEND STREQUAL "simt")
  find_package(Boost REQUIRED COMPONENTS context)
  target_link_libraries(warpbench_base INTERFACE Boost::context)
else()
  target_link_libraries(warpbench_base INTERFACE CUDA::cudart CUDA::cublas)
endif()

set(warpbench_missing "")
# warpbench_optional(NAME package TARGETS t… LOSES text): defines WARPBENCH_HAS_NAME where the library is there.
function(warpbench_optional name)
  cmake_parse_arguments(arg "" "DEBIAN;LOSES" "TARGETS" ${ARGN})
  set(found TRUE)
  foreach(target IN LISTS arg_TARGETS)
    if(NOT TARGET ${target})
      set(found FALSE)
    endif()
  endforeach()
  if(found)
    target_link_libraries(warpbench_base INTERFACE ${arg_TARGETS})
    target_compile_definitions(warpbench_base INTERFACE WARPBENCH_HAS_${name}=1)
  else()
    message(STATUS "without ${name} (Debian: ${arg_DEBIAN}): no ${arg_LOSES}")
    set(warpbench_missing "${warpbench_missing}${name}|${arg_DEBIAN}|${arg_LOSES};" PARENT_SCOPE)
  endif()
endfunction()

find_package(OpenSSL QUIET COMPONENTS Crypto)
find_package(CURL QUIET)
warpbench_optional(OPENSSL DEBIAN libssl-dev TARGETS OpenSSL::Crypto LOSES "SHA-256 checks of dataset files")
warpbench_optional(CURL DEBIAN libcurl4-openssl-dev TARGETS CURL::libcurl LOSES "`datasets fetch`")

# warpbench_optional_of(NAME SOURCES s… INCLUDES d… [LIBRARIES l…] DEBIAN package LOSES text): the same for a library
# whose headers a few sources alone see, so that it is no usage requirement of all. It is there where each include
# folder and each library was found.
function(warpbench_optional_of name)
  cmake_parse_arguments(arg "" "DEBIAN;LOSES" "SOURCES;INCLUDES;LIBRARIES" ${ARGN})
  set(include_options "")
  foreach(found IN LISTS arg_INCLUDES arg_LIBRARIES)
    if(NOT found)
      message(STATUS "without ${name} (Debian: ${arg_DEBIAN}): no ${arg_LOSES}")
      set(warpbench_missing "${warpbench_missing}${name}|${arg_DEBIAN}|${arg_LOSES};" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  list(REMOVE_ITEM arg_INCLUDES ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})  # as -isystem they break #include_next
  foreach(folder IN LISTS arg_INCLUDES)
    list(APPEND include_options "-isystem" "${folder}")
  endforeach()
  target_link_libraries(warpbench_base INTERFACE ${arg_LIBRARIES})
  list(TRANSFORM arg_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/)
  set_source_files_properties(${arg_SOURCES} PROPERTIES
    COMPILE_DEFINITIONS WARPBENCH_HAS_${name}=1 COMPILE_OPTIONS "${include_options}")
endfunction()

find_path(HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
warpbench_optional_of(HDF5 SOURCES datasets/loaders/vectors/hdf5_vectors.cpp
                      INCLUDES ${HDF5_INCLUDE_DIR} LIBRARIES ${HDF5_LIBRARY}
                      DEBIAN libhdf5-dev LOSES "file format `hdf5`")
find_path(DYNAMIC_BITSET_INCLUDE_DIR boost/dynamic_bitset.hpp HINTS ${by_hand}/include)
warpbench_optional_of(DYNAMIC_BITSET SOURCES baselines/sets/bitset.cpp INCLUDES ${DYNAMIC_BITSET_INCLUDE_DIR}
                      DEBIAN libboost-dev LOSES "solver `bitset` of set_intersection")
find_path(BOOST_GRAPH_INCLUDE_DIR boost/graph/vf2_sub_graph_iso.hpp HINTS ${by_hand}/include)
warpbench_optional_of(BOOST_GRAPH SOURCES baselines/subgraph_matching/vf2.cpp INCLUDES ${BOOST_GRAPH_INCLUDE_DIR}
                      DEBIAN libboost-dev LOSES "solver `vf2` of subgraph_matching")
find_path(ROARING_INCLUDE_DIR roaring/roaring.h HINTS ${by_hand}/include)
find_library(ROARING_LIBRARY roaring HINTS ${by_hand}/lib)
warpbench_optional_of(ROARING SOURCES baselines/sets/roaring.cpp
                      INCLUDES ${ROARING_INCLUDE_DIR} LIBRARIES ${ROARING_LIBRARY}
                      DEBIAN libroaring-dev LOSES "solver `roaring` of set_intersection")
find_path(EIGEN_INCLUDE_DIR Eigen/Core HINTS ${by_hand}/include PATH_SUFFIXES eigen3)
warpbench_optional_of(EIGEN SOURCES baselines/sets/mmjoin.cpp algorithms/sets/mm/matrix_product.simt.cpp
                      INCLUDES ${EIGEN_INCLUDE_DIR}
                      DEBIAN libeigen3-dev LOSES "solver `mmjoin` of set_containment, and `mm` without a GPU")

# hnswlib is headers only.
find_path(HNSWLIB_INCLUDE_DIR hnswlib/hnswlib.h HINTS ${by_hand}/include)
if(HNSWLIB_INCLUDE_DIR)
  add_library(hnswlib_headers INTERFACE)
  target_include_directories(hnswlib_headers SYSTEM INTERFACE ${HNSWLIB_INCLUDE_DIR})
endif()
warpbench_optional(HNSWLIB DEBIAN libhnswlib-dev TARGETS hnswlib_headers LOSES "solver `hnsw` of nearest_neighbors")
