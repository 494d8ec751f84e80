#!/usr/bin/env bash
# Compiles every kernel and the cuda backend with nvcc, running nothing; says so and ends well where there is no nvcc.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

if find_nvcc >/dev/null; then
  scripts/build.sh cuda-compile
else
  say "no nvcc here: the kernels are not compiled for a GPU"
fi
