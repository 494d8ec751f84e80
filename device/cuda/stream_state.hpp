// The owners of a CUDA stream and event. A stream's error is one that a callback or a destructor could not throw.
#pragma once

#include <cuda_runtime.h>

#include "device/backend/runtime.hpp"
#include "device/backend/stream_base.hpp"

namespace warpbench::runtime {

struct StreamState : StreamBase {
  explicit StreamState(int device);
  ~StreamState();
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

struct EventState {
  EventState();
  ~EventState();
  EventState(const EventState&) = delete;
  EventState& operator=(const EventState&) = delete;
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace warpbench::runtime
