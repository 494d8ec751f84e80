// See device/profiled_range.hpp.
#include "device/profiled_range.hpp"

#include <cuda_profiler_api.h>

#include "device/cuda/check.hpp"

namespace warpbench {

ProfiledRange::ProfiledRange() {
  cuda::check(cudaProfilerStart(), "cudaProfilerStart");
  open_ = true;
}

ProfiledRange::~ProfiledRange() {
  open_ = false;
  // Without an end the profiler goes on to the program's end; a destructor has no one to tell.
  (void)cudaProfilerStop();
}

}  // namespace warpbench
