// See device/profiled_range.hpp.
#include "device/profiled_range.hpp"

#include <cuda_profiler_api.h>

#include "device/cuda/check.hpp"

namespace warpbench {
namespace {

thread_local bool lives = false;

}  // namespace

ProfiledRange::ProfiledRange() {
  cuda::check(cudaProfilerStart(), "cudaProfilerStart");
  lives = true;
}

ProfiledRange::~ProfiledRange() {
  lives = false;
  // Without an end the profiler goes on to the program's end; a destructor has no one to tell.
  (void)cudaProfilerStop();
}

bool ProfiledRange::open() {
  return lives;
}

}  // namespace warpbench
