#!/usr/bin/env bash
# Prints the figures of docs/reliability.md, a line for each row: runs the row's tests and shows what they counted.
# Rows that take hours, a GPU or a fresh machine are only named.
# usage: scripts/reliability.sh [ROW...]    BUILD: a build with tests, default build/ci (`make test` makes it)
#                                           WARPBENCH_THOROUGH=1: all rounds of randomised tests
# shellcheck disable=SC2317  # row calls the functions
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

build=${BUILD:-build/ci}
[ -x "$build/warpbench" ] || die "no program in $build: run 'make test', or set BUILD to a build with tests"
export WARPBENCH=$PWD/$build/warpbench PYTHONDONTWRITEBYTECODE=1
wanted=" $* "
logs=$build/reliability
mkdir -p "$logs"
failed=0

# What the tests of a log counted; if they counted nothing, how many there are.
figures() { # LOG
  local counted='s/^figure: //p'
  if ! grep -q '^figure: ' "$1"; then
    counted='s/^\[  PASSED  \] \([0-9]* tests\?\)\.$/\1 passed/p; s/^\([0-9]* passed\).*/\1/p'
  fi
  sed -n "$counted" "$1" | paste -sd '|' | sed 's/|/; /g'
}

row() { # NUMBER TITLE COMMAND...
  local number=$1 title=$2 log=$logs/$1.log
  shift 2
  if [ "$wanted" != '  ' ] && [[ $wanted != *" $number "* ]]; then return; fi
  if "$@" >"$log" 2>&1; then
    printf '%2d  %s: %s\n' "$number" "$title" "$(figures "$log")"
  else
    printf '%2d  %s: FAILED, see %s\n' "$number" "$title" "$log"
    failed=1
  fi
}

# The functions below are commands of rows. `set -e` does not hold in them: each && is needed.
unit() { # FOLDER FILTER: fails, too, if no test is called so
  "$build/tests/test_$1" --gtest_filter="$2" | tee "$logs/unit.log" &&
    ! grep -q '^\[==========\] 0 tests' "$logs/unit.log"
}
end_to_end() { python3 "tests/end_to_end/$1_test.py"; }
plots() { .venv/bin/python -m pytest -q "$@"; }
elsewhere() { echo "figure: not run here: $1"; }

verified_samples() {
  local folders
  mapfile -t folders < <(find results -name results.jsonl -printf '%h\n' | sort)
  "$WARPBENCH" verify "${folders[@]}" >"$logs/verify.log" &&
    sed -nE 's/.*, ([0-9]+) lines, .*, ([0-9]+) of ([0-9]+) samples verified$/\1 \2 \3/p' "$logs/verify.log" |
    awk '{ records += $1; verified += $2; taken += $3 }
      END { printf "figure: %d of %d samples verified, %d records in %d files\n", verified, taken, records, NR
            exit verified != taken || taken == 0 }'
}

data_integrity() {
  unit datasets 'Load.*:Fetch.*:Sha256.*' &&
    unit harness 'RunnerTest.ADamagedReferenceInTheCacheIsNoticed'
}

old_results() {
  verified_samples &&
    unit harness 'Record.RefusesLinesThatAreNotRecords:ResultsFileTest.ReadsAndContinuesAFileOfVersion10' &&
    plots tests/plots/test_reader.py -k version
}

no_setting_is_changed() {
  if grep -rnE 'nvmlDeviceSet|lock-(gpu|memory)-clocks' --include='*.[ch]pp' --include='*.cu' harness device; then
    return 1
  fi
  echo 'figure: 0 places that change clocks or governors'
}

row 1 'malformed data files' unit datasets '*Bad*-Fuzz*'
row 2 'malformed specs' unit harness '*BadSpec*'
row 3 'fuzzing of the parsers' unit datasets 'FuzzReplay.*'
row 4 'faults are contained' unit harness 'RunnerTest.EveryFault*:RunnerTest.ABroken*:RunnerTest.NothingRuns*'
row 5 'kill -9 anywhere' unit harness 'KillTest.*'
row 6 'no half-written results' unit harness 'ResultsFileTest.*'
row 7 'device errors surface' end_to_end injected_failures
row 8 'judges notice wrong answers' unit problems '*Judge*:SetDigest.*'
row 9 'references agree with second oracles' unit problems '*Reference.*'
row 10 'recorded samples verified' verified_samples
row 11 'samples are as long as their solves' unit harness 'TimesTest.OfSolves*'
row 12 'A/A false alarms, simulated (measured by scripts/false-alarms.py)' unit harness 'CompareVerdict.IsRarely*'
row 13 'A/B power, simulated' unit harness 'CompareVerdict.Finds*'
row 14 'coverage of intervals' unit harness 'MedianInterval.*:DriftOf.*'
row 15 'determinism' end_to_end lane_orders
row 16 'sanitizers' elsewhere 'make nightly; scripts/gpu-check.sh OUT build sanitize'
row 17 'machine without a GPU' elsewhere '.ci/run in a fresh container'
row 18 'integrity of data' data_integrity
row 19 'integrity of figures' plots tests/plots/test_reader.py
row 20 'settings of the machine' no_setting_is_changed
row 21 'time to the first figure' elsewhere 'time make bench'
row 22 'old results readable' old_results
row 23 'overhead of a trial' unit harness 'TimesTest.OfTrials*'
row 24 'trial ids are unique' unit harness 'TrialId.*'
exit "$failed"
