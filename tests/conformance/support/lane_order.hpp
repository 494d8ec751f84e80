// LaneOrder: another order of lanes and blocks on the device, under a test's control.
#pragma once

#include <string>

#if defined(WARPBENCH_SIMT)
#include "device/simt/order.hpp"
#endif

namespace warpbench::conformance {

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
