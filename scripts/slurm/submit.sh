#!/usr/bin/env bash
# Submits a request to Slurm as an array of N jobs, each of which runs a share of it, and a job that merges their results
# when all have ended. Prints the two job ids.
# usage: scripts/slurm/submit.sh REQUEST N OUT [SBATCH_OPTION…]
#   REQUEST: as for `warpbench run`; OUT: a new folder that all nodes see. Results: OUT/shards/I, OUT/merged; logs: OUT/logs
#   WARPBENCH: the program, default build/bench/warpbench    TIMES: a folder of earlier results, by which shares take
#   equally long    RUN_OPTIONS: further options of `warpbench run`
# example: scripts/slurm/submit.sh paper 8 /shared/me/paper --partition=gpu --gres=gpu:1 --exclusive
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
mkdir -p "$out/logs" "$out/shards"
out=$(realpath "$out")

quoted() { printf '%s' "${*@Q}"; }
options=(run "$request" --data "${WARPBENCH_DATA:-$PWD/data}")
if [ -n "${TIMES:-}" ]; then options+=(--times "$(realpath "$TIMES")"); fi
read -ra further <<<"${RUN_OPTIONS:-}"
array=$(sbatch --parsable --job-name=warpbench --array="1-$count" --output="$out/logs/%a.log" --chdir="$PWD" "$@" <<EOF
#!/usr/bin/env bash
exec $(quoted "$program" "${options[@]}" "${further[@]}") --shard "\$SLURM_ARRAY_TASK_ID/$count" \\
  --out $(quoted "$out/shards")/"\$SLURM_ARRAY_TASK_ID"
EOF
)
merge=$(sbatch --parsable --job-name=warpbench-merge --dependency="afterany:${array%%;*}" --output="$out/logs/merge.log" \
  --chdir="$PWD" <<EOF
#!/usr/bin/env bash
export WARPBENCH=$(quoted "$program")
exec scripts/slurm/merge.sh $(quoted "$out")
EOF
)
echo "${array%%;*} ${merge%%;*}"
