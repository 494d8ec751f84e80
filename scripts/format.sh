#!/usr/bin/env bash
# Formats the C++, CUDA and Python sources; with --check lists the unformatted ones instead. The reference is
# clang-format 14 (Debian 12). Other versions format differently, so with them --check is skipped (exit 77).
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

check=()
python_check=()
case ${1:-} in
  "") ;;
  --check) check=(--dry-run --Werror) python_check=(--check) ;;
  *) die "format.sh takes --check or nothing, not '$1'" ;;
esac

clang_format=$(command -v clang-format-14 || command -v clang-format) || die "clang-format is missing; 'make setup-test' installs it"
version=$("$clang_format" --version | sed 's/.*version \([0-9]*\)\..*/\1/')
if [ "$version" != 14 ]; then
  say "clang-format is version $version; the sources follow version 14"
  exit 77
fi
if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  say "this is no git checkout, and git names the files to look at"
  exit 77
fi
status=0
sources '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs -0 --no-run-if-empty "$clang_format" -i "${check[@]}" || status=1
if [ -x .venv/bin/black ]; then
  sources '*.py' | xargs -0 --no-run-if-empty .venv/bin/black --quiet --config plots/pyproject.toml "${python_check[@]}" || status=1
fi
if [ $status -ne 0 ]; then die "some files are not formatted; 'make format' does it"; fi
