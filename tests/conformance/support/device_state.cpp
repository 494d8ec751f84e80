#include "tests/conformance/support/device_state.hpp"

#include <cstring>

#include "device/device.hpp"

#if defined(WARPBENCH_SIMT)
#include "device/simt/memory.hpp"
#include "device/simt/order.hpp"
#endif

namespace warpbench::conformance {

#if defined(WARPBENCH_SIMT)

DeviceState::DeviceState() {
  for (const auto memory : simt::live_device_memory()) contents_[memory.data()] = {memory.begin(), memory.end()};
}

void DeviceState::restore() const {
  for (const auto memory : simt::live_device_memory()) {
    const auto before = contents_.find(memory.data());
    if (before != contents_.end() && before->second.size() == memory.size()) {
      std::memcpy(memory.data(), before->second.data(), memory.size());
    } else {
      std::memset(memory.data(), simt::kPoison, memory.size());
    }
  }
}

LaneOrder::LaneOrder(const std::string& order) : before_(simt::lane_order()) {
  simt::set_lane_order(simt::parse_lane_order(order));
}
LaneOrder::~LaneOrder() {
  simt::set_lane_order(before_);
}

#else

DeviceState::DeviceState() = default;
void DeviceState::restore() const {}

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
