// Multi-pass planning (che2019, "Multi-Pass Processing" and Table 6): how the graph is laid out in device memory and
// into how many ranges of v the work is cut. The document prints no formula; this one reproduces its Table 6 (12 GB
// card): the lists N(v) of a pass must fit what bitmaps, offsets and a reserve leave free.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/graphs/csr.hpp"

namespace warpbench::common_neighbors {

/// The most that `passes` may be.
inline constexpr std::int64_t kMostPasses = 1024;

/// Share of the device's memory that is left alone: the allocator's rounding, the driver, kernels' local memory.
inline constexpr double kReserveShare = 0.05;

struct PassPlan {
  /// Everything is in device memory, whatever the number of passes. Otherwise the device holds the offsets and one
  /// pass's lists, of plan_edge_ranges() the oriented edges and one pass's counts, while the rows N(u) and the counts
  /// stay in mapped host memory.
  bool resident = true;
  std::int64_t resident_bytes = 0;  ///< of device memory, which that takes
  /// Pass p handles the slots e(u,v) with boundaries[p] <= v < boundaries[p + 1]; passes + 1 ascending vertices. Of
  /// plan_edge_ranges() they are edges in place of vertices.
  std::vector<std::uint64_t> boundaries;

  /// Table 6's estimate for this graph and memory, whatever was asked for; of plan_edge_ranges() the ranges that memory
  /// asks for.
  std::int64_t estimated = 1;

  [[nodiscard]] std::int64_t passes() const { return static_cast<std::int64_t>(boundaries.size()) - 1; }
};

/// ceil(csr_bytes / (memory_bytes - bitmap_bytes - reserve)), at least 1: Table 6's "estimated number of passes".
/// Throws OutOfDeviceMemory where the bitmaps alone leave nothing.
std::int64_t estimated_passes(std::int64_t csr_bytes, std::int64_t bitmap_bytes, std::int64_t memory_bytes);

/// Plans for `free_bytes` of device memory of which the algorithm takes `workspace_bytes` besides graph and counts.
/// `passes` 0 chooses the number; any other is taken as given. Ranges of v are cut so that each holds about the
/// same number of slots. O(vertices).
PassPlan plan_passes(const datasets::Csr& graph, std::int64_t passes, std::int64_t workspace_bytes,
                     std::int64_t free_bytes);

/// Device memory of a method that leaves rows and counts in host memory, besides offsets and the counts of a range of
/// edges: what it keeps throughout, the most that it takes besides before there are counts, and what it takes beside
/// these.
struct HostedBytes {
  std::int64_t kept = 0;
  std::int64_t before_counts = 0;
  std::int64_t beside_counts = 0;
  std::int64_t of_an_edge = 4;  ///< its count
};

/// Plans for a method that counts all slots by edges: with `workspace_bytes` of device memory besides graph and counts
/// where all of that fits and `passes` is not above 1; otherwise with `hosted`, in `passes` ranges of edges, or as many
/// more as memory asks for. Throws OutOfDeviceMemory where kMostPasses of them do not suffice.
PassPlan plan_edge_ranges(const datasets::Csr& graph, std::int64_t passes, std::int64_t workspace_bytes,
                          const HostedBytes& hosted, std::int64_t free_bytes);

}  // namespace warpbench::common_neighbors
