// See check.hpp.
#include "device/cuda/check.hpp"

#include <string>

#include "device/error.hpp"

namespace warpbench::cuda {

void check(cudaError_t result, const char* call, const std::source_location& location) {
  if (result == cudaSuccess) return;
  // Errors that are not sticky must not be found again by the next, innocent check.
  (void)cudaGetLastError();
  throw DeviceError(std::string(call) + " failed: " + cudaGetErrorName(result) + ": " + cudaGetErrorString(result) +
                    " [" + location.file_name() + ":" + std::to_string(location.line()) + "]");
}

DeviceScope::DeviceScope(int device) {
  check(cudaGetDevice(&before_), "cudaGetDevice");
  if (before_ == device) return;
  check(cudaSetDevice(device), "cudaSetDevice");
  changed_ = true;
}

DeviceScope::~DeviceScope() {
  // It was current before, so it can be again; a destructor has no one to tell.
  if (changed_) (void)cudaSetDevice(before_);
}

}  // namespace warpbench::cuda
