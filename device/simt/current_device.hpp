// The calling thread's current simt device.
#pragma once

namespace warpbench::simt {

int current_device_index() noexcept;

}  // namespace warpbench::simt
