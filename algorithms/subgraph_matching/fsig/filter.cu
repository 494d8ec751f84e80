#include "algorithms/subgraph_matching/fsig/filter.hpp"

#include <algorithm>

#include "algorithms/subgraph_matching/fsig/graph.cuh"
#include "device/block.cuh"

namespace warpbench::matching::fsig {
namespace {

constexpr int kWordsPerThread = 4;
constexpr std::int64_t kWordsPerBlock = kThreads * kWordsPerThread;
constexpr std::int64_t kWarps = kThreads / kWarpSize;

// ---- neighbour label frequencies ----

__device__ bool has_labels(const DeviceGraph& data, const DeviceQuery& query, const QueryVertex& u, Vertex v) {
  for (std::uint32_t i = u.labels_begin; i < u.labels_end; ++i) {
    if (!has_label(data, v, query.labels[i])) return false;
  }
  return true;
}

/// By the counters, which may say yes where a count says no.
__device__ bool has_neighbors(const DeviceGraph& data, const DeviceQuery& query, const QueryVertex& u, Vertex v) {
  for (std::uint32_t i = u.needs_begin; i < u.needs_end; ++i) {
    const Need need = query.needs[i];
    const std::uint32_t word = data.counters[need.group / NeighborLabels::kGroupsPerWord * data.vertices + v];
    const std::uint32_t counted = (word >> (need.group % NeighborLabels::kGroupsPerWord * 4)) & NeighborLabels::kMost;
    if (counted < need.count && counted < NeighborLabels::kMost) return false;
  }
  return true;
}

/// A thread a data vertex, a warp a word of each bitmap.
__global__ void __launch_bounds__(kThreads)
    frequencies_kernel(DeviceGraph data, DeviceQuery query, View<std::uint32_t> bits, std::int64_t words) {
  const std::int64_t at = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const bool exists = at < data.vertices;
  const auto v = static_cast<Vertex>(exists ? at : 0);
  for (std::int64_t i = 0; i < query.vertices.size(); ++i) {
    const QueryVertex u = query.vertices[i];
    const bool fits =
        exists && has_labels(data, query, u, v) && data.degrees[v] >= u.degree && has_neighbors(data, query, u, v);
    const unsigned word = __ballot_sync(kFullMask, fits ? 1 : 0);
    if (warp::lane() == 0 && at / 32 < words) bits[i * words + at / 32] = word;
  }
}

/// Whether as many neighbours of v have the labels as u needs. A whole warp.
__device__ bool has_counted_neighbors(const DeviceGraph& data, const DeviceQuery& query, const QueryVertex& u,
                                      Vertex v) {
  for (std::uint32_t i = u.needs_begin; i < u.needs_end; ++i) {
    const Need need = query.needs[i];
    std::uint32_t missing = need.count;
    for_each_batch(data, v, [&](const RowBatch& batch) {
      const bool counts =
          batch.present && batch.edge_label == need.edge_label && has_label(data, batch.neighbor, need.label);
      const auto found = static_cast<std::uint32_t>(__popc(__ballot_sync(kFullMask, counts ? 1 : 0)));
      missing = found < missing ? missing - found : 0;
      return missing > 0;
    });
    if (missing > 0) return false;
  }
  return true;
}

// ---- Algorithm 7 ----

/// Line 2, first part: the members in each part of kWordsPerBlock words of each bitmap.
__global__ void __launch_bounds__(kThreads)
    count_kernel(View<const std::uint32_t> bits, std::int64_t words, View<std::uint32_t> part_counts) {
  std::uint32_t count = 0;
  for (int k = 0; k < kWordsPerThread; ++k) {
    const std::int64_t word = std::int64_t{blockIdx.x} * kWordsPerBlock + k * kThreads + threadIdx.x;
    if (word < words) count += static_cast<std::uint32_t>(__popc(bits[blockIdx.y * words + word]));
  }
  count = block::reduce_sum(count);
  if (threadIdx.x == 0) part_counts[std::int64_t{blockIdx.y} * gridDim.x + blockIdx.x] = count;
}

/// The sum of part_counts[begin .. end), by a whole block.
__device__ std::int64_t sum_of_parts(View<const std::uint32_t> part_counts, std::int64_t begin, std::int64_t end) {
  std::int64_t sum = 0;
  for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) sum += part_counts[i];
  return block::reduce_sum(sum);
}

/// Line 2: the array C'(u), by a scan over the bitmap, and the ranks. `bits` stays as it is: it becomes the output
/// bitmap of line 3, while C(u) is what was copied from it.
__global__ void __launch_bounds__(kThreads)
    compact_kernel(View<const std::uint32_t> bits, View<const std::uint32_t> part_counts, Candidates candidates) {
  const std::int64_t words = candidates.words_per_set;
  const std::int64_t u = blockIdx.y;
  const std::int64_t part = u * gridDim.x + blockIdx.x;
  const std::int64_t sets_before = sum_of_parts(part_counts, 0, u * gridDim.x);
  const std::int64_t parts_before = sum_of_parts(part_counts, u * gridDim.x, part);
  const std::int64_t first = std::int64_t{blockIdx.x} * kWordsPerBlock + threadIdx.x * kWordsPerThread;
  std::uint32_t own = 0;
  for (std::int64_t w = first; w < first + kWordsPerThread && w < words; ++w) {
    own += static_cast<std::uint32_t>(__popc(bits[u * words + w]));
  }
  std::uint32_t in_part = 0;
  std::int64_t rank = parts_before + block::exclusive_scan(own, in_part);
  for (std::int64_t w = first; w < first + kWordsPerThread && w < words; ++w) {
    std::uint32_t word = bits[u * words + w];
    candidates.words[u * words + w] = {static_cast<std::uint32_t>(rank), word};
    for (; word != 0; word &= word - 1) {
      candidates.vertices[sets_before + rank++] = static_cast<Vertex>(w * 32 + __ffs(static_cast<int>(word)) - 1);
    }
  }
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) candidates.offsets[u] = sets_before;
  if (part + 1 == part_counts.size()) candidates.offsets[u + 1] = sets_before + parts_before + in_part;
}

/// Lines 4-5 for one v of C(u): whether N(v) meets the candidates of every query neighbour. A whole warp.
__device__ bool meets_all_neighbors(const DeviceGraph& data, const DeviceQuery& query, const Candidates& candidates,
                                    const QueryVertex& u, Vertex v) {
  for (std::uint32_t base = u.slots_begin; base < u.slots_end; base += kWarpSize) {
    unsigned missing = low_bits(static_cast<int>(u.slots_end - base));
    for_each_batch(data, v, [&](const RowBatch& batch) {
      for (unsigned open = missing; open != 0; open &= open - 1) {
        const int s = __ffs(static_cast<int>(open)) - 1;
        const bool meets = may_stand(candidates, batch, query.slots[std::int64_t{base} + s]);
        if (__any_sync(kFullMask, meets ? 1 : 0) != 0) missing &= ~(1U << s);
      }
      return missing != 0;
    });
    if (missing != 0) return false;
  }
  return true;
}

__device__ void drop(View<std::uint32_t> bits, const Candidates& candidates, const Candidate& candidate) {
  if (warp::lane() != 0) return;
  atomicAnd(&bits[candidate.u * candidates.words_per_set + candidate.v / 32], ~(1U << (candidate.v % 32)));
}

__global__ void __launch_bounds__(kThreads)
    confirm_kernel(DeviceGraph data, DeviceQuery query, Candidates candidates, View<std::uint32_t> bits) {
  for_each_candidate(candidates, [&](const Candidate& candidate) {
    const QueryVertex u = query.vertices[candidate.u];
    if (!has_counted_neighbors(data, query, u, candidate.v)) drop(bits, candidates, candidate);
  });
}

__global__ void __launch_bounds__(kThreads)
    check_kernel(DeviceGraph data, DeviceQuery query, Candidates candidates, View<std::uint32_t> bits) {
  for_each_candidate(candidates, [&](const Candidate& candidate) {
    const QueryVertex u = query.vertices[candidate.u];
    if (!meets_all_neighbors(data, query, candidates, u, candidate.v)) drop(bits, candidates, candidate);
  });
}

}  // namespace

Candidates filter(const DeviceGraph& data, const DeviceQuery& query, const FilterOptions& options, QueryMemory& memory,
                  Stream& stream) {
  const std::int64_t sets = query.vertices.size();
  const std::int64_t words = (data.vertices + 31) / 32;
  const Grid parts{{(words + kWordsPerBlock - 1) / kWordsPerBlock, sets}, kThreads};
  const View<std::uint32_t> bits = memory.take<std::uint32_t>(sets * words);
  const View<std::uint32_t> part_counts = memory.take<std::uint32_t>(parts.blocks.count());
  const Candidates candidates{memory.take<RankWord>(sets * words), memory.take<Vertex>(options.most_candidates),
                              memory.take<std::int64_t>(sets + 1), words, sets};
  const auto warps = [&](auto kernel) {
    const std::int64_t blocks = (options.most_candidates + kWarps - 1) / kWarps;
    return Grid{std::min(blocks, max_resident_blocks(kernel, kThreads)), kThreads};
  };
  const auto compact = [&] {
    launch(count_kernel, parts, stream, View<const std::uint32_t>(bits), words, part_counts);
    launch(compact_kernel, parts, stream, View<const std::uint32_t>(bits), View<const std::uint32_t>(part_counts),
           candidates);
  };
  launch(frequencies_kernel, grid_for(words * 32, kThreads), stream, data, query, bits, words);
  compact();
  if (options.confirm) {
    launch(confirm_kernel, warps(confirm_kernel), stream, data, query, candidates, bits);
    compact();
  }
  for (std::int64_t round = 0; round < options.rounds; ++round) {
    launch(check_kernel, warps(check_kernel), stream, data, query, candidates, bits);
    compact();
  }
  return candidates;
}

}  // namespace warpbench::matching::fsig
