#include "algorithms/subgraph_matching/wukong_g/store.hpp"

namespace warpbench::matching::edge_join {
namespace {

constexpr std::int64_t kKeys = kBucketEntries - 1;
/// Keys a bucket on average: few buckets overflow.
constexpr std::int64_t kMeanKeys = 4;

class StoreBuilder {
 public:
  explicit StoreBuilder(const LabelPartitions& partitions) : partitions_(partitions) { add_buckets(1); }

  KeyValueStore build() {
    for (std::size_t label = 0; label < partitions_.labels(); ++label) {
      const auto keys = static_cast<std::int64_t>(partitions_.size(static_cast<Label>(label)));
      const std::int64_t buckets = ceil_div(keys, kMeanKeys);
      const StoreSegment segment{add_buckets(buckets), buckets};
      for (std::uint64_t i = partitions_.vertex_offsets[label]; i < partitions_.vertex_offsets[label + 1]; ++i) {
        insert(segment, i);
      }
      store_.segments.push_back(segment);
    }
    return std::move(store_);
  }

 private:
  /// The first of them.
  std::int64_t add_buckets(std::int64_t count) {
    const std::size_t before = store_.entries.size();
    store_.entries.resize(before + static_cast<std::size_t>(count * kBucketEntries));
    return static_cast<std::int64_t>(before) / kBucketEntries;
  }
  StoreEntry& entry(std::int64_t bucket, std::int64_t i) {
    return store_.entries[static_cast<std::size_t>(bucket * kBucketEntries + i)];
  }

  void insert(const StoreSegment& segment, std::uint64_t place) {
    const StoreEntry added{partitions_.vertices[place], partitions_.sizes[place], partitions_.first_slots[place]};
    for (std::int64_t bucket = bucket_of(segment, added.vertex);;) {
      for (std::int64_t i = 0; i < kKeys; ++i) {
        if (entry(bucket, i).vertex != kNone<Vertex>) continue;
        entry(bucket, i) = added;
        return;
      }
      if (entry(bucket, kKeys).offset == 0) {
        const std::int64_t next = add_buckets(1);  // moves the entries
        entry(bucket, kKeys).offset = static_cast<std::uint64_t>(next);
      }
      bucket = static_cast<std::int64_t>(entry(bucket, kKeys).offset);
    }
  }

  const LabelPartitions& partitions_;
  KeyValueStore store_;
};

}  // namespace

KeyValueStore make_store(const LabelPartitions& partitions) {
  return StoreBuilder(partitions).build();
}

}  // namespace warpbench::matching::edge_join
