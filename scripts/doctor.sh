#!/usr/bin/env bash
# Reports what this machine can and cannot do, and how to fix it. Needs no build; if there is one, runs the program's
# own doctor too, which knows the device's properties and the libraries missing from the build.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh

fact() { printf '%-22s %s\n' "$1" "$2"; }
advice() { printf '%-22s %s\n' "" "→ $1"; }
version_of() { "$1" --version 2>/dev/null | head -n 1 || true; }

system() {
  fact "system" "$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-unknown}"), Linux $(uname -r)"
  fact "processor" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores usable"
  local simd=none
  if grep -qw avx2 /proc/cpuinfo; then simd=avx2; fi
  if grep -qw avx512f /proc/cpuinfo; then simd=avx512; fi
  fact "vector instructions" "$simd"
  fact "memory" "$(awk '/MemTotal/ {t=$2} /MemAvailable/ {a=$2} END {printf "%.1f GiB, %.1f GiB available", t/1048576, a/1048576}' /proc/meminfo)"
  if [ "$(awk '/MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)" -lt 4 ]; then
    advice "below 4 GiB the build uses one job and the larger datasets of 'quick' may not fit"
  fi
  fact "disk" "$(df -h --output=avail . | tail -n 1 | tr -d ' ') free here"
}

governor() {
  local file=/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor setting
  if [ ! -r "$file" ]; then
    fact "frequency governor" "not visible (a virtual machine or a container): times may vary with the host's load"
    return
  fi
  setting=$(< "$file")
  fact "frequency governor" "$setting"
  if [ "$setting" != performance ]; then advice "for steady times: sudo cpupower frequency-set -g performance"; fi
}

gpu() {
  if ! have nvidia-smi; then
    fact "GPU" "none (no nvidia-smi)"
    advice "kernels run on the CPU (backend simt): answers are verified, times say nothing of a GPU"
    return
  fi
  local rows
  if rows=$(nvidia-smi --query-gpu=name,driver_version,memory.total,compute_cap --format=csv,noheader 2>&1); then
    while IFS= read -r row; do fact "GPU" "$row"; done <<< "$rows"
  else
    fact "GPU" "not usable: $(head -n 1 <<< "$rows")"
    advice "install or reload the NVIDIA driver; until then kernels run on the CPU (backend simt)"
  fi
}

toolkit() {
  local nvcc
  if ! nvcc=$(find_nvcc); then
    fact "CUDA toolkit" "none"
    if have nvidia-smi; then advice "install the CUDA toolkit 12 or later, or put nvcc on PATH"; fi
    return
  fi
  fact "CUDA toolkit" "$("$nvcc" --version | sed -n 's/.*\(release [^,]*\).*/\1/p'), $nvcc"
  if [ "$(nvcc_major "$nvcc")" -lt 12 ]; then advice "C++20 needs CUDA 12 or later"; fi
}

packages() {
  fact "compiler" "$(version_of g++)"
  fact "cmake" "$(version_of cmake)"
  fact "python" "$(version_of python3)"
  if ! have dpkg-query; then
    fact "packages" "not checked: no Debian or Ubuntu"
    return
  fi
  local missing
  missing=$(missing_packages "${packages_build[@]}" "${packages_optional[@]}" "${packages_test[@]}" | tr '\n' ' ')
  fact "missing packages" "${missing:-none}"
  if [ -n "$missing" ]; then advice "'make bench' and 'make test' install what they need; by hand: apt-get install $missing"; fi
  missing=$(missing_packages "${packages_lint[@]}" | tr '\n' ' ')
  if [ -n "$missing" ]; then fact "for lint and fuzz" "$missing missing; 'make setup-lint' installs them"; fi
}

data() {
  fact "WARPBENCH_DATA" "${WARPBENCH_DATA:-not set}"
  if [ -z "${WARPBENCH_DATA:-}" ]; then
    advice "set it to the folder with your dataset files; generated datasets need none"
  elif [ ! -d "$WARPBENCH_DATA" ]; then
    advice "there is no such folder"
  fi
}

system
governor
gpu
toolkit
packages
data
fact "backend" "$(scripts/backend.sh 2>&1 >/dev/null | sed 's/^-- backend //')"
for program in build/bench/warpbench build/cuda/warpbench build/simt/warpbench; do
  if [ -x "$program" ]; then
    printf '\n%s\n' "$program doctor:"
    exec "$program" doctor
  fi
done
advice "the program is not built yet; 'make build' does it, then this says more"
