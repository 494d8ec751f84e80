#!/usr/bin/env bash
# Builds the given presets (default: ci, and cuda if a GPU is usable) and runs all their tests in one ctest call, whose
# own summary is printed last.
# usage: scripts/test.sh [PRESET...]    CTEST_ARGUMENTS: passed on, e.g. CTEST_ARGUMENTS='-R datasets'
#                                       GTEST_FILTER: the cases to run, e.g. GTEST_FILTER='Snap*'
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

presets=("$@")
if [ ${#presets[@]} -eq 0 ]; then
  presets=(ci)
  backend=$(scripts/backend.sh)
  if [ "$backend" = cuda ]; then presets+=(cuda); fi
fi
for preset in "${presets[@]}"; do scripts/build.sh "$preset"; done

# A ctest file that includes the build directories: one call, one count.
all=build/tests-$(IFS=-; echo "${presets[*]}")
mkdir -p "$all"
for preset in "${presets[@]}"; do printf 'subdirs("%s")\n' "$PWD/build/$preset"; done > "$all/CTestTestfile.cmake"
say "testing ${presets[*]}"
read -ra arguments <<< "${CTEST_ARGUMENTS:-}"
ctest --test-dir "$all" --parallel "$(nproc)" --output-on-failure --no-tests=error "${arguments[@]}"
