// CUB's two-step protocol in one place: ask for the temporary storage, take it from the stream's pool, run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/buffer.hpp"
#include "device/cuda/check.hpp"
#include "device/cuda/stream_state.hpp"
#include "device/stream.hpp"

namespace warpbench::cuda {

/// Calls `function(temporary, bytes, stream)`, a CUB call with everything else bound, twice. Throws DeviceError naming
/// `call`, OutOfDeviceMemory.
template <typename Function>
void call_cub(const char* call, Stream& stream, Function function) {
  const DeviceScope scope(stream.handle()->device());
  std::size_t bytes = 0;
  check(function(nullptr, bytes, stream.handle()->get()), call);
  // CUB takes a null pointer for the question, so even nothing needs an address.
  Buffer<std::uint8_t> temporary(static_cast<std::int64_t>(bytes > 0 ? bytes : 1), stream);
  check(function(temporary.data(), bytes, stream.handle()->get()), call);
}

}  // namespace warpbench::cuda
