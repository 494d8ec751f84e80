#!/usr/bin/env bash
# Compiles every kernel and the cuda backend with nvcc and runs nothing; without nvcc says so and succeeds. Files that
# do not depend on the GPU are left to the other presets. So is the host part of kernel files, unless --whole is given:
# it takes three quarters of the time, and simt compiles it as well.
# usage: scripts/cuda-compile.sh [--whole]
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

case ${1:-} in
  "") mode=(-DWARPBENCH_CUBIN=ON) architecture=90-real ;;
  --whole) mode=(-DWARPBENCH_CUBIN=OFF) architecture=90 ;;
  *) die "cuda-compile.sh takes --whole or nothing, not '$1'" ;;
esac

# simt compiles kernels in any file, nvcc only those in .cu files.
if strays=$(git grep -l '^#include ".*\.cuh"' -- '*.cpp'); then
  die "a .cpp file cannot include kernels; make it a .cu file, or do without: $strays"
fi
if ! CUDACXX=$(find_nvcc); then
  say "no nvcc here: the kernels are not compiled for a GPU"
  exit 0
fi
export CUDACXX
directory=build/cuda-compile
say "configuring $directory"
cmake --preset cuda -B "$directory" --log-level=NOTICE "${mode[@]}" -DCMAKE_CUDA_ARCHITECTURES="${CUDA_ARCHITECTURES:-$architecture}"
mapfile -t objects < <(ninja -C "$directory" -t targets all | sed -nE 's/^([^:]*(\.cu|\/device\/cuda\/[^:]*\.cpp)\.o): .*/\1/p')
[ ${#objects[@]} -gt 0 ] || die "$directory has no kernels to compile"
say "compiling ${#objects[@]} files of kernels with $(jobs) jobs"
ninja -C "$directory" -j "$(jobs)" "${objects[@]}"
