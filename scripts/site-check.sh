#!/usr/bin/env bash
# Renders the site of the committed records and one with every kind of figure, and opens their pages in a headless
# Chromium; without one says so and checks only the links.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

[ -x .venv/bin/python ] || die "no .venv/bin/python; 'make setup-plots' makes it"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
MACHINE=h200 OUT=$folder/h200 scripts/site.sh
PYTHONPATH=plots:tests/plots .venv/bin/python -c '
import sys
from pathlib import Path
from every_kind import write_every_kind
write_every_kind(Path(sys.argv[1]))' "$folder/runs"
PYTHONPATH=plots .venv/bin/python -m warpbench_plots site "$folder/runs" --out "$folder/kinds" >/dev/null
.venv/bin/python tests/browser/site_check.py "$folder/h200" "$folder/kinds"
