#!/usr/bin/env bash
# Installs a peer's packages (PyPI) into an environment of its own, build/peers/NAME, and prints the line that tells
# Warpbench of it. docs/external-programs.md says what each peer is.
# usage: scripts/peer.sh NAME    NAME: als-implicit, cagra, cudf, cugraph, duckdb, faiss, scipy, or postgresql
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"

name=${1:-}
variable=WARPBENCH_$(tr 'a-z-' 'A-Z_' <<<"$name")
case $name in
  als-implicit) adaptor=als_implicit packages=(implicit) ;;
  cagra) adaptor=cagra_peer packages=(cuvs-cu13 cupy-cuda13x) ;;
  cudf) adaptor=cudf_peer packages=(pylibcudf-cu13 cupy-cuda13x) variable=WARPBENCH_EXTERNAL_CUDF ;;
  cugraph) adaptor=cugraph_peer packages=(pylibcugraph-cu13 cupy-cuda13x) variable=WARPBENCH_EXTERNAL_CUGRAPH ;;
  duckdb) adaptor=duckdb_peer packages=(duckdb numpy) ;;
  faiss) adaptor=faiss_peer packages=(faiss-cpu) ;;
  postgresql) adaptor=postgresql packages=() ;;
  scipy) adaptor=scipy_counts packages=(scipy) variable=WARPBENCH_EXTERNAL_SCIPY ;;
  *) sed -n '2,4s/^# //p' "$0" >&2; die "expected the name of a peer, found '$name'" ;;
esac

python=$PWD/build/peers/$name/bin/python
say "installing ${packages[*]:-nothing} into build/peers/$name"
python3 -m venv "build/peers/$name"
if [ ${#packages[@]} -gt 0 ]; then "$python" -m pip install --quiet --disable-pip-version-check "${packages[@]}"; fi
# What it says without a request: that it is ready, or why it is not.
ready=$("$python" "peers/$adaptor.py" </dev/null) || die "peers/$adaptor.py failed"
say "$ready"
grep -q '"ready"' <<<"$ready" || exit 1
printf "export %s='%s %s'\n" "$variable" "$python" "$PWD/peers/$adaptor.py"
