// Resident<T>: an array of the host that a device works on. It is copied to page-locked memory once, uploaded from
// there as often as asked, asynchronously, to memory that stays.
//
//   Resident<std::uint32_t> neighbors;
//   neighbors.pin(graph.neighbors);      in prepare(): copies to pinned memory; the device has nothing yet
//   neighbors.upload(stream);            in each upload(): takes device memory at the first, then only copies
//   launch(kernel, grid, stream, neighbors.view(), …);
//   neighbors.release();                 gives the device memory back; the pinned copy stays for a next upload()
//
// An array that does not fit the device is uploaded in parts, from neighbors.host().subspan(…) to a Buffer.
#pragma once

#include <cstdint>
#include <span>

#include "device/buffer.hpp"
#include "device/stream.hpp"

namespace warpbench {

template <typename T>
class Resident {
 public:
  Resident() = default;
  explicit Resident(std::span<const T> values) { pin(values); }

  /// Copies `values` to pinned memory. The device must have passed the uploads of what was there before; device memory
  /// of another size is released. Throws DeviceError.
  void pin(std::span<const T> values) {
    if (static_cast<std::int64_t>(values.size()) != device_.size()) device_.reset();
    host_ = {};
    host_ = PinnedBuffer<T>(values);
  }

  /// Takes the device memory without copying, for a caller that wants the time of the two apart. Throws
  /// OutOfDeviceMemory.
  void allocate(Stream& stream) {
    if (device_.size() != host_.size()) device_ = Buffer<T>(host_.size(), stream);
  }
  /// Copies to the device, in stream order. Throws OutOfDeviceMemory, DeviceError.
  void upload(Stream& stream) {
    allocate(stream);
    device_.upload(host_.span(), stream);
  }
  /// Frees the device memory in stream order.
  void release() noexcept { device_.reset(); }

  [[nodiscard]] std::int64_t size() const noexcept { return host_.size(); }
  [[nodiscard]] std::int64_t bytes() const noexcept { return size() * static_cast<std::int64_t>(sizeof(T)); }
  [[nodiscard]] std::span<const T> host() const noexcept { return host_.span(); }
  /// On the device; empty before the first allocate() or upload(), and after release().
  [[nodiscard]] View<const T> view() const noexcept { return device_.view(); }

 private:
  PinnedBuffer<T> host_;
  Buffer<T> device_;
};

}  // namespace warpbench
