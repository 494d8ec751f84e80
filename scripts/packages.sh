# The Debian packages by purpose; sourced by setup.sh and doctor.sh.
# shellcheck shell=bash disable=SC2034
packages_build=(
  g++ cmake ninja-build git ca-certificates
  libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libfmt-dev libspdlog-dev
  libboost-context-dev libboost-stacktrace-dev libhwy-dev libxxhash-dev zlib1g-dev
  python3 python3-venv
)
# The build works without these and reports the lost features.
mapfile -t packages_optional < <(sed -nE 's/^warpbench_library\(.* DEBIAN ([^ ]+).*/\1/p' cmake/Libraries.cmake | sort -u)
packages_test=(libgtest-dev clang-format shellcheck)
# The first opens the site's pages. Ubuntu has none of that name: any Chromium or Chrome in PATH serves. The others are
# for scripts/slurm/check.sh and scripts/debugger-check.sh.
packages_nightly=(chromium slurmctld slurmd slurm-client munge gdb)
# 16: the oldest version that can read all headers of g++ 12 (std::source_location), and both systems have it.
packages_lint=(clang-16 clang-tidy-16 libclang-rt-16-dev)

# Prints the arguments that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      printf '%s\n' "$package"
    fi
  done
}
