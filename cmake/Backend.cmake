# The backend selects the compiler of the kernels (*.cu): nvcc for a GPU, or the host compiler for simt, where kernels
# run on the CPU.
# With WARPBENCH_SHADOW simt's kernels are compiled with the *instrumentation* of -fsanitize=thread but linked with
# device/simt/checker/ instead of libtsan, so that our own checker sees every memory access of a kernel (races in shared
# memory, out of bounds, uninitialised reads).
if(WARPBENCH_BACKEND STREQUAL "cuda")
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES native)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    # CMake 3.25 (Debian 12) does not know nvcc's option for C++20.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  if(WARPBENCH_CUBIN)
    # Nothing runs, so it is enough that kernels compile. CUB's take long to optimise.
    string(APPEND CMAKE_CUDA_FLAGS " -Xcicc=-O1 -Xptxas=-O0")
    string(REPLACE "<CUDA_COMPILE_MODE>" "-cubin" CMAKE_CUDA_COMPILE_OBJECT "${CMAKE_CUDA_COMPILE_OBJECT}")
  endif()
  add_compile_definitions(WARPBENCH_CUDA=1)
elseif(WARPBENCH_BACKEND STREQUAL "simt")
  add_compile_definitions(WARPBENCH_SIMT=1)
else()
  message(FATAL_ERROR "WARPBENCH_BACKEND is '${WARPBENCH_BACKEND}'; expected simt or cuda")
endif()

if(WARPBENCH_SANITIZE STREQUAL "address")
  # Checks at every dereference cost a third of the compile time. AddressSanitizer catches null pointers too. Alignment,
  # which a GPU requires, is only checked in kernels.
  set(unchecked null vptr object-size alignment)
  if(NOT WARPBENCH_THOROUGH)
    # These cost a fifth more. Left are shifts, divisions by zero, signed overflows and the bounds of arrays.
    list(APPEND unchecked pointer-overflow nonnull-attribute returns-nonnull-attribute bool enum return unreachable
                          builtin vla-bound)
  endif()
  list(JOIN unchecked "," unchecked)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=${unchecked} -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(WARPBENCH_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(NOT WARPBENCH_SANITIZE STREQUAL "")
  message(FATAL_ERROR "WARPBENCH_SANITIZE is '${WARPBENCH_SANITIZE}'; expected address, thread or nothing")
endif()

set(warpbench_shadowed OFF)
if(WARPBENCH_BACKEND STREQUAL "simt" AND WARPBENCH_SHADOW AND NOT WARPBENCH_SANITIZE STREQUAL "thread")
  set(warpbench_shadowed ON)
  add_compile_definitions(WARPBENCH_SIMT_SHADOW=1)
endif()

set(warpbench_kernel_options "")
set(warpbench_alignment_options "")
if(WARPBENCH_BACKEND STREQUAL "simt")
  # #pragma unroll belongs to nvcc. Kernels on the CPU are never timed, and -O1 compiles faster.
  set(warpbench_kernel_options -Wno-unknown-pragmas $<$<CONFIG:RelWithDebInfo>:-O1>)
  if(warpbench_shadowed)
    # -Wno-tsan: fences are not instrumented, and our checker does not need them.
    list(APPEND warpbench_kernel_options -fno-sanitize=all -fsanitize=thread -Wno-tsan)
    # Nearly doubles the compile time of kernels.
    set(warpbench_alignment_options -fsanitize=alignment -fsanitize-recover=alignment)
  endif()
  if(WARPBENCH_ALIGNMENT)
    list(APPEND warpbench_kernel_options ${warpbench_alignment_options})
  endif()
endif()

# warpbench_kernel_library(name source…): an object library of kernels, compiled for the chosen backend.
function(warpbench_kernel_library target)
  add_library(${target} OBJECT ${ARGN})
  if(WARPBENCH_BACKEND STREQUAL "simt")
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX)
    target_compile_options(${target} PRIVATE ${warpbench_kernel_options})
    warpbench_reuse_precompiled(${target} kernels)
  endif()
endfunction()
