// CacheFlusher: evicts the data of the last sample from the L2 of the GPU or from the caches of the CPU.
#pragma once

#include <memory>

namespace warpbench::harness {

class CacheFlusher {
 public:
  /// If `gpu`, flushes the current device's L2 with a memset of twice its size; otherwise uses at least 64 MiB of host
  /// memory. Throws DeviceError, OutOfDeviceMemory, std::bad_alloc.
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
