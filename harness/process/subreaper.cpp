#include "harness/process/subreaper.hpp"

#include <sys/prctl.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace warpbench::harness {
namespace {

void check(int result) {
  if (result != 0) throw std::system_error(errno, std::generic_category(), "prctl");
}

}  // namespace

Subreaper::Subreaper() {
  check(::prctl(PR_GET_CHILD_SUBREAPER, &previous_));
  check(::prctl(PR_SET_CHILD_SUBREAPER, 1));
}

Subreaper::~Subreaper() {
  if (::prctl(PR_SET_CHILD_SUBREAPER, previous_) != 0) std::perror("warpbench: prctl");
}

}  // namespace warpbench::harness
