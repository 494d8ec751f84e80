#include "algorithms/subgraph_matching/wukong_g/store.hpp"

namespace warpbench::matching::edge_join {
namespace {

constexpr std::int64_t kKeys = kBucketEntries - 1;
/// Keys a bucket on average: few buckets overflow.
constexpr std::int64_t kMeanKeys = 4;

class Building {
 public:
  explicit Building(const LabelRuns& runs) : runs_(runs) { add_buckets(1); }

  KeyValueStore build() {
    for (std::size_t label = 0; label + 1 < runs_.offsets.size(); ++label) {
      const LabelRuns::Range range = runs_.of(static_cast<Label>(label));
      const std::int64_t buckets = (range.count + kMeanKeys - 1) / kMeanKeys;
      const StoreSegment segment{add_buckets(buckets), buckets};
      for (std::int64_t i = 0; i < range.count; ++i) insert(segment, static_cast<std::size_t>(range.first + i));
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

  void insert(const StoreSegment& segment, std::size_t run) {
    const StoreEntry added{runs_.vertices[run], runs_.sizes[run], runs_.begins[run]};
    for (std::int64_t bucket = bucket_of(segment, added.vertex);;) {
      for (std::int64_t i = 0; i < kKeys; ++i) {
        if (entry(bucket, i).vertex != StoreEntry::kNone) continue;
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

  const LabelRuns& runs_;
  KeyValueStore store_;
};

}  // namespace

KeyValueStore make_store(const LabelRuns& runs) {
  return Building(runs).build();
}

}  // namespace warpbench::matching::edge_join
