#!/usr/bin/env bash
# Draws figures again from the committed records; needs neither a build nor a GPU.
# usage: scripts/figures.sh [FIG]    FIG: an experiment, a document, a figure or all; MACHINE: whose records (default
#                                    h200); OUT: the folder they go to
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

[ -x .venv/bin/python ] || die "no .venv/bin/python; 'make setup-plots' makes it"
machine=${MACHINE:-h200}
[ -d "results/$machine" ] || die "expected a machine with committed records as MACHINE, found '$machine': see results/"
out=${OUT:-results/$machine-figures}
PYTHONPATH=plots .venv/bin/python -m warpbench_plots figures "results/$machine" --fig "${1:-all}" --out "$out" >/dev/null
say "figures: $out/"
