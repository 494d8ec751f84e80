// Buffers that one query leaves to the next: they grow and never shrink.
//
//   grow(table, rows * width, stream);                        at least so many elements; what it held is lost
//   grow(table, rows * width, stream, Contents::kept);        … is copied, device to device
//   grow(pinned, rows);                                       page-locked memory, which the device must have passed
//
// size() is the capacity. A buffer that must grow takes half as much again as it had: a series of slightly larger
// queries then seldom allocates. Where that does not fit, it takes just what was asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "device/buffer.hpp"
#include "device/error.hpp"
#include "device/stream.hpp"

namespace warpbench {

enum class Contents { lost, kept };

namespace detail {

/// Elements of a buffer that grows from `capacity` to hold `count`: at least 4096, unless memory is short.
constexpr std::int64_t grown_capacity(std::int64_t capacity, std::int64_t count) {
  return std::max({count, capacity + capacity / 2, std::int64_t{1} << 12});
}

}  // namespace detail

/// Gives `buffer` room for `count` elements, in stream order. Throws OutOfDeviceMemory; the buffer is then as before
/// if its contents were to be kept, else empty.
template <typename T>
void grow(Buffer<T>& buffer, std::int64_t count, Stream& stream, Contents contents = Contents::lost) {
  const std::int64_t capacity = buffer.size();
  if (count <= capacity && capacity > 0) return;
  if (contents == Contents::lost) buffer.reset();  // never both at once
  Buffer<T> larger;
  try {
    larger = Buffer<T>(detail::grown_capacity(capacity, count), stream);
  } catch (const OutOfDeviceMemory&) {
    larger = Buffer<T>(count, stream);
  }
  if (!buffer.empty()) larger.copy_from(buffer, stream);
  buffer = std::move(larger);
}

/// The same in page-locked memory. Throws DeviceError.
template <typename T>
void grow(PinnedBuffer<T>& buffer, std::int64_t count) {
  const std::int64_t capacity = buffer.size();
  if (count <= capacity && capacity > 0) return;
  buffer = {};
  buffer = PinnedBuffer<T>(detail::grown_capacity(capacity, count));
}

}  // namespace warpbench
