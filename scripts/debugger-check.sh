#!/usr/bin/env bash
# Follows the recipe for a debugger in CONTRIBUTING.md as it stands there: builds build/debug, stops a kernel's thread in
# gdb, and looks whether gdb shows its place and its variables. Takes minutes; without gdb says so and succeeds.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

have gdb || { say "no gdb here: the recipe of CONTRIBUTING.md is not tried"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The recipe: a block of shell that ends with gdb, then the block of gdb's own commands.
# shellcheck disable=SC2016  # backquotes and $ belong to sed
section() { sed -n '/^\*\*A debugger\.\*\*/,/^`tbreak` stops/p' CONTRIBUTING.md; }
# shellcheck disable=SC2016
section | sed -n '/^```sh$/,/^```$/{/^```/d;p}' | sed 's|gdb --args|gdb -batch -x "$commands" --args|' >"$folder/shell"
# shellcheck disable=SC2016
section | sed -n '/^tbreak /,/^```$/{/^```/d;p}' >"$folder/commands"
export commands=$folder/commands
say "building build/debug and stopping a kernel in gdb"
bash -eu "$folder/shell" >"$folder/said" 2>&1 || { tail -n 30 "$folder/said"; die "the recipe of CONTRIBUTING.md fails"; }
for shown in 'hit Temporary breakpoint .*bitmap_kernel<' 'thread_index = {x = 3,' '^counts = {data_ = ' '^piece = {' ' in .*run_kernel '; do
  grep -q "$shown" "$folder/said" || { tail -n 30 "$folder/said"; die "expected '$shown' of gdb, found none"; }
done
say "gdb shows the kernel's thread, arguments, variables and frames"
