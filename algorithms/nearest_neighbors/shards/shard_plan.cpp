#include "algorithms/nearest_neighbors/shards/shard_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/integers.hpp"
#include "solvers/registry.hpp"

namespace warpbench::nearest_neighbors {

std::int64_t fewest_shards(std::int64_t points, std::int64_t free, const ShardMemory& memory) {
  if (memory.building(points) <= free) return 1;
  const std::int64_t most = std::min(points, kMaxShards);
  std::int64_t shards = std::min<std::int64_t>(2, most);
  check_search_memory(points, shards, free, memory);
  while (shards < most && memory.building(ceil_div(points, shards)) > free) ++shards;
  const std::int64_t building = memory.building(ceil_div(points, shards));
  if (building > free) {
    throw Unsupported(
        fmt::format("the graph of one of {} shards needs {} bytes of device memory while it is built, and "
                    "{} may be used: lower intermediate_degree or graph_degree, or allow more memory",
                    shards, building, free));
  }
  check_search_memory(points, shards, free, memory);
  return shards;
}

void check_search_memory(std::int64_t points, std::int64_t shards, std::int64_t free, const ShardMemory& memory) {
  const std::int64_t searching = memory.searching(shards);
  if (searching <= free) return;
  throw Unsupported(
      fmt::format("{} points in 8 bits and their graphs need {} bytes of device memory, and {} may be "
                  "used: lower graph_degree, or allow more memory",
                  points, searching, free));
}

}  // namespace warpbench::nearest_neighbors
