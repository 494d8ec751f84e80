#!/usr/bin/env bash
# Runs a list of experiments on all GPUs of this machine for so many seconds, an experiment on each at a time. The same
# call goes on with what is left, on another machine of the same kind too once OUT is there.
# usage: scripts/lanes.sh LIST OUT SECONDS
#   LIST: a file; a line is a request for `warpbench run`, then its options. Blanks separate words, quotes mean nothing,
#   and # begins a comment. Example: paper/gsi2020/table-V --shard 1/2
#   OUT: a folder. Results: OUT/parts, where shares 1/2 and 2/2 have a folder each; logs: OUT/logs. Where no experiment
#   is listed both whole and in shares, `warpbench merge OUT/parts/* --out NEW` joins them
#   SECONDS: then runs are stopped. One that does not end by itself is killed 20 s later
#   LANES: how many run at a time (default: one a GPU), each on a GPU and an equal part of the CPU's cores
#   WARPBENCH: the program, default build/bench/warpbench
# Exit code: 0 when all trials of the list are ok, 1 when some are not or the call is wrong, 3 when requests are left.
set -euo pipefail
called_from=$PWD
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

[ $# -eq 3 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' scripts/lanes.sh >&2; exit 2; }
seconds=$3
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die "SECONDS: expected 1 or more, found '$seconds'"
program=${WARPBENCH:-$PWD/build/bench/warpbench}
cd "$called_from"
[[ -f $program && -x $program ]] || die "no program at $program: run 'make build', or set WARPBENCH"
program=$(realpath "$program")
[ -f "$1" ] || die "LIST: no file $1"
mapfile -t list < <(sed -E 's/(^|[[:space:]])#.*//; s/[[:space:]]+/ /g; s/^ //; s/ $//; /^$/d' "$1")
[ ${#list[@]} -gt 0 ] || die "LIST: $1 has no request"

# name_of LINE: the folder of its results below OUT/parts. Two shares of an experiment are in two parts.
name_of() {
  local part=all name=${1%% *}
  if [[ "$1 " =~ " --shard"[=\ ]([0-9]+)/([0-9]+)" " ]]; then part=${BASH_REMATCH[1]}-of-${BASH_REMATCH[2]}; fi
  printf '%s' "$part$(realpath --canonicalize-missing --no-symlinks "/${name%.yaml}")"
}
declare -A listed
for line in "${list[@]}"; do
  [[ $line != -* ]] || die "LIST: expected a request and then its options, found '$line'"
  name=$(name_of "$line")
  [ -z "${listed[$name]:-}" ] ||
    die "LIST: '${listed[$name]}' and '$line' have the same folder of results; keep one in $1"
  listed[$name]=$line
done

mkdir -p "$2/logs"
out=$(realpath "$2")
exec {running}>"$out/lock"
flock --nonblock "$running" || die "OUT: $2 is in use by another call, or by runs that it left"
deadline=$((SECONDS + seconds))
touch "$out/done" # lines of what has ended: the exit code, a blank, the line of the list

# take: sets `line` to the next one that no lane has taken; fails at the end of the list.
: >"$out/next"
take() {
  local taken
  {
    flock 9
    taken=$(wc -l <"$out/next")
    if [ "$taken" -lt ${#list[@]} ]; then echo >>"$out/next"; fi
  } 9>"$out/next.lock"
  [ "$taken" -lt ${#list[@]} ] && line=${list[taken]}
}

# lane GPU CPUS: runs lines until there is none or the time is up.
lane() {
  local line words name log before left status
  local another=${!:-} # what was started before this lane is not its own to stop
  trap 'if [ "${!:-}" != "$another" ]; then kill $! 2>/dev/null || true; wait; fi; exit' INT TERM HUP
  export CUDA_VISIBLE_DEVICES=$1
  while take; do
    if grep -qxF -e "0 $line" -e "1 $line" "$out/done"; then continue; fi
    left=$((deadline - SECONDS))
    if [ "$left" -le 0 ]; then return; fi
    read -ra words <<<"$line"
    name=$(name_of "$line")
    log=$out/logs/$name.log
    mkdir -p "$(dirname "$log")"
    touch "$log"
    before=$(stat --format=%s "$log")
    timeout --kill-after=20 "$left" taskset --cpu-list "$2" "$program" run "${words[@]}" --out "$out/parts/$name" \
      >>"$log" 2>&1 &
    status=0
    wait $! || status=$?
    # 1 is the code of trials that are not ok, and also of a run that somebody else stopped.
    if [ $status = 1 ] && tail -c "+$((before + 1))" "$log" | grep -q '^The run was interrupted'; then
      status="1, interrupted"
    fi
    case $status in
      0 | 1) echo "$status $line" >>"$out/done" ;;
      *)
        if [ $((deadline - SECONDS)) -le 0 ]; then return; fi
        say "$line: exit code $status: $(tail -n 1 "$log")"
        ;;
    esac
  done
}

gpus=$(nvidia-smi --list-gpus 2>/dev/null | grep -c '^GPU' || true)
lanes=${LANES:-$((gpus > 0 ? gpus : 1))}
[[ $lanes =~ ^[1-9][0-9]*$ ]] || die "LANES: expected 1 or more, found '$lanes'"
mapfile -t cpus < <(taskset --cpu-list --pid $$ | sed 's/.*: //' | tr ',' '\n' |
  while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done)
share=$((${#cpus[@]} / lanes))
[ "$share" -gt 0 ] || die "LANES: expected at most the ${#cpus[@]} cores of this machine, found $lanes"
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; say "stopped; the same call goes on"; exit 3' INT TERM HUP
for ((i = 0; i < lanes; i++)); do
  lane $((gpus > 0 ? i % gpus : i)) "$(IFS=,; echo "${cpus[*]:i * share:share}")" &
  pids+=($!)
done
wait
trap - INT TERM HUP

unwell=0 left=()
for line in "${list[@]}"; do
  if grep -qxF "0 $line" "$out/done"; then continue; fi
  if grep -qxF "1 $line" "$out/done"; then
    unwell=1
    say "not all trials are ok: $line"
  else
    left+=("$line")
  fi
done
say "$((${#list[@]} - ${#left[@]})) of ${#list[@]} requests have ended; results: $out/parts, logs: $out/logs"
if [ ${#left[@]} -gt 0 ]; then
  printf '   left: %s\n' "${left[@]}" >&2
  exit 3
fi
exit $unwell
