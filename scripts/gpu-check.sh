#!/usr/bin/env bash
# Runs the checks that need a GPU: builds the cuda preset, runs all tests on the device, the kernels' tests again under
# compute-sanitizer, and a suite. Results, logs and reports go to OUT_DIR.
# usage: scripts/gpu-check.sh OUT_DIR STEP…      STEP: build, test, memcheck, racecheck, initcheck, synccheck, run:REQUEST
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  sed -n '2,4s/^# //p' "$0"
  exit 2
}

[[ $# -ge 2 ]] || usage
out=$1
shift
mkdir -p "$out"
build=build/cuda

sanitize() { # TOOL: runs the tests that launch kernels, on small inputs
  local tool=$1 test options=()
  # The device tests provoke API errors on purpose, to check that they are reported.
  if [[ $tool == memcheck ]]; then options=(--report-api-errors no); fi
  for test in test_device test_algorithms test_conformance; do
    compute-sanitizer --tool "$tool" "${options[@]}" --error-exitcode 9 --print-limit 20 "$build/tests/$test" \
      --gtest_brief=1 --gtest_filter="${SANITIZE_FILTER:-*}" 2>&1 | tail -n 25 | tee "$out/$tool-$test.log"
  done
}

for step in "$@"; do
  echo "== $step ($(date -u +%H:%M:%S))"
  case $step in
    build)
      cmake --preset cuda -DCMAKE_CUDA_ARCHITECTURES=native >"$out/configure.log" 2>&1 || { tail -n 30 "$out/configure.log"; exit 1; }
      cmake --build --preset cuda >"$out/build.log" 2>&1 || { grep -B2 -A12 -m3 -E "error|FAILED" "$out/build.log"; exit 1; }
      ;;
    test) ctest --test-dir "$build" --output-on-failure -j 4 2>&1 | tail -n 60 | tee "$out/ctest.log" ;;
    memcheck | racecheck | initcheck | synccheck) sanitize "$step" ;;
    run:*) "$build/warpbench" run "${step#run:}" --out "$out/$(basename "${step#run:}")" ;;
    *) usage ;;
  esac
done
