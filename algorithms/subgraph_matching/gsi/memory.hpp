// Memory that a query leaves to the next: buffers that grow.
#pragma once

#include <cstdint>

#include "device/buffer.hpp"

namespace warpbench::matching::gsi {

inline constexpr std::int64_t kLeastElements = 1 << 12;

/// `wanted` elements at least; what the buffer held is lost where it grows.
template <typename T>
void grow(Buffer<T>& buffer, std::int64_t wanted, Stream& stream) {
  if (buffer.size() >= wanted && !buffer.empty()) return;
  buffer.reset();
  buffer = Buffer<T>(wanted > kLeastElements ? wanted : kLeastElements, stream);
}

/// The same in page-locked memory, which the device must have passed.
template <typename T>
void grow(PinnedBuffer<T>& buffer, std::int64_t wanted) {
  if (buffer.size() >= wanted && buffer.size() > 0) return;
  buffer = {};
  buffer = PinnedBuffer<T>(wanted > kLeastElements ? wanted : kLeastElements);
}

}  // namespace warpbench::matching::gsi
