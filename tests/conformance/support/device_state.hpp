// What solvers do to the device, under a test's control. On cuda the memory of the device is not looked into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#if defined(WARPBENCH_SIMT)
#include "device/simt/order.hpp"
#endif

namespace warpbench::conformance {

/// The contents of the device's memory at one moment: what a solver has uploaded before it solves.
class DeviceState {
 public:
  DeviceState();
  /// Undoes what was written since, and poisons what was allocated since: an answer that is not computed anew is gone.
  void restore() const;

 private:
  std::map<const std::byte*, std::vector<std::byte>> contents_;  ///< by allocation
};

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
