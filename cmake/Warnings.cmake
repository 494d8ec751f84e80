# Warnings are errors. nvcc hands its host warnings on through -Xcompiler.
set(warpbench_warnings -Wall -Wextra -Wshadow -Wconversion -Wno-error=maybe-uninitialized -Werror)
add_library(warpbench_flags INTERFACE)
target_compile_options(
  warpbench_flags
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${warpbench_warnings};-Wpedantic>
            "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow;-Werror=all-warnings;--extended-lambda;--expt-relaxed-constexpr;-lineinfo>")
target_include_directories(warpbench_flags INTERFACE ${PROJECT_SOURCE_DIR})
