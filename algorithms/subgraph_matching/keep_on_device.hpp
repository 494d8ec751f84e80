// keep_on_device: what a solver uploads again for each sample goes where it lay before.
#pragma once

#include <cstdint>
#include <vector>

#include "device/buffer.hpp"

namespace warpbench::matching {

/// `buffer` holds the values, in stream order. One of another size is freed first, so that never both are there.
template <typename T>
void keep_on_device(Buffer<T>& buffer, const std::vector<T>& values, Stream& stream) {
  const auto size = static_cast<std::int64_t>(values.size());
  if (buffer.size() != size) {
    buffer.reset();
    buffer = Buffer<T>(size, stream);
  }
  buffer.upload(values, stream);
}

}  // namespace warpbench::matching
