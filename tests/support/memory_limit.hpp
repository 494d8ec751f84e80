// MemoryLimit: another limit on device memory, under a test's control.
#pragma once

#include <cstdint>
#include <optional>

#include "device/device.hpp"

namespace warpbench::testing {

/// Limits all device memory in use to `bytes` while it lives.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::int64_t bytes) : before_(memory_limit()) { set_memory_limit(bytes); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() { set_memory_limit(before_); }

 private:
  std::optional<std::int64_t> before_;
};

}  // namespace warpbench::testing
