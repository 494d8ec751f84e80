#!/usr/bin/env bash
# Draws figures again from the committed records; needs neither a build nor a GPU.
# usage: scripts/figures.sh [FIG]    FIG: an experiment, a document, a figure or all
#        MACHINE: whose records, a folder of results/ (default: of each machine that has them)
#        OUT: the folder they go to (default results/MACHINE-figures); without MACHINE, OUT/MACHINE
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

[ -x .venv/bin/python ] || die "no .venv/bin/python; 'make setup-plots' makes it"
figure=${1:-all}
drawn=false
failures=
machines=$(machines_with_records)
for machine in $machines; do
  out=$(output_of_machine "$machine" figures)
  if said=$(PYTHONPATH=plots .venv/bin/python -m warpbench_plots figures "results/$machine" --fig "$figure" --out "$out" 2>&1 >/dev/null); then
    drawn=true
    [ -z "$said" ] || echo "$said" >&2
    say "figures: $out/"
  else
    failures+="$said"$'\n'
  fi
done
# A figure that one machine has need not be had by all.
if ! $drawn || { [ "$figure" = all ] && [ -n "$failures" ]; }; then die "${failures%$'\n'}"; fi
