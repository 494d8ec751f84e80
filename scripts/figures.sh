#!/usr/bin/env bash
# Draws figures again from the committed records; needs neither a build nor a GPU.
# usage: scripts/figures.sh [FIG]    FIG: an experiment, a document, a figure or all; OUT: the folder they go to
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

[ -x .venv/bin/python ] || die "no .venv/bin/python; 'make setup-plots' makes it"
out=${OUT:-results/h200-figures}
PYTHONPATH=plots .venv/bin/python -m warpbench_plots figures results/h200 --fig "${1:-all}" --out "$out" >/dev/null
say "figures: $out/"
