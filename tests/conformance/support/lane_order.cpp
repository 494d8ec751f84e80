#include "tests/conformance/support/lane_order.hpp"

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

}  // namespace warpbench::conformance
