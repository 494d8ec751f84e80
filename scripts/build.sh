#!/usr/bin/env bash
# Configures and builds a preset into build/PRESET.
# usage: scripts/build.sh PRESET [CMAKE_ARGUMENT...]    PRESET: one of CMakePresets.json; bench follows scripts/backend.sh
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

preset=${1:?usage: scripts/build.sh PRESET [CMAKE_ARGUMENT...]}
shift
backend=$preset
if [ "$preset" = bench ]; then
  backend=$(scripts/backend.sh)
  set -- -DWARPBENCH_BACKEND="$backend" "$@"
fi
directory=build/$preset
if [ "$backend" = cuda ]; then
  CUDACXX=$(find_nvcc) || die "no nvcc on PATH or in /usr/local/cuda/bin; the cuda backend needs the CUDA toolkit 12 or later"
  export CUDACXX
fi

say "configuring $directory"
cmake --preset "$preset" -B "$directory" --log-level=NOTICE "$@"
say "building $directory with $(jobs) jobs"
cmake --build "$directory" --parallel "$(jobs)"
