#!/usr/bin/env bash
# Runs clang-tidy on the sources that changed since the last commit but one, or with --all on all; then ruff and mypy on
# the Python sources. Uses the compile commands of the preset simt, which need not be built.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

database=build/simt/compile_commands.json
have run-clang-tidy-16 || die "clang-tidy-16 is missing; 'make setup-lint' installs it"
cmake --preset simt --log-level=NOTICE >/dev/null

# The changed files, committed or not; all files if there is no earlier commit to compare with.
changed() {
  local base
  if base=$(git rev-parse --quiet --verify "${LINT_BASE:-HEAD~1}"); then
    git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.cu'
    git ls-files --others --exclude-standard -- '*.cpp' '*.cu'
  else
    git ls-files --cached --others --exclude-standard -- '*.cpp' '*.cu'
  fi
}

case ${1:-} in
  --all) mapfile -t files < <(git ls-files --cached --others --exclude-standard -- '*.cpp' '*.cu') ;;
  "") mapfile -t files < <(changed | sort -u) ;;
  *) die "lint.sh takes --all or nothing, not '$1'" ;;
esac

# Only files of this build: those of the other backend have no compile command here.
patterns=()
for file in "${files[@]}"; do
  if grep -qF "/$file\"" "$database"; then patterns+=("/${file//./\\.}\$"); fi
done
if [ ${#patterns[@]} -eq 0 ]; then
  say "no C++ source to look at"
else
  say "clang-tidy over ${#patterns[@]} files"
  # The commands are for g++: clang does not know all of its warnings, the folder of its OpenMP header, or the arguments
  # that this header gives to one attribute.
  run-clang-tidy-16 -quiet -p build/simt -j "$(jobs)" -extra-arg=-Wno-unknown-warning-option -extra-arg=-Wno-ignored-attributes \
    -extra-arg=-Wno-unused-command-line-argument -extra-arg=-idirafter"$(g++ -print-file-name=include)" \
    -extra-arg="-D__malloc__(x)=__malloc__" "${patterns[@]}"
fi

if [ -x .venv/bin/ruff ]; then .venv/bin/ruff check --config plots/pyproject.toml plots tests peers; fi
if [ -x .venv/bin/mypy ]; then .venv/bin/mypy --config-file plots/pyproject.toml plots/warpbench_plots; fi
