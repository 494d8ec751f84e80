#!/usr/bin/env bash
# Runs a list of experiments on all GPUs of this machine for so many seconds, an experiment on each at a time. The same
# call goes on with what is left, on another machine of the same kind too once OUT is there.
# usage: scripts/lanes.sh LIST OUT SECONDS
#   LIST: a file; each line is a request for `warpbench run`, then its options, all between blanks; # begins a comment.
#   Example: paper/gsi2020/table-V --shard 1/2
#   OUT: a folder. Results: OUT/parts, each share's in a part; logs: OUT/logs. `warpbench merge OUT/parts/* --out NEW`
#   joins the parts
#   LANES: so many at a time (default: one a GPU), each with a GPU and an equal part of the CPU's cores
#   WARPBENCH: the program, default build/bench/warpbench
# Exit code: 0 when all trials of the list are ok, 1 when some are not, 3 when requests are left.
set -euo pipefail
called_from=$PWD
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

[ $# -eq 3 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
seconds=$3
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die "SECONDS: expected 1 or more, found '$seconds'"
program=${WARPBENCH:-$PWD/build/bench/warpbench}
cd "$called_from"
[ -x "$program" ] || die "no program at $program: run 'make build', or set WARPBENCH"
program=$(realpath "$program")
[ -f "$1" ] || die "LIST: no file $1"
mapfile -t list < <(sed -E 's/(^|[[:space:]])#.*//; s/^[[:space:]]+//; s/[[:space:]]+$//; /^$/d' "$1")
[ ${#list[@]} -gt 0 ] || die "LIST: $1 has no request"
twice=$(printf '%s\n' "${list[@]}" | sort | uniq -d | head -n 1)
[ -z "$twice" ] || die "LIST: '$twice' is in $1 twice"
for line in "${list[@]}"; do
  [[ $line != -* ]] || die "LIST: expected a request and then its options, found '$line'"
done
mkdir -p "$2/logs"
out=$(realpath "$2")
exec {running}>"$out/lock"
flock --nonblock "$running" || die "OUT: $2 is in use by another call"
deadline=$((SECONDS + seconds))
touch "$out/done" # lines of what has ended: the exit code, a blank, the line of the list

# name_of REQUEST OPTION…: the folder below OUT/parts of a line's results. Two shares of an experiment are in two parts.
name_of() {
  local part=all name=${1%.yaml}
  if [[ " $* " =~ " --shard"[=\ ]([0-9]+)/([0-9]+)" " ]]; then part=${BASH_REMATCH[1]}-of-${BASH_REMATCH[2]}; fi
  name=${name//..\//}
  printf '%s' "$part/${name#/}"
}

# The next line that no lane has taken yet.
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
  local line words name left status child=
  trap 'if [ -n "$child" ]; then kill "$child" 2>/dev/null; wait "$child"; fi; exit' TERM
  export CUDA_VISIBLE_DEVICES=$1
  while take; do
    if grep -qxF -e "0 $line" -e "1 $line" "$out/done"; then continue; fi
    left=$((deadline - SECONDS))
    if [ "$left" -le 0 ]; then return; fi
    read -ra words <<<"$line"
    name=$(name_of "${words[@]}")
    mkdir -p "$out/logs/$(dirname "$name")"
    timeout --kill-after=20 "$left" taskset --cpu-list "$2" "$program" run "${words[@]}" --out "$out/parts/$name" \
      >>"$out/logs/$name.log" 2>&1 &
    child=$!
    status=0
    wait "$child" || status=$?
    child=
    case $status in
      0 | 1) echo "$status $line" >>"$out/done" ;;
      124 | 137) return ;;
      *) say "$line: exit code $status: $(tail -n 1 "$out/logs/$name.log")" ;;
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
trap 'kill "${pids[@]}" 2>/dev/null; wait; say "stopped; the same call goes on"; exit 3' INT TERM HUP
for ((i = 0; i < lanes; i++)); do
  lane $((gpus > 0 ? i % gpus : i)) "$(IFS=,; echo "${cpus[*]:i * share:share}")" &
  pids+=($!)
done
wait

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
