# nvcc takes host warnings through -Xcompiler.
set(warpbench_warnings -Wall -Wextra -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # gcc 13 takes every reference that a function returns for a temporary string as dangling.
  list(APPEND warpbench_warnings -Wno-dangling-reference)
endif()
if(WARPBENCH_PCH)
  # gcc 12 warns about its own std::string if that comes from a precompiled header.
  list(APPEND warpbench_warnings -Winvalid-pch -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
endif()
set(warpbench_cuda_warnings -Xcompiler=-Wall,-Wextra,-Wshadow)
if(WARPBENCH_WERROR)
  list(APPEND warpbench_warnings -Werror -Wno-error=maybe-uninitialized)
  list(APPEND warpbench_cuda_warnings -Werror=all-warnings)
endif()
add_library(warpbench_flags INTERFACE)
target_compile_options(
  warpbench_flags
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${warpbench_warnings};-Wpedantic>
            "$<$<COMPILE_LANGUAGE:CUDA>:${warpbench_cuda_warnings};--extended-lambda;--expt-relaxed-constexpr;-lineinfo>")
target_include_directories(warpbench_flags INTERFACE ${PROJECT_SOURCE_DIR})
