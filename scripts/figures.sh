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
machines=$(machines_with_records)
drawn=false
failed=false
unknown=
for machine in $machines; do
  out=$(output_of_machine "$machine" figures)
  if said=$(PYTHONPATH=plots .venv/bin/python -m warpbench_plots figures "results/$machine" --specs configs --fig "$figure" --out "$out" 2>&1 >/dev/null); then
    drawn=true
    say "figures: $out/"
  elif [[ $said == *"no figure, experiment or document of these runs is named"* ]]; then
    unknown=$said  # another machine may have it
    continue
  else
    failed=true
  fi
  [ -z "$said" ] || echo "$said" >&2
done
if $failed; then exit 1; fi
$drawn || die "$unknown"
