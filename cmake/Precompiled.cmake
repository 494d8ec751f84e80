# Lets a build from scratch parse the standard library once for each set of compile options instead of once per file.
# Every file still includes what it needs: builds without WARPBENCH_PCH prove it.
set(warpbench_precompiled_headers
    <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <cstdint> <cstring> <exception> <filesystem> <fstream>
    <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <ranges> <set> <span> <sstream> <stdexcept> <string>
    <string_view> <system_error> <thread> <tuple> <type_traits> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)

if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  # Without optimisation gcc 12 refuses the prefetches of Eigen behind a precompiled header.
  set(WARPBENCH_PCH OFF)
endif()

# warpbench_precompile(set header…): precompiles the headers above and the given ones with the options of target
# precompiled_<set>.
function(warpbench_precompile set)
  if(NOT WARPBENCH_PCH)
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/precompiled.cpp CONTENT "")
  add_library(precompiled_${set} OBJECT ${PROJECT_BINARY_DIR}/generated/precompiled.cpp)
  target_link_libraries(precompiled_${set} PRIVATE warpbench_base)
  target_precompile_headers(precompiled_${set} PRIVATE ${warpbench_precompiled_headers} ${ARGN})
endfunction()

function(warpbench_reuse_precompiled target set)
  if(TARGET precompiled_${set})
    # With a <target>_EXPORTS of its own the compiler would refuse the shared file.
    set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "")
    target_precompile_headers(${target} REUSE_FROM precompiled_${set})
  endif()
endfunction()

if(WARPBENCH_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc collects its garbage less often: faster, for 300 MB more.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=300000>)
endif()

warpbench_precompile(host)
if(WARPBENCH_PCH AND WARPBENCH_BACKEND STREQUAL "simt")
  warpbench_precompile(kernels)
  target_compile_options(precompiled_kernels PRIVATE ${warpbench_kernel_options})
endif()
