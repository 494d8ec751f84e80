# Warnings are errors. nvcc hands its host warnings on through -Xcompiler.
set(warpbench_warnings -Wall -Wextra -Wshadow -Wconversion -Wno-error=maybe-uninitialized -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # gcc 13 takes any reference returned by a function of a temporary string for dangling.
  list(APPEND warpbench_warnings -Wno-dangling-reference)
endif()
add_library(warpbench_flags INTERFACE)
target_compile_options(
  warpbench_flags
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${warpbench_warnings};-Wpedantic>
            "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow;-Werror=all-warnings;--extended-lambda;--expt-relaxed-constexpr;-lineinfo>")
target_include_directories(warpbench_flags INTERFACE ${PROJECT_SOURCE_DIR})
