// static-index: sf-gSSJoin with threshold 0 as an intersector (bellas2022 §6.2.1): an inverted index of all sets; the
// lists of a set's tokens, one after the other, are a logical vector, which is cut evenly over threads; each thread
// adds 1 by an atomic operation to the count of each set it meets.
//
// What differs: the vectors of all rows of a table follow each other and are cut together, so that short ones share
// threads and long ones have many; and a list begins behind the probing set, as only later sets are asked about.
#include <algorithm>

#include "algorithms/sets/engine/set_solver.hpp"
#include "device/primitives.hpp"
#include "device/warp.cuh"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

constexpr std::int64_t kItems = 64;  ///< of the logical vector, that a thread takes at a time

/// For each token in the order of the sets: the set that has it.
__global__ void owner_kernel(DeviceSets sets, View<std::uint32_t> owners) {
  const std::int64_t set = blockIdx.x;
  const auto first = static_cast<std::int64_t>(sets.offsets[set]);
  for (std::int64_t i = threadIdx.x; i < sets.size(set); i += blockDim.x) {
    owners[first + i] = static_cast<std::uint32_t>(set);
  }
}

/// The index: the sets of all lists, one list after the other; for each token in the order of the sets, where the later
/// sets that have it begin and how many there are.
struct Index {
  View<std::uint32_t> lists;
  View<std::uint32_t> begins;
  View<std::uint64_t> lengths;
};

/// From the tokens sorted (equal ones in the order of the sets) and where each stood before.
__global__ void index_kernel(View<const std::uint32_t> sorted, View<const std::uint32_t> positions,
                             View<const std::uint32_t> owners, Index index) {
  const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= sorted.size()) return;
  const auto position = static_cast<std::int64_t>(positions[at]);
  index.lists[at] = owners[position];
  // Steps that double, then halve: lists are short against the whole.
  std::int64_t step = 1;
  while (at + step < sorted.size() && sorted[at + step] == sorted[at]) step *= 2;
  std::int64_t last = at + step / 2;  // has the same token
  for (; step > 0; step /= 2) {
    if (last + step < sorted.size() && sorted[last + step] == sorted[at]) last += step;
  }
  index.begins[position] = static_cast<std::uint32_t>(at + 1);
  index.lengths[position] = static_cast<std::uint64_t>(last - at);
}

/// The last place of ascending values, all places being asked for, that is not above `value`.
__device__ std::int64_t last_not_above(View<const std::uint64_t> values, std::uint64_t value) {
  std::int64_t low = 0;
  for (std::int64_t high = values.size(); high - low > 1;) {
    const std::int64_t middle = low + (high - low) / 2;
    (values[middle] <= value ? low : high) = middle;
  }
  return low;
}

/// `starts`[p] is the length of the logical vector before token p; the last one is its whole length.
__global__ void count_kernel(DeviceSets sets, View<const std::uint32_t> lists, View<const std::uint32_t> begins,
                             View<const std::uint64_t> starts, PairTable table) {
  const std::uint64_t first = starts[static_cast<std::int64_t>(sets.offsets[table.first_row])];
  const std::uint64_t end = starts[static_cast<std::int64_t>(sets.offsets[table.last_row])];
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x * kItems;
  const std::uint64_t tid = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::uint64_t item = first + tid * kItems; item < end; item += stride) {
    const std::uint64_t stop = item + kItems < end ? item + kItems : end;
    std::int64_t token = last_not_above(starts, item);
    std::int64_t row = last_not_above(sets.offsets, static_cast<std::uint64_t>(token));
    for (std::uint64_t at = item; at < stop;) {
      while (starts[token + 1] <= at) ++token;
      while (static_cast<std::int64_t>(sets.offsets[row + 1]) <= token) ++row;
      const std::uint64_t list_end = starts[token + 1] < stop ? starts[token + 1] : stop;
      const std::int64_t list = static_cast<std::int64_t>(begins[token]) - static_cast<std::int64_t>(starts[token]);
      for (; at < list_end; ++at) {
        const std::uint32_t later = lists[list + static_cast<std::int64_t>(at)];
        atomicAdd(&table.count(row, later), 1U);
      }
    }
  }
}

/// Equal neighbours among the tokens of both sets, sorted.
__global__ void common_kernel(View<const std::uint32_t> sorted, View<const std::uint32_t> positions, SingleTask task) {
  const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool common = at + 1 < sorted.size() && sorted[at] == sorted[at + 1];
  const unsigned votes = __ballot_sync(kFullMask, common ? 1 : 0);
  if (warp::lane() == 0 && votes != 0) atomicAdd(&task.common[0], static_cast<unsigned long long>(__popc(votes)));
  if (common && !task.found.empty()) task.found[static_cast<std::int64_t>(positions[at])] = 1;
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
    lists_ = Buffer<std::uint32_t>(size_, stream);
    begins_ = Buffer<std::uint32_t>(size_, stream);
    lengths_ = Buffer<std::uint64_t>(size_ + 1, stream);
    starts_ = Buffer<std::uint64_t>(size_ + 1, stream);
    bits_ = 1;
    while (bits_ < 32 && host.universe() > std::int64_t{1} << bits_) ++bits_;
  }

  void build(const DeviceSets& sets, Stream& stream, Phases& /*phases*/) override {
    if (size_ == 0) return;
    launch(owner_kernel, Grid{sets.count, threads_}, stream, sets, owners_.view());
    sort(sets.tokens, stream);
    lengths_.fill(0, stream);
    launch(index_kernel, grid(size_), stream, std::as_const(sorted_).view(), std::as_const(sorted_positions_).view(),
           std::as_const(owners_).view(), Index{lists_.view(), begins_.view(), lengths_.view()});
    exclusive_scan(std::as_const(lengths_).view(), starts_.view(), stream);
  }

  void count_pairs(const DeviceSets& sets, const PairTable& table, Stream& stream, Phases& /*phases*/) override {
    if (size_ == 0) return;
    launch(count_kernel, Grid{max_resident_blocks(count_kernel, threads_), threads_}, stream, sets,
           std::as_const(lists_).view(), std::as_const(begins_).view(), std::as_const(starts_).view(), table);
  }

  void intersect(const SingleTask& task, Stream& stream, Phases& /*phases*/) override {
    Buffer<std::uint32_t> both(size_, stream);
    both.copy_from(task.smaller, stream);
    both.copy_from(task.larger, stream, task.smaller.size());
    sort(std::as_const(both).view(), stream);
    launch(common_kernel, grid(size_), stream, std::as_const(sorted_).view(), std::as_const(sorted_positions_).view(),
           task);
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"index_bytes", static_cast<double>(lists_.bytes() + begins_.bytes() + starts_.bytes())}};
  }

 private:
  [[nodiscard]] Grid grid(std::int64_t work) const { return {(work + threads_ - 1) / threads_, threads_}; }

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
  Buffer<std::uint32_t> lists_;
  Buffer<std::uint32_t> begins_;
  Buffer<std::uint64_t> lengths_;
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
