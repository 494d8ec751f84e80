# Functions shared by the scripts; sourced, never run. Changes to the project's root.
# shellcheck shell=bash
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# Makes git accept a checkout that belongs to another user, as in most CI containers.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$PWD

say() { printf '%s\n' "-- $*" >&2; }
die() { printf '%s\n' "error: $*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# nvcc may be installed without being on PATH; CMake finds it through CUDACXX.
find_nvcc() {
  local candidate
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

# The toolkit's major version. The project is C++20, which nvcc supports from 12 on.
nvcc_major() { "$1" --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p'; }

# Parallel jobs: one per core, but no more than memory allows (a compiler takes up to 1.5 GiB).
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ {print int($2 / 1572864)}' /proc/meminfo)
  if [ "$memory" -lt 1 ]; then memory=1; fi
  if [ "$memory" -lt "$cores" ]; then echo "$memory"; else echo "$cores"; fi
}

# The project's own sources, as NUL-separated paths; arguments are git pathspecs ('*.cpp').
sources() { git ls-files -z --cached --others --exclude-standard --deduplicate -- "$@"; }

# The machines whose records are committed: MACHINE, or each folder of results/ with suites.
machines_with_records() {
  local folder
  if [ -n "${MACHINE:-}" ]; then
    [[ $MACHINE != */* && -d results/$MACHINE/paper ]] ||
      die "MACHINE: expected the name of a folder of results/ with records, found '$MACHINE'"
    echo "$MACHINE"
    return
  fi
  for folder in results/*/paper; do
    [ -d "$folder" ] || die "expected records in results/MACHINE/paper, found none"
    basename "$(dirname "$folder")"
  done
}

# output_of_machine MACHINE KIND: where a machine's figures or site go.
output_of_machine() {
  if [ -z "${OUT:-}" ]; then
    echo "results/$1-$2"
  elif [ -n "${MACHINE:-}" ]; then
    echo "$OUT"
  else
    echo "$OUT/$1"
  fi
}
