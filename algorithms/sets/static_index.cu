// static-index: sf-gSSJoin with threshold 0 as an intersector (bellas2022 §6.2.1). It makes an inverted index of all
// sets. The lists of a set's tokens, one after the other, are a logical vector, which is cut evenly over threads. For
// each set that a thread meets, it adds 1 to that set's count by an atomic operation.
//
// Differs from the document: the vectors of all rows of a tile follow each other and are cut together, so that short
// ones share threads and long ones have many. A list begins behind the probing set, as only later sets are asked about.
#include <algorithm>
#include <bit>

#include "algorithms/sets/engine/set_solver.hpp"
#include "device/block.cuh"
#include "device/primitives.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

struct CountTuning {
  static constexpr std::int64_t kItemsPerThread = 64;  ///< of the logical vector, at a time
};

/// For each token in the order of the sets: the set that has it.
__global__ void owner_kernel(DeviceSets sets, View<std::uint32_t> owners) {
  for (const std::int64_t i : block::strided(segment(sets.offsets, block::index()))) {
    owners[i] = static_cast<std::uint32_t>(block::index());
  }
}

/// The index: the sets of all lists, one list after the other. Each token, in the order of the sets, has the begin and
/// the number of the later sets that have it.
struct Index {
  View<std::uint32_t> lists;
  View<std::uint32_t> begins;
  View<std::uint64_t> lengths;  ///< of which `starts` are made in place
};

/// The last of the places of ascending values that has the same value as `at`. Steps double, then halve: lists are
/// short against the whole.
__device__ std::int64_t last_equal(View<const std::uint32_t> sorted, std::int64_t at) {
  std::int64_t step = 1;
  while (at + step < sorted.size() && sorted[at + step] == sorted[at]) step *= 2;
  std::int64_t last = at + step / 2;
  for (; step > 0; step /= 2) {
    if (last + step < sorted.size() && sorted[last + step] == sorted[at]) last += step;
  }
  return last;
}

/// From the tokens sorted (equal ones in the order of the sets) and where each stood before.
__global__ void index_kernel(View<const std::uint32_t> sorted, View<const std::uint32_t> positions,
                             View<const std::uint32_t> owners, Index index) {
  for (const std::int64_t at : grid::strided(sorted.size())) {
    const std::int64_t position = positions[at];
    index.lists[at] = owners[position];
    index.begins[position] = static_cast<std::uint32_t>(at + 1);
    index.lengths[position] = static_cast<std::uint64_t>(last_equal(sorted, at) - at);
  }
}

/// `starts`[p] is the length of the logical vector before token p; the last one is its whole length.
__global__ void count_kernel(DeviceSets sets, View<const std::uint32_t> lists, View<const std::uint32_t> begins,
                             View<const std::uint64_t> starts, PairTile tile) {
  constexpr std::int64_t kItems = CountTuning::kItemsPerThread;
  const std::int64_t first = starts[sets.offsets[tile.first_row]];
  const std::int64_t end = starts[sets.offsets[tile.last_row]];
  for (const std::int64_t share : grid::strided(ceil_div(end - first, kItems))) {
    std::int64_t at = first + share * kItems;
    const std::int64_t stop = at + kItems < end ? at + kItems : end;
    std::int64_t token = find_segment(starts, at);
    std::int64_t row = find_segment(sets.offsets, token);
    while (at < stop) {
      while (segment(starts, token).end <= at) ++token;
      while (segment(sets.offsets, row).end <= token) ++row;
      const Extent<std::int64_t> list = segment(starts, token);
      const std::int64_t list_end = list.end < stop ? list.end : stop;
      for (; at < list_end; ++at) atomicAdd(&tile.count(row, lists[begins[token] + at - list.begin]), 1U);
    }
  }
}

/// Equal neighbours among the tokens of both sets, sorted: a thread a token.
__global__ void common_kernel(View<const std::uint32_t> sorted, View<const std::uint32_t> positions, SingleTask task) {
  const std::int64_t at = grid::index();
  const bool common = at + 1 < sorted.size() && sorted[at] == sorted[at + 1];
  if (common) task.flags().mark_at(positions[at]);
  block::accumulate(task.common[0], common ? 1 : 0);
}

class StaticIndex final : public Technique {
 public:
  explicit StaticIndex(const Parameters& parameters) { configure(parameters); }
  void configure(const Parameters& parameters) override {
    threads_ = static_cast<int>(parameters.integer("threads_per_block"));
  }

  void prepare(const datasets::SetCollection& host, Stream& stream) override {
    size_ = host.total();
    if (size_ >= std::int64_t{1} << 32) throw Unsupported("an index of 2^32 tokens or more: positions have 32 bits");
    sorted_ = Buffer<std::uint32_t>(size_, stream);
    positions_ = Buffer<std::uint32_t>(size_, stream);
    sorted_positions_ = Buffer<std::uint32_t>(size_, stream);
    owners_ = Buffer<std::uint32_t>(size_, stream);
    begins_ = Buffer<std::uint32_t>(size_, stream);
    starts_ = Buffer<std::uint64_t>(size_ + 1, stream);
    bits_ =
        static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(host.universe(), 2) - 1)));
  }

  void build(const DeviceSets& sets, Stream& stream, Phases& /*phases*/) override {
    if (size_ == 0) return;
    launch(owner_kernel, Grid{sets.count, threads_}, stream, sets, owners_.view());
    sort(sets.tokens, stream);
    starts_.fill(0, stream);
    launch(index_kernel, grid_for(size_, threads_), stream, std::as_const(sorted_).view(),
           std::as_const(sorted_positions_).view(), std::as_const(owners_).view(),
           Index{lists().view(), begins_.view(), starts_.view()});
    exclusive_scan(std::as_const(starts_).view(), starts_.view(), stream);
  }

  void count_pairs(const DeviceSets& sets, const PairTile& tile, Stream& stream, Phases& /*phases*/) override {
    if (size_ == 0) return;
    launch(count_kernel, Grid{max_resident_blocks(count_kernel, threads_), threads_}, stream, sets,
           std::as_const(lists()).view(), std::as_const(begins_).view(), std::as_const(starts_).view(), tile);
  }

  void intersect(const SingleTask& task, Stream& stream, Phases& /*phases*/) override {
    Buffer<std::uint32_t> both(size_, stream);
    both.copy_from(task.smaller, stream);
    both.copy_from(task.larger, stream, task.smaller.size());
    sort(std::as_const(both).view(), stream);
    launch(common_kernel, grid_for(size_, threads_), stream, std::as_const(sorted_).view(),
           std::as_const(sorted_positions_).view(), task);
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"index_bytes", static_cast<double>(positions_.bytes() + begins_.bytes() + starts_.bytes())}};
  }

 private:
  /// They take the memory of the positions, which are of no use once they are sorted.
  Buffer<std::uint32_t>& lists() { return positions_; }
  /// Tokens ascending, equal ones as they stood (radix sort is stable).
  void sort(View<const std::uint32_t> tokens, Stream& stream) {
    iota(positions_.view(), stream);
    sort_pairs(tokens, sorted_.view(), std::as_const(positions_).view(), sorted_positions_.view(), stream, 0, bits_);
  }

  int threads_ = 256;
  int bits_ = 32;
  std::int64_t size_ = 0;
  Buffer<std::uint32_t> sorted_;
  Buffer<std::uint32_t> positions_;
  Buffer<std::uint32_t> sorted_positions_;
  Buffer<std::uint32_t> owners_;
  Buffer<std::uint32_t> begins_;
  Buffer<std::uint64_t> starts_;
};

[[maybe_unused]] const bool registered =
    register_for_both<StaticIndex>({.id = "static-index",
                                    .title = "inverted index of all sets, its lists cut evenly over threads",
                                    .source = "bellas2022 §6.2.1",
                                    .role = Role::gpu_baseline,
                                    .device = Target::gpu,
                                    .parameters = {threads_per_block()},
                                    .smoke = {{"threads_per_block", 64}}});

}  // namespace

}  // namespace warpbench::sets
