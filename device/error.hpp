// The exceptions of the device layer. Every failed call, launch, kernel or allocation becomes one of these;
// a message names the call or the kernel, the place in the source and, on simt, block and thread.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace warpbench {

/// A runtime call, a launch or a kernel failed.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An allocation did not fit into what the device, or the memory limit, leaves free.
class OutOfDeviceMemory final : public DeviceError {
 public:
  /// `wanted_bytes` were asked for while `free_bytes` were free.
  OutOfDeviceMemory(std::int64_t wanted_bytes, std::int64_t free_bytes)
      : DeviceError("out of device memory: wanted " + std::to_string(wanted_bytes) + " bytes, " +
                    std::to_string(free_bytes) + " bytes are free"),
        wanted_bytes_(wanted_bytes),
        free_bytes_(free_bytes) {}

  std::int64_t wanted_bytes() const noexcept { return wanted_bytes_; }
  std::int64_t free_bytes() const noexcept { return free_bytes_; }

 private:
  std::int64_t wanted_bytes_;
  std::int64_t free_bytes_;
};

}  // namespace warpbench
