#!/usr/bin/env bash
# Installs the packages that this machine lacks and says so. If nothing is missing, does nothing and needs no root.
# usage: scripts/setup.sh [plots|build|test|nightly|lint]
#   plots: to draw figures, Python packages only; build: to build and run; test: also to test; nightly: also a browser,
#   where it is a package; lint: also clang-tidy
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=scripts/packages.sh
. scripts/packages.sh

level=${1:-build}
requirements=plots/requirements.txt
wanted=("${packages_build[@]}")
case $level in
  build) ;;
  plots) wanted=() ;;
  test | nightly | lint)
    wanted+=("${packages_test[@]}")
    requirements=plots/requirements-dev.txt
    if [ "$level" = lint ]; then wanted+=("${packages_lint[@]}"); fi
    if [ "$level" = nightly ]; then packages_optional+=("${packages_nightly[@]}"); fi
    ;;
  *) die "setup.sh takes plots, build, test, nightly or lint, not '$level'" ;;
esac

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

install_packages() {
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  mapfile -t optional < <(missing_packages "${packages_optional[@]}")
  if [ $((${#missing[@]} + ${#optional[@]})) -eq 0 ]; then return; fi
  if [ "$(id -u)" -ne 0 ] && ! have sudo; then
    if [ ${#missing[@]} -eq 0 ]; then return; fi
    die "these Debian packages are missing and installing them needs root: apt-get install ${missing[*]}"
  fi
  say "installing Debian packages: ${missing[*]} ${optional[*]}"
  as_root apt-get -qq update
  if [ ${#missing[@]} -gt 0 ]; then
    as_root apt-get -qq install --yes --no-install-recommends "${missing[@]}" >/dev/null ||
      die "apt-get could not install ${missing[*]}; its message stands above"
  fi
  if [ ${#optional[@]} -gt 0 ]; then
    as_root apt-get -qq install --yes --no-install-recommends "${optional[@]}" >/dev/null ||
      say "going on without the optional packages ${optional[*]}"
  fi
}

# Creates the virtual environment for figures, report and Python tests. Its stamp is a digest of the request, so that a
# second call does nothing; 'test' includes everything in 'build'.
install_python() {
  local stamp=.venv/.installed digest
  if ! .venv/bin/python -c '' 2>/dev/null; then
    say "making the virtual environment .venv"
    rm -rf .venv
    "${PYTHON:-python3}" -m venv .venv || die "'python3 -m venv' failed; its message stands above"
  fi
  digest=$({ cat plots/requirements*.txt && pwd; } | sha256sum | cut -d' ' -f1)
  if grep -qsx "$digest $requirements" "$stamp"; then return; fi
  say "installing Python packages of $requirements"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement "$requirements" ||
    die "pip could not install $requirements; its message stands above"
  # Python reads the package from the checkout, which holds its data: a path file replaces an installed copy.
  printf '%s\n' "$PWD/plots" > "$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/warpbench-plots.pth"
  printf '%s\n' "$digest plots/requirements.txt" "$digest $requirements" > "$stamp"
}

if [ "$level" = plots ]; then
  :
elif have dpkg-query; then
  install_packages
else
  say "no Debian or Ubuntu: the equivalents of these packages have to be there: ${wanted[*]}"
fi
install_python
