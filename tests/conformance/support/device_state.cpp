#include "tests/conformance/support/device_state.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "device/device.hpp"

#if defined(WARPBENCH_SIMT)
#include "device/simt/memory.hpp"
#include "device/simt/order.hpp"
#endif

namespace warpbench::conformance {

#if defined(WARPBENCH_SIMT)

void poison_on_device(std::span<const std::byte> answer) {
  constexpr std::size_t kMinBytes = 32;
  if (answer.size() < kMinBytes || std::ranges::count(answer, answer[0]) == std::ssize(answer)) return;
  const std::vector<std::byte> wanted(answer.begin(), answer.end());
  for (std::span<std::byte> memory : simt::live_device_memory()) {
    while (void* const found = memmem(memory.data(), memory.size(), wanted.data(), wanted.size())) {
      std::memset(found, simt::kPoison, wanted.size());
      memory = memory.subspan(static_cast<std::size_t>(static_cast<std::byte*>(found) - memory.data()) + wanted.size());
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

void poison_on_device(std::span<const std::byte> /*answer*/) {}

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
