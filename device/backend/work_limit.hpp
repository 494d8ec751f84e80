// WorkLimit: ends kernels at the time at which their caller gives up. simt may take a thousand times as long for a
// kernel as a GPU. On cuda it does nothing: a kernel runs to its end, and what must keep a time launches it in slices.
#pragma once

#include <chrono>

#include "device/error.hpp"

namespace warpbench {

/// The time of the caller is up: a WorkLimit ended a kernel, or the caller launches no more.
class GaveUp final : public DeviceError {
 public:
  GaveUp() : DeviceError("work was ended because the time of its caller was up") {}
};

/// For kernels that this thread launches while it lives: they end at `end`, and the next synchronising call of their
/// stream throws GaveUp. So does an allocation that takes longer. Unlike other errors this one does not stay with the
/// stream beyond the limit's life, so that the stream can be used again. A thread has one limit at a time, and a stream
/// that it uses under it is used by no other thread meanwhile.
class WorkLimit {
 public:
  explicit WorkLimit(std::chrono::steady_clock::time_point end);
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;
  /// On simt it waits for the streams that the thread used.
  ~WorkLimit();
};

}  // namespace warpbench
