// Failure: the trial status that an exception stands for.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "harness/record/status.hpp"

namespace warpbench::harness {

/// A GPU solver was asked for on a machine without a GPU.
class NoDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Failure {
  Status status = Status::crash;
  std::string reason;
};

/// Maps OutOfDeviceMemory: oom_device; DeviceError: gpu_error; bad_alloc: oom_host; InputError and ParameterError:
/// bad_input; Unsupported: unsupported; NoDevice: no_device; NotJudged: unverified; anything else: crash. `stage` ("in
/// prepare") is appended to the reason.
Failure failure_from(const std::exception_ptr& error, const std::string& stage);

}  // namespace warpbench::harness
