#!/usr/bin/env bash
# Renders the committed records as static pages; needs neither a build nor a GPU.
# usage: scripts/site.sh    OUT: the folder they go to
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

[ -x .venv/bin/python ] || die "no .venv/bin/python; 'make setup-plots' makes it"
out=${OUT:-results/h200-site}
PYTHONPATH=plots .venv/bin/python -m warpbench_plots site results/h200 --out "$out" >/dev/null
say "site: $out/index.html"
