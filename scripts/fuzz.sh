#!/usr/bin/env bash
# Builds each fuzz target of tests/fuzz with clang and runs it for FUZZ_SECONDS (default 60). Inputs that crash it stay
# in build/fuzz/; once the bug is fixed, add the file to the malformed files of the tests.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

have clang++-16 || die "fuzzing needs clang-16; 'make setup-lint' installs it"
shopt -s nullglob
targets=(tests/fuzz/*_fuzzer.cpp)
[ ${#targets[@]} -gt 0 ] || die "no targets in tests/fuzz"

objects=build/fuzz/objects
mkdir -p "$objects"
flags=(-std=c++20 -g -O1 -I. "-fsanitize=fuzzer-no-link,address,undefined" -fno-sanitize-recover=undefined)
compiler=(clang++-16)
if have ccache; then compiler=(ccache clang++-16); fi
say "compiling the loaders for fuzzing"
for source in $(tests/fuzz/sources.sh); do
  "${compiler[@]}" "${flags[@]}" -c "$source" -o "$objects/${source//\//_}.o"
done
for target in "${targets[@]}"; do
  name=$(basename "$target" .cpp)
  corpus=build/fuzz/corpus/$name
  mkdir -p "$corpus"
  "${compiler[@]}" "${flags[@]}" -fsanitize=fuzzer "$target" "$objects"/*.o -lz -pthread -o "build/fuzz/$name"
  say "fuzzing $name for ${FUZZ_SECONDS:-60} s"
  "build/fuzz/$name" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=5 -rss_limit_mb=2048 -verbosity=0 \
    -artifact_prefix="build/fuzz/$name-" "$corpus" tests/data/bad_graphs tests/data/bad_vectors tests/data/bad_sets \
    tests/data/bad_ratings tests/data/bad_relations
done
