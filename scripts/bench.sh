#!/usr/bin/env bash
# Runs a suite or an experiment with the built program, checks the results, and draws the figures and the report.
# usage: scripts/bench.sh SUITE    OUT: the run directory (default results/SUITE/TIME); one that holds results is resumed
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

suite=${1:?usage: scripts/bench.sh SUITE}
program=build/bench/warpbench
[ -x "$program" ] || die "no $program; 'make build' makes it"
name=${suite#configs/}
name=${name#suites/}
name=${name%.yaml}
out=${OUT:-results/$name/$(date -u +%Y-%m-%dT%H%M%SZ)}

# 1: a trial failed. Its record says why, the report shows it, and this script exits with 1 too.
status=0
"$program" run "$suite" --out "$out" || status=$?
if [ $status -gt 1 ]; then exit $status; fi

say "verifying the results"
verified=0
"$program" verify "$out" || verified=$?
if [ $verified -gt 1 ]; then exit $verified; fi
if [ $verified -ne 0 ]; then status=1; fi
say "drawing figures and the report"
drawn=0
"$program" report "$out" --out "$out/report.html" || drawn=$?
if [ $drawn -gt 1 ] || [ ! -e "$out/report.html" ]; then exit $drawn; fi

say "results: $out"
say "figures: $out/report-figures/"
say "report:  $out/report.html"
if [ $drawn -ne 0 ]; then say "not all figures could be drawn: the report says which and why"; fi
if [ $status -ne 0 ]; then say "not all trials are ok: the table above and the report say which and why"; fi
exit $((status > drawn ? status : drawn))
