#!/usr/bin/env bash
# Merges what the jobs of scripts/slurm/submit.sh have measured, writes the report where its Python is, and verifies all.
# usage: scripts/slurm/merge.sh OUT [N]    N: so many shares are expected    results: OUT/merged, OUT/report.html
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/../common.sh"

[ $# -ge 1 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
out=$(realpath "$1") count=${2:-0}
program=${WARPBENCH:-build/bench/warpbench}
[ -d "$out/shards" ] || die "$out/shards: no such folder; submit.sh makes it"
[ ! -e "$out/merged" ] || die "$out/merged exists; remove it to merge again"

for ((share = 1; share <= count; share++)); do
  if [ ! -d "$out/shards/$share" ]; then
    say "share $share left nothing: it had no trials, or $out/logs/$share.log says why"
  fi
done
# The experiments, as folders below those of the shares; "." where a share is a single run directory.
mapfile -t experiments < <(cd "$out/shards" && find . -name results.jsonl -printf '%h\n' | sed -E 's|^\./[^/]+/?||; s|^$|.|' | sort -u)
[ ${#experiments[@]} -gt 0 ] || die "$out/shards has no results"
rm -rf "$out/merged.partial"
for experiment in "${experiments[@]}"; do
  parts=()
  for part in "$out"/shards/*/"$experiment"; do
    if [ -e "$part/results.jsonl" ]; then parts+=("$part"); fi
  done
  "$program" merge "${parts[@]}" --out "$(realpath -m "$out/merged.partial/$experiment")"
done
mv "$out/merged.partial" "$out/merged"
if [ -x .venv/bin/python ]; then "$program" report "$out/merged" --out "$out/report.html" || say "no report"; fi
"$program" verify "$out/merged"
