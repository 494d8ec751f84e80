#!/usr/bin/env bash
# Prints the backend for this machine, cuda or simt, and the reason on standard error. BACKEND overrides it.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

choose() {
  say "backend $1: $2"
  echo "$1"
  exit 0
}

case ${BACKEND:-} in
  cuda | simt) choose "$BACKEND" "as asked for by BACKEND" ;;
  "") ;;
  *) die "BACKEND is '$BACKEND'; expected cuda or simt" ;;
esac
{ have nvidia-smi && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; } || choose simt "no usable GPU here, kernels run on the CPU"
nvcc=$(find_nvcc) || choose simt "there is a GPU, but no nvcc; install the CUDA toolkit 12 or later to use it"
[ "$(nvcc_major "$nvcc")" -ge 12 ] || choose simt "$nvcc is older than CUDA 12 and compiles no C++20"
choose cuda "$(nvidia-smi -L | head -n 1 | sed 's/ (UUID.*//'), $nvcc"
