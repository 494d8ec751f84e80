#!/usr/bin/env bash
# Renders the committed records as static pages; needs neither a build nor a GPU.
# usage: scripts/site.sh    MACHINE: whose records (default h200); OUT: the folder they go to
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

[ -x .venv/bin/python ] || die "no .venv/bin/python; 'make setup-plots' makes it"
machine=${MACHINE:-h200}
[ -d "results/$machine" ] || die "expected a machine with committed records as MACHINE, found '$machine': see results/"
out=${OUT:-results/$machine-site}
PYTHONPATH=plots .venv/bin/python -m warpbench_plots site "results/$machine" --out "$out" >/dev/null
say "site: $out/index.html"
