// The memory limit and the lane order of the device, under a test's control.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#if defined(WARPBENCH_SIMT)
#include "device/simt/order.hpp"
#endif

namespace warpbench::conformance {

/// Another limit on device memory while it lives.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::int64_t bytes);
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit();

 private:
  std::optional<std::int64_t> before_;
};

/// Another order of lanes and blocks while it lives; on cuda the only one that there is.
class LaneOrder {
 public:
  explicit LaneOrder(const std::string& order);
  LaneOrder(const LaneOrder&) = delete;
  LaneOrder& operator=(const LaneOrder&) = delete;
  ~LaneOrder();

 private:
#if defined(WARPBENCH_SIMT)
  simt::LaneOrder before_;
#endif
};

}  // namespace warpbench::conformance
