#include "algorithms/common_neighbors/counter/pass_plan.hpp"

#include <algorithm>

#include "device/error.hpp"
#include "device/integers.hpp"

namespace warpbench::common_neighbors {
namespace {

/// Vertices at which the slots are cut into `passes` nearly equal parts.
std::vector<std::uint64_t> balanced_boundaries(const datasets::Csr& graph, std::int64_t passes) {
  std::vector<std::uint64_t> boundaries{0};
  for (std::int64_t p = 1; p < passes; ++p) {
    const auto slot = static_cast<std::uint64_t>(graph.slots() / passes * p);
    const auto cut = std::ranges::lower_bound(graph.offsets, slot);
    boundaries.push_back(std::max(boundaries.back(), static_cast<std::uint64_t>(cut - graph.offsets.begin())));
  }
  boundaries.push_back(static_cast<std::uint64_t>(graph.vertices()));
  return boundaries;
}

}  // namespace

std::int64_t estimated_passes(std::int64_t csr_bytes, std::int64_t bitmap_bytes, std::int64_t memory_bytes) {
  const auto reserve = static_cast<std::int64_t>(static_cast<double>(memory_bytes) * kReserveShare);
  const std::int64_t left = memory_bytes - bitmap_bytes - reserve;
  if (left <= 0) throw OutOfDeviceMemory(bitmap_bytes + reserve, memory_bytes);
  return std::max<std::int64_t>(1, ceil_div(csr_bytes, left));
}

PassPlan plan_passes(const datasets::Csr& graph, std::int64_t passes, std::int64_t workspace_bytes,
                     std::int64_t free_bytes) {
  const std::int64_t offset_bytes = (graph.vertices() + 1) * std::int64_t{sizeof(std::uint64_t)};
  const std::int64_t slot_bytes = graph.slots() * std::int64_t{sizeof(std::uint32_t)};
  const auto reserve = static_cast<std::int64_t>(static_cast<double>(free_bytes) * kReserveShare);

  PassPlan plan;
  plan.resident_bytes = offset_bytes + 2 * slot_bytes + workspace_bytes + reserve;
  plan.resident = plan.resident_bytes <= free_bytes;
  plan.estimated = estimated_passes(slot_bytes, workspace_bytes + offset_bytes, free_bytes);
  if (passes == 0) passes = plan.resident ? 1 : plan.estimated;
  plan.boundaries = balanced_boundaries(graph, passes);
  return plan;
}

PassPlan plan_edge_ranges(const datasets::Csr& graph, std::int64_t passes, std::int64_t workspace_bytes,
                          const HostedBytes& hosted, std::int64_t free_bytes) {
  const std::int64_t offset_bytes = (graph.vertices() + 1) * std::int64_t{sizeof(std::uint64_t)};
  const std::int64_t slot_bytes = graph.slots() * std::int64_t{sizeof(std::uint32_t)};
  const std::int64_t count_bytes = graph.slots() / 2 * hosted.of_an_edge;
  const auto reserve = static_cast<std::int64_t>(static_cast<double>(free_bytes) * kReserveShare);

  PassPlan plan;
  plan.resident_bytes = offset_bytes + 2 * slot_bytes + workspace_bytes + reserve;
  plan.resident = passes <= 1 && plan.resident_bytes <= free_bytes;
  if (!plan.resident) {
    const std::int64_t beside = free_bytes - reserve - offset_bytes - hosted.kept;
    const std::int64_t left = beside < hosted.before_counts ? 0 : beside - hosted.beside_counts;
    plan.estimated = left <= 0 ? kMostPasses + 1 : std::max<std::int64_t>(1, ceil_div(count_bytes, left));
    if (std::max(passes, plan.estimated) > kMostPasses) {
      const std::int64_t counting = hosted.beside_counts + count_bytes / kMostPasses;
      throw OutOfDeviceMemory(offset_bytes + reserve + hosted.kept + std::max(hosted.before_counts, counting),
                              free_bytes);
    }
  }
  const std::int64_t edges = graph.slots() / 2;
  const std::int64_t ranges = plan.resident ? 1 : std::max(passes, plan.estimated);
  for (std::int64_t p = 0; p <= ranges; ++p) {
    plan.boundaries.push_back(static_cast<std::uint64_t>(edges / ranges * p + edges % ranges * p / ranges));
  }
  return plan;
}

}  // namespace warpbench::common_neighbors
