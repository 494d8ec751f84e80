// Streams and events: work of one stream runs in order and asynchronously to the host, on both backends.
// A kernel's error is kept by its stream and thrown by the next synchronising call, as on a GPU.
#pragma once

#include <functional>
#include <utility>

#include "device/backend/runtime.hpp"

namespace warpbench {

class Event;

/// An in-order queue of device work on the device that was current when it was made. Move-only.
/// The destructor waits for the queued work; it does not throw, so synchronize() first to see errors.
class Stream {
 public:
  /// Throws DeviceError.
  Stream() : handle_(runtime::create_stream()) {}
  Stream(Stream&&) noexcept = default;
  Stream& operator=(Stream&&) noexcept = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() = default;

  /// Blocks until all queued work is done. Throws DeviceError if some of it failed; the error is sticky: on simt
  /// the stream skips all later work, on cuda the device's context is lost.
  void synchronize() { runtime::synchronize(*handle_); }

  /// Work queued from now on runs after what `event` recorded (at once if it never recorded).
  inline void wait(const Event& event);

  /// Runs `function` on a thread of the runtime when the stream reaches it. It must not call the device layer;
  /// what it throws becomes the stream's error.
  void run_on_host(std::function<void()> function) { runtime::run_on_host(*handle_, std::move(function)); }

  /// The backend's state, for runtime:: functions; buffers share it, so it outlives this handle if needed.
  const runtime::StreamHandle& handle() const noexcept { return handle_; }

 private:
  runtime::StreamHandle handle_;
};

/// A point in a stream with the time at which the device passed it. Move-only.
class Event {
 public:
  /// Throws DeviceError.
  Event() : handle_(runtime::create_event()) {}
  Event(Event&&) noexcept = default;
  Event& operator=(Event&&) noexcept = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() = default;

  /// Marks the stream's present end; replaces an earlier record.
  void record(Stream& stream) { runtime::record(handle_, *stream.handle()); }

  /// Blocks until the recorded point has passed. Throws DeviceError if work before it failed.
  void synchronize() { runtime::synchronize(*handle_); }

  /// True once the recorded point has passed (or nothing was ever recorded).
  bool ready() const { return runtime::ready(*handle_); }

  const runtime::EventHandle& handle() const noexcept { return handle_; }

 private:
  runtime::EventHandle handle_;
};

inline void Stream::wait(const Event& event) {
  runtime::wait(*handle_, event.handle());
}

/// Seconds on the device's clock from `start` to `stop`, both recorded and passed. Throws DeviceError otherwise.
inline double seconds_between(const Event& start, const Event& stop) {
  return runtime::seconds_between(*start.handle(), *stop.handle());
}

}  // namespace warpbench
