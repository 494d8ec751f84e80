// CacheFlusher: evicts what the last sample left in the L2 of the GPU, or in the caches of the CPU.
#pragma once

#include <memory>

namespace warpbench::harness {

class CacheFlusher {
 public:
  /// `gpu`: the current device's L2, by a memset of twice its size; else 64 MiB or more of host memory. Throws
  /// DeviceError, OutOfDeviceMemory, std::bad_alloc.
  explicit CacheFlusher(bool gpu);
  CacheFlusher(CacheFlusher&&) noexcept;
  CacheFlusher& operator=(CacheFlusher&&) noexcept;
  ~CacheFlusher();

  /// Returns when the caches hold other data.
  void flush();

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace warpbench::harness
