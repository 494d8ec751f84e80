#!/usr/bin/env bash
# Renders the committed records as static pages, a site for each machine; needs neither a build nor a GPU.
# usage: scripts/site.sh
#        MACHINE: whose records, a folder of results/ (default: of each machine; MACHINE-more has other revisions of it)
#        OUT: the folder they go to (default results/MACHINE-site); without MACHINE, OUT/MACHINE
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

[ -x .venv/bin/python ] || die "no .venv/bin/python; 'make setup-plots' makes it"
machines=$(machines_with_records)
failed=false
for machine in $machines; do
  [[ $machine != *-more || $machine == "${MACHINE:-}" ]] || continue
  out=$(output_of_machine "$machine" site)
  PYTHONPATH=plots .venv/bin/python -m warpbench_plots site "results/$machine" --specs configs --out "$out" >/dev/null ||
    failed=true
  say "site: $out/index.html"
done
if $failed; then exit 1; fi
