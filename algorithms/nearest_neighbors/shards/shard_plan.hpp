// Into how many shards points are cut, so that the device has room for each while its graph is built, and for all of
// them, in 8 bits, while they are searched.
#pragma once

#include <cstdint>
#include <functional>

namespace warpbench::nearest_neighbors {

inline constexpr std::int64_t kMaxShards = 1024;

/// Bytes of device memory.
struct ShardMemory {
  std::function<std::int64_t(std::int64_t points)> building;   ///< one shard of so many points
  std::function<std::int64_t(std::int64_t shards)> searching;  ///< all of so many shards
};

/// The fewest shards with which `free` bytes are enough; 1, whose points stay in single precision beside, if they are
/// enough for building that. Throws Unsupported, with the bytes that are needed, where no number of shards is small
/// enough. O(kMaxShards).
[[nodiscard]] std::int64_t fewest_shards(std::int64_t points, std::int64_t free, const ShardMemory& memory);

/// Throws Unsupported where `free` bytes are not enough to search so many shards.
void check_search_memory(std::int64_t points, std::int64_t shards, std::int64_t free, const ShardMemory& memory);

/// The first point of a shard; that of shard number `shards` is the number of points.
[[nodiscard]] constexpr std::int64_t first_of_shard(std::int64_t shard, std::int64_t shards, std::int64_t points) {
  return points / shards * shard + points % shards * shard / shards;
}

}  // namespace warpbench::nearest_neighbors
