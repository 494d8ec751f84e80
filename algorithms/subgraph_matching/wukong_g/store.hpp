// KeyValueStore: the graph as Wukong+G keeps it on a GPU (gsi2020's reference [28]). Each edge label has a segment: a
// hash table from a vertex to its neighbours along that label. A bucket is eight entries of 16 bytes, seven of them
// keys; the eighth names the bucket where the others of a full one are ("cluster chaining").
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/subgraph_matching/label_partitions.hpp"
#include "device/integers.hpp"
#include "device/mix64.hpp"

namespace warpbench::matching::edge_join {

struct StoreEntry {
  Vertex vertex = kNone<Vertex>;
  std::uint32_t size = 0;    ///< of its neighbours
  std::uint64_t offset = 0;  ///< of the first of them; of a bucket's last entry: the next bucket, 0 for none
};

constexpr std::int64_t kBucketEntries = 8;

struct StoreSegment {
  std::int64_t first_bucket = 0;
  std::int64_t buckets = 0;  ///< that a vertex may hash to; 0: no edge has the label
};

struct KeyValueStore {
  std::vector<StoreEntry> entries;     ///< bucket after bucket; bucket 0 is no segment's
  std::vector<StoreSegment> segments;  ///< edge labels
};
/// O(vertices of all partitions).
[[nodiscard]] KeyValueStore make_store(const LabelPartitions& partitions);

/// The bucket of a segment that a vertex hashes to.
constexpr std::int64_t bucket_of(const StoreSegment& segment, Vertex v) {
  return segment.first_bucket + static_cast<std::int64_t>(mix64(v) % static_cast<std::uint64_t>(segment.buckets));
}

}  // namespace warpbench::matching::edge_join
