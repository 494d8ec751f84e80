#!/usr/bin/env bash
# Runs the checks that need a GPU: builds the cuda preset, runs all tests on the device, a small set of them under the
# four tools of compute-sanitizer, and a suite. Results, logs and reports go to OUT_DIR.
# usage: scripts/gpu-check.sh OUT_DIR STEP…
# STEP: build, test, sanitize (memcheck, racecheck, initcheck and synccheck, or one of them by its name), run:REQUEST
set -euo pipefail
cd "$(dirname "$0")/.."

# Under the tools: every solver once, at its defaults and at its best, on the few small inputs of its problem.
sanitize_filter='*/Conformance.Holds/*_AnswersAtUsualPoints'
sanitize_seconds=${SANITIZE_SECONDS:-200} # for each tool

usage() {
  sed -n '2,5s/^# //p' "$0"
  exit 2
}

fail() {
  echo "gpu-check: $1" >&2
  exit 1
}

[[ $# -ge 2 ]] || usage
out=$1
shift
mkdir -p "$out"
build=build/cuda

sanitize() { # TOOL…: reports on all of them before it fails
  local tool log tests status options all_well=true
  command -v compute-sanitizer >/dev/null || fail "expected compute-sanitizer in PATH, found none; it comes with the CUDA toolkit"
  for tool in "$@"; do
    log=$out/$tool.log
    options=(--tool "$tool" --error-exitcode 9 --print-limit 20)
    # The program checks the result of every call itself, and asks for more memory than there is on purpose.
    if [[ $tool == memcheck ]]; then options+=(--report-api-errors no); fi
    status=0
    timeout --kill-after=10 "$sanitize_seconds" compute-sanitizer "${options[@]}" "$build/tests/test_conformance" \
      --gtest_filter="$sanitize_filter" >"$log" 2>&1 || status=$?
    tests=$(grep -c '^\[       OK \]' "$log" || true)
    if [[ $status -eq 0 && $tests -gt 0 ]]; then
      echo "$tool: nothing found in $tests tests, $sanitize_filter; $log names them"
      continue
    fi
    all_well=false
    tail -n 25 "$log"
    case $status in
      0) echo "$tool: no test ran of $sanitize_filter" ;;
      124 | 137) echo "$tool: not done after $sanitize_seconds s, in $tests tests; $log ends with the one that was running" ;;
      *) echo "$tool: exit code $status after $tests tests; see $log" ;;
    esac
  done
  $all_well
}

# Results are recorded with every peer, so that none is beaten by its absence; programs of others are no part of a build.
refuse_missing_solvers() {
  local missing
  missing=$("$build/warpbench" list solvers) || fail "$build/warpbench list solvers failed"
  missing=$(grep 'unavailable: ' <<<"$missing" | grep -v 'export WARPBENCH_' | sed -E 's/^(\S+) +(\S+) .*unavailable: /\2 of \1: /') || true
  [[ -z $missing ]] || fail "expected every solver in a build whose results are recorded, found unavailable: $missing"
}

# A run ends with 1 where a trial is not ok, also where only a peer is missing. The next steps follow; at the end this
# script fails if a trial is neither ok nor unsupported.
run_request() {
  local status=0 to said
  local -a directories
  to=$out/$(basename "$1")
  "$build/warpbench" run "$1" --out "$to" || status=$?
  [[ $status -le 1 ]] || fail "warpbench run $1 ended with $status"
  [[ $status -eq 1 ]] || return 0
  mapfile -t directories < <(find "$to" -name results.jsonl -printf '%h\n')
  [[ ${#directories[@]} -gt 0 ]] || fail "expected results of warpbench run $1 in $to, found none"
  said=$("$build/warpbench" verify "${directories[@]}") || fail "warpbench verify ${directories[*]} failed: $said"
  if grep ' samples verified$' <<<"$said" | grep -qv ': all well, '; then not_well+=("$1"); fi
}

not_well=()
for step in "$@"; do
  echo "== $step ($(date -u +%H:%M:%S))"
  case $step in
    build)
      cmake --preset cuda -DCMAKE_CUDA_ARCHITECTURES=native >"$out/configure.log" 2>&1 || { tail -n 30 "$out/configure.log"; exit 1; }
      cmake --build --preset cuda >"$out/build.log" 2>&1 || { grep -B2 -A12 -m3 -E "error|FAILED" "$out/build.log"; exit 1; }
      ;;
    test) ctest --test-dir "$build" --output-on-failure -j 4 2>&1 | tail -n 60 | tee "$out/ctest.log" ;;
    sanitize) sanitize memcheck racecheck initcheck synccheck ;;
    memcheck | racecheck | initcheck | synccheck) sanitize "$step" ;;
    run:*)
      refuse_missing_solvers
      run_request "${step#run:}"
      ;;
    *) usage ;;
  esac
done
[[ ${#not_well[@]} -eq 0 ]] || fail "not every trial is ok or unsupported in ${not_well[*]}"
