#include "tests/conformance/support/device_state.hpp"

#include "device/device.hpp"

#if defined(WARPBENCH_SIMT)
#include "device/simt/order.hpp"
#endif

namespace warpbench::conformance {

#if defined(WARPBENCH_SIMT)

LaneOrder::LaneOrder(const std::string& order) : before_(simt::lane_order()) {
  simt::set_lane_order(simt::parse_lane_order(order));
}
LaneOrder::~LaneOrder() {
  simt::set_lane_order(before_);
}

#else

LaneOrder::LaneOrder(const std::string& /*order*/) {}
LaneOrder::~LaneOrder() = default;

#endif

MemoryLimit::MemoryLimit(std::int64_t bytes) : before_(memory_limit()) {
  set_memory_limit(bytes);
}
MemoryLimit::~MemoryLimit() {
  set_memory_limit(before_);
}

}  // namespace warpbench::conformance
