// The OS threads that run blocks: one pool for the whole process, shared by all streams, first launch first. Its
// size is the number of cores, at most 24, or $WARPBENCH_SIMT_THREADS.
#pragma once

#include <cstdint>

#include "device/simt/executor.hpp"

namespace warpbench::simt {

/// Threads of the pool, which is also how many blocks run at once.
int pool_threads();

/// Runs all blocks of `launch`, in its block order, and returns when they are done. Throws DeviceError with the first
/// error, GaveUp where the launch's end came first; blocks that had not begun by then are skipped.
void run_grid(Launch launch);

}  // namespace warpbench::simt
