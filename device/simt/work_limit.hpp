// The end of the WorkLimit that lives now, for launches.
#pragma once

#include <chrono>

namespace warpbench::simt {

/// time_point::max() without a limit.
std::chrono::steady_clock::time_point end_of_work();

}  // namespace warpbench::simt
