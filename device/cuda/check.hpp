// The one place where a CUDA call's result is judged.
#pragma once

#include <cuda_runtime.h>

#include <source_location>

namespace warpbench::cuda {

/// Throws DeviceError with `call`, CUDA's name and text of `result`, and the place, unless it is cudaSuccess.
void check(cudaError_t result, const char* call,
           const std::source_location& location = std::source_location::current());

/// Makes `device` current for as long as this lives.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

}  // namespace warpbench::cuda
