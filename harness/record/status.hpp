// Status: how a trial ended.
#pragma once

#include <string>

namespace warpbench::harness {

/// The way a trial ended. Only `ok` has a time that may enter a comparison. A trial whose answer lacks all of its
/// parts, such as queries, is not `ok`: solved.hpp.
enum class Status {
  ok,
  wrong,
  unverified,
  oom_host,
  oom_device,
  timeout,
  crash,
  gpu_error,
  bad_input,
  unsupported,
  no_device,
  interrupted
};
const char* to_string(Status status);
/// Throws std::invalid_argument that lists the known names.
Status status_from(const std::string& text);

}  // namespace warpbench::harness
