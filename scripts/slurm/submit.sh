#!/usr/bin/env bash
# Submits a request to Slurm as an array of N jobs, each of which runs a share of it, and a job that merges their results
# when all have ended. Prints the ids of the array and of that job.
# usage: scripts/slurm/submit.sh REQUEST N OUT [SBATCH_OPTION…]
#   REQUEST: as for `warpbench run`; OUT: a new folder that all nodes see. Results: OUT/shards/I, OUT/merged; logs: OUT/logs
#   WARPBENCH: the program, default build/bench/warpbench    TIMES: a folder of earlier results, by which shares take
#   equally long    RUN_OPTIONS: further options of `warpbench run`    MERGE_OPTIONS: options of sbatch for the last job
# example: scripts/slurm/submit.sh paper 8 /shared/me/paper --partition=gpu --gres=gpu:1 --exclusive
# A share that died runs again with `sbatch --array=I OUT/job.sh`; then scripts/slurm/merge.sh OUT.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/../common.sh"

[ $# -ge 3 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
request=$1 count=$2 out=$3
shift 3
[[ $count =~ ^[1-9][0-9]*$ ]] || die "the number of jobs: expected 1 or more, found '$count'"
have sbatch || die "no sbatch in PATH; on Debian it is in slurm-client"
program=$(realpath "${WARPBENCH:-build/bench/warpbench}")
[ -x "$program" ] || die "no program at $program: run 'make build', or set WARPBENCH"
[ ! -e "$out" ] || die "$out exists; name a new folder"
if [ -n "${TIMES:-}" ]; then [ -d "$TIMES" ] || die "TIMES: no folder $TIMES"; fi
mkdir -p "$out/logs" "$out/shards"
out=$(realpath "$out")

options=(run "$request" --data "${WARPBENCH_DATA:-$PWD/data}")
if [ -n "${TIMES:-}" ]; then  # a copy: all shares are cut by the same times, however late they begin
  mkdir "$out/times"
  (cd -P "$TIMES" && find "$PWD" -path "$out" -prune -o -name results.jsonl -printf '%P\0' |
    xargs -0 --no-run-if-empty cp --parents --target-directory="$out/times")
  options+=(--times "$out/times")
fi
read -ra further <<<"${RUN_OPTIONS:-}"
quoted() { printf '%s' "${*@Q}"; }
cat >"$out/job.sh" <<EOF
#!/usr/bin/env bash
#SBATCH --job-name=warpbench --output=$out/logs/%a.log --chdir=$PWD
exec $(quoted "$program" "${options[@]}" "${further[@]}") --shard "\$SLURM_ARRAY_TASK_ID/$count" \\
  --out $(quoted "$out/shards")/"\$SLURM_ARRAY_TASK_ID"
EOF
cat >"$out/merge.sh" <<EOF
#!/usr/bin/env bash
export WARPBENCH=$(quoted "$program")
exec scripts/slurm/merge.sh $(quoted "$out") $count
EOF
array=$(sbatch --parsable --job-name=warpbench --output="$out/logs/%a.log" --chdir="$PWD" --array="1-$count" "$@" \
  "$out/job.sh")
array=${array%%;*}
printf '%s' "$array"
read -ra merging <<<"${MERGE_OPTIONS:-}"
merge=$(sbatch --parsable --job-name=warpbench-merge --output="$out/logs/merge.log" --chdir="$PWD" \
  --dependency="afterany:$array" "${merging[@]}" "$out/merge.sh") || {
  echo
  die "the shares are submitted, the job that merges them is not: set MERGE_OPTIONS next time; scripts/slurm/merge.sh $out merges them when they have ended"
}
echo " ${merge%%;*}"
