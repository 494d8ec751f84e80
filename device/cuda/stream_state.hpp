// A CUDA stream and event with their owners, and the error that a callback or a destructor could not throw.
#pragma once

#include <cuda_runtime.h>

#include <exception>
#include <mutex>

#include "device/backend/runtime.hpp"

namespace warpbench::runtime {

struct StreamState {
 public:
  explicit StreamState(int device);
  ~StreamState();
  StreamState(const StreamState&) = delete;
  StreamState& operator=(const StreamState&) = delete;

  cudaStream_t get() const { return stream_; }
  int device() const { return device_; }
  /// Keeps an error for the next synchronize(); the first one stays.
  void keep_error(const std::exception_ptr& error) noexcept;
  void rethrow_kept_error() const;

 private:
  int device_;
  cudaStream_t stream_ = nullptr;
  mutable std::mutex mutex_;
  std::exception_ptr error_;
};

struct EventState {
 public:
  EventState();
  ~EventState();
  EventState(const EventState&) = delete;
  EventState& operator=(const EventState&) = delete;
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace warpbench::runtime
