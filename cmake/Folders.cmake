# Each layer (includes go down only) is two object libraries, host code and kernels, and an interface that links them.
# Object libraries keep the self-registering solver files without a central list.
# FILES_ALONE: see warpbench_join_files.
function(warpbench_folder name)
  cmake_parse_arguments(arg "" "" "GLOBS;EXCLUDE;LINK;FILES_ALONE" ${ARGN})
  set(sources "")
  foreach(glob IN LISTS arg_GLOBS)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${glob})
    list(APPEND sources ${found})
  endforeach()
  foreach(pattern IN LISTS arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  set(kernels ${sources})
  list(FILTER kernels INCLUDE REGEX "\\.cu$")
  list(FILTER sources EXCLUDE REGEX "\\.cu$")

  add_library(warpbench_${name} INTERFACE)
  target_link_libraries(warpbench_${name} INTERFACE warpbench_base ${arg_LINK})
  set(targets "")
  if(sources)
    add_library(warpbench_${name}_host OBJECT ${sources})
    list(APPEND targets warpbench_${name}_host)
    warpbench_reuse_precompiled(warpbench_${name}_host host)
    warpbench_join_files(warpbench_${name}_host "${arg_FILES_ALONE}" ${sources})
  endif()
  if(kernels)
    warpbench_kernel_library(warpbench_${name}_kernels ${kernels})
    list(APPEND targets warpbench_${name}_kernels)
  endif()
  foreach(target IN LISTS targets)
    target_link_libraries(${target} PRIVATE warpbench_base ${arg_LINK})
    target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
    target_link_libraries(warpbench_${name} INTERFACE $<TARGET_OBJECTS:${target}>)
  endforeach()
endfunction()

# warpbench_join_files(target patterns source…): compiles the host files of a folder as one unit, except those that match
# a pattern, because names in their anonymous namespaces are those of a neighbour. Highway's files are excluded, too: they
# compile themselves once for each instruction set, and their macros must precede all headers.
function(warpbench_join_files target patterns)
  if(WARPBENCH_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${source}/..)
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    file(STRINGS ${source} highway REGEX "foreach_target" LIMIT_COUNT 1)
    if(highway)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
    endif()
    foreach(pattern IN LISTS patterns)
      if(source MATCHES "${pattern}")
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endforeach()
  endforeach()
endfunction()

set(other_backend "/device/cuda/")
if(WARPBENCH_BACKEND STREQUAL "cuda")
  set(other_backend "/device/simt/")
endif()
# .gpu.cu files need a GPU (tensor cores, cuBLAS); simt compiles their portable twins, .simt.cpp, instead.
set(gpu_only "\\.gpu\\.cu$")
if(WARPBENCH_BACKEND STREQUAL "cuda")
  set(gpu_only "\\.simt\\.cpp$")
endif()

warpbench_folder(device GLOBS device/*.cpp device/*.cu EXCLUDE ${other_backend})
warpbench_folder(datasets GLOBS datasets/*.cpp
                 FILES_ALONE /datasets/generators/ /datasets/vectors\\.cpp$ /loaders/graphs/triples\\.cpp$ /loaders/graphs/query_files\\.cpp$
                             /loaders/sets/transactions\\.cpp$)
warpbench_folder(problems GLOBS problems/*.cpp)
warpbench_folder(solvers GLOBS solvers/*.cpp solvers/*.cu EXCLUDE ${gpu_only} LINK nlohmann_json::nlohmann_json)
# A method in one file is compiled alone, so that its author need not know the names of his neighbours.
warpbench_folder(algorithms GLOBS algorithms/*.cpp algorithms/*.cu EXCLUDE ${gpu_only} FILES_ALONE /algorithms/[^/]*/[^/]*$)
warpbench_folder(baselines GLOBS baselines/*.cpp FILES_ALONE /baselines/[^/]*/[^/]*$)
warpbench_folder(harness GLOBS harness/*.cpp EXCLUDE /main\\.cpp$ FILES_ALONE /device_ceilings\\.cpp$
                 LINK yaml-cpp nlohmann_json::nlohmann_json CLI11::CLI11 spdlog::spdlog)
if(warpbench_shadowed AND WARPBENCH_SANITIZE STREQUAL "address")
  # simt's own files are not instrumented: the shadow checker reads memory that AddressSanitizer fences off, and runs on
  # the stacks of kernels. They still tell AddressSanitizer which memory belongs to whom, as in a build without the
  # checker.
  file(GLOB_RECURSE runtime CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/device/simt/*.cpp)
  set_source_files_properties(${runtime} PROPERTIES
    COMPILE_OPTIONS -fno-sanitize=all COMPILE_DEFINITIONS __SANITIZE_ADDRESS__=1 SKIP_PRECOMPILE_HEADERS ON)
endif()

# Linked by tests and the program: the layers below the harness, and everything.
add_library(warpbench_floors INTERFACE)
target_link_libraries(warpbench_floors INTERFACE warpbench_device warpbench_datasets warpbench_problems warpbench_solvers
                                                 warpbench_algorithms warpbench_baselines)
add_library(warpbench_all INTERFACE)
target_link_libraries(warpbench_all INTERFACE warpbench_floors warpbench_harness)

file(GLOB_RECURSE main CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/harness/main.cpp)
add_executable(warpbench ${main})
target_link_libraries(warpbench PRIVATE warpbench_all)
target_include_directories(warpbench PRIVATE ${PROJECT_BINARY_DIR}/generated)
# Exported symbols give simt's error messages their kernel names; the program goes where the README says.
set_target_properties(warpbench PROPERTIES ENABLE_EXPORTS ON RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
