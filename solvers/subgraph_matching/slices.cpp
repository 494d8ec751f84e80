#include "solvers/subgraph_matching/slices.hpp"

#include "device/device.hpp"

namespace warpbench::matching {
namespace {

/// A slice in between is as long as it should be.
constexpr double kShortSeconds = 0.004;
constexpr double kLongSeconds = 0.016;
/// simt's kernels take about so many times as long.
constexpr std::int64_t kSlowerOnSimt = 1024;
/// What may be under way before PacedLaunches waits: some 30 ms on an H200.
constexpr std::int64_t kMaxStepsUnderWay = std::int64_t{1} << 28;

}  // namespace

SliceSizes slices_of_lists(std::int64_t steps) {
  constexpr std::int64_t kSteps = std::int64_t{1} << 30;
  constexpr std::int64_t kFewest = std::int64_t{1} << 16;
  constexpr std::int64_t kFirst = std::int64_t{1} << 20;
  constexpr std::int64_t kMost = std::int64_t{1} << 24;
  return {std::clamp(kSteps / std::max<std::int64_t>(steps, 1), kFewest, kFirst), kMost};
}

SliceSizes on_this_backend(const SliceSizes& sizes) {
  const std::int64_t divisor = backend_name() == "simt" ? kSlowerOnSimt : 1;
  return {std::max<std::int64_t>(sizes.first / divisor, 1), std::max<std::int64_t>(sizes.most / divisor, 1)};
}

std::int64_t next_slice(std::int64_t size, double seconds, const SliceSizes& sizes) {
  if (seconds < kShortSeconds) return std::min(2 * size, sizes.most);
  return seconds > kLongSeconds ? std::max<std::int64_t>(size / 2, 1) : size;
}

bool PacedLaunches::go_on(std::int64_t steps) {
  if (under_way_ + steps > kMaxStepsUnderWay) {
    stream_.synchronize();
    under_way_ = 0;
  }
  under_way_ += steps;
  return !deadline_.passed();
}

}  // namespace warpbench::matching
