#!/usr/bin/env bash
# Tries submit.sh on a real Slurm of one node: starts it in a temporary folder, submits the suite `smoke` in three shares,
# and looks whether the merged results are all well. Needs root, and Debian's slurmctld, slurmd, slurm-client and munge;
# without them says so and succeeds.
# usage: scripts/slurm/check.sh    WARPBENCH: the program, default build/bench/warpbench
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/../common.sh"

for program in slurmctld slurmd sbatch squeue munged mungekey; do
  PATH=$PATH:/usr/sbin have "$program" || { say "no $program here: Slurm is not tried"; exit 0; }
done
[ "$(id -u)" -eq 0 ] || { say "not root: Slurm is not tried"; exit 0; }
export PATH=$PATH:/usr/sbin

folder=$(mktemp -d)
pids=()
finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$folder"
}
trap finish EXIT
chmod 755 "$folder"
mkdir "$folder/state" "$folder/spool"
export SLURM_CONF=$folder/slurm.conf
host=$(hostname -s)
cat >"$SLURM_CONF" <<EOF
ClusterName=warpbench
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES State=UP
EOF
mungekey --create --keyfile="$folder/munge.key"
munged --foreground --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
  --pid-file="$folder/munge.pid" --seed-file="$folder/munge.seed" >"$folder/munge.log" 2>&1 &
pids+=($!)
slurmctld -D >"$folder/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D >"$folder/slurmd.log" 2>&1 &
pids+=($!)

logs() { tail -n 8 "$folder"/*.log "$folder"/out/logs/* >&2 || true; }
for ((second = 0; second < 60; second++)); do
  if sinfo --noheader --format=%T 2>/dev/null | grep -q idle; then break; fi
  sleep 1
done
sinfo --noheader --format=%T 2>/dev/null | grep -q idle || { logs; die "the node of the temporary Slurm does not come up"; }

RUN_OPTIONS=--no-ceilings scripts/slurm/submit.sh smoke 3 "$folder/out" >/dev/null
for ((second = 0; second < 900; second++)); do
  if [ -z "$(squeue --noheader)" ]; then break; fi
  sleep 1
done
verified=$("${WARPBENCH:-build/bench/warpbench}" verify "$folder/out/merged") || { logs; die "what the jobs measured is not well"; }
printf '%s\n' "$verified"
if grep -qv ': all well,' <<<"$verified"; then die "not all that the jobs measured is well"; fi
