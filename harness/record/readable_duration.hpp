// Durations for human readers.
#pragma once

#include <string>

namespace warpbench::harness {

/// 12 ms, 3.4 s, 2 min 5 s, 1 h 3 min.
std::string readable_duration(double seconds);

}  // namespace warpbench::harness
