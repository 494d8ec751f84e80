#pragma once

#include <cstdint>

#include "device/buffer.hpp"
#include "device/stream.hpp"

namespace warpbench {

/// Enqueues a kernel that runs for `nanoseconds` by the device's own clock, and writes when it began and ended to
/// times[0] and times[1].
void spin(Stream& stream, std::uint64_t nanoseconds, Buffer<std::uint64_t>& times);

}  // namespace warpbench
