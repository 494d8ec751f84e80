# The backend decides who compiles the kernels (*.cu): nvcc for a GPU, or the host compiler for simt, where every
# kernel runs on the CPU. In a simt build without a sanitizer the kernels are compiled with the *instrumentation*
# of -fsanitize=thread but linked with device/simt/checker/ instead of libtsan: our own checker then sees every
# memory access of a kernel (races in shared memory, out of bounds, uninitialised reads).
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

if(WARPBENCH_BACKEND STREQUAL "cuda")
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES native)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    # CMake 3.25 (Debian 12) does not know how nvcc is asked for C++20.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
elseif(NOT WARPBENCH_BACKEND STREQUAL "simt")
  message(FATAL_ERROR "WARPBENCH_BACKEND is '${WARPBENCH_BACKEND}'; expected simt or cuda")
endif()

if(WARPBENCH_SANITIZE STREQUAL "address")
  # Checks at every dereference take a third of the time to compile. AddressSanitizer stops at a null one too, and
  # alignment, which a GPU demands, is checked in the kernels of the simt build.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,vptr,object-size,alignment
                      -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(WARPBENCH_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(NOT WARPBENCH_SANITIZE STREQUAL "")
  message(FATAL_ERROR "WARPBENCH_SANITIZE is '${WARPBENCH_SANITIZE}'; expected address, thread or nothing")
endif()

# Marks the .cu files of a target for the chosen backend.
function(warpbench_kernels target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  if(WARPBENCH_BACKEND STREQUAL "simt" AND sources)
    set(options -Wno-unknown-pragmas)  # #pragma unroll is nvcc's
    if(WARPBENCH_SANITIZE STREQUAL "")
      # -Wno-tsan: fences are not instrumented; our checker does not need them.
      list(APPEND options -fsanitize=thread -fsanitize=alignment -Wno-tsan)
    endif()
    set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "${options}")
  endif()
endfunction()

if(WARPBENCH_BACKEND STREQUAL "cuda")
  add_compile_definitions(WARPBENCH_CUDA=1)
else()
  add_compile_definitions(WARPBENCH_SIMT=1)
  if(WARPBENCH_SANITIZE STREQUAL "")
    add_compile_definitions(WARPBENCH_SIMT_SHADOW=1)
  endif()
endif()
