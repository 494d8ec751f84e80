#include "algorithms/subgraph_matching/fsig/auxiliary.hpp"

#include <algorithm>

#include "algorithms/subgraph_matching/fsig/graph.cuh"
#include "device/primitives.hpp"

namespace warpbench::matching::fsig {
namespace {

constexpr std::int64_t kWarps = kThreads / kWarpSize;
constexpr std::int64_t kUnwanted = std::int64_t{-1} << 62;

/// A warp a candidate v of w: N(v) is read once for 32 query edges of w, and lane s keeps the count of the s-th.
__global__ void __launch_bounds__(kThreads)
    count_edges_kernel(DeviceGraph data, DeviceQuery query, Candidates candidates,
                       View<const std::int64_t> offsets_begin, View<std::int64_t> counts) {
  if (blockIdx.x == 0 && threadIdx.x == 0) counts[counts.size() - 1] = 0;
  for_each_candidate(candidates, [&](const Candidate& candidate) {
    const QueryVertex w = query.vertices[candidate.u];
    for (std::int64_t base = w.slots_begin; base < w.slots_end; base += kWarpSize) {
      const int slots = static_cast<int>(w.slots_end - base < kWarpSize ? w.slots_end - base : kWarpSize);
      int count = 0;
      for_each_batch(data, candidate.v, [&](const RowBatch& batch) {
        for (int s = 0; s < slots; ++s) {
          const bool member = may_stand(candidates, batch, query.slots[base + s]);
          const int members = __popc(__ballot_sync(kFullMask, member ? 1 : 0));
          if (warp::lane() == s) count += members;
        }
        return true;
      });
      if (warp::lane() < slots) counts[offsets_begin[base + warp::lane()] + candidate.rank] = count;
    }
  });
}

/// How many edges there are in all slots before each, from the scanned counts.
__global__ void __launch_bounds__(kThreads)
    edges_before_kernel(View<const std::int64_t> offsets, View<const std::int64_t> offsets_begin,
                        View<std::int64_t> before) {
  for (std::int64_t s = threadIdx.x; s < before.size(); s += kThreads) {
    before[s] = offsets[s < offsets_begin.size() ? offsets_begin[s] : offsets.size() - 1];
  }
}

/// The slots of [base, base + 32) whose lists are wanted; in all lanes.
__device__ unsigned wanted_slots(View<const std::int64_t> shifts, std::int64_t base, std::int64_t end) {
  const std::int64_t slot = base + warp::lane();
  return __ballot_sync(kFullMask, slot < end && shifts[slot] != kUnwanted ? 1 : 0);
}

/// A warp a candidate v of w: lane s keeps where the next neighbour of v goes in the list of the s-th query edge.
__global__ void __launch_bounds__(kThreads)
    fill_edges_kernel(DeviceGraph data, DeviceQuery query, Candidates candidates,
                      View<const std::int64_t> offsets_begin, View<const std::int64_t> offsets,
                      View<const std::int64_t> shifts, View<Vertex> edges) {
  for_each_candidate(candidates, [&](const Candidate& candidate) {
    const QueryVertex w = query.vertices[candidate.u];
    for (std::int64_t base = w.slots_begin; base < w.slots_end; base += kWarpSize) {
      const unsigned wanted = wanted_slots(shifts, base, w.slots_end);
      if (wanted == 0) continue;
      std::int64_t next = 0;
      if (((wanted >> warp::lane()) & 1U) != 0) {
        const std::int64_t slot = base + warp::lane();
        next = offsets[offsets_begin[slot] + candidate.rank] + shifts[slot];
      }
      for_each_batch(data, candidate.v, [&](const RowBatch& batch) {
        for (unsigned open = wanted; open != 0; open &= open - 1) {
          const int s = __ffs(static_cast<int>(open)) - 1;
          const bool member = may_stand(candidates, batch, query.slots[base + s]);
          const warp::Slot place = warp::compact(member);
          const std::int64_t begin = __shfl_sync(kFullMask, next, s);
          if (member) edges[begin + place.index] = batch.neighbor;
          if (warp::lane() == s) next += place.count;
        }
        return true;
      });
    }
  });
}

Grid warps_for(std::int64_t items, std::int64_t resident) {
  return {std::min((items + kWarps - 1) / kWarps, resident), kThreads};
}

}  // namespace

AuxiliaryBuilder::AuxiliaryBuilder(const Graph& query, const DeviceGraph& data, const DeviceQuery& device_query,
                                   const Candidates& candidates, std::span<const std::int64_t> sizes,
                                   QueryMemory& memory, Stream& stream)
    : data_(data), query_(device_query), candidates_(candidates), memory_(memory), stream_(stream) {
  std::int64_t counts = 0;
  for (std::size_t w = 0; w < sizes.size(); ++w) {
    most_items_ += sizes[w];
    for (std::int64_t slot = 0; slot < query.degree(static_cast<Vertex>(w)); ++slot) {
      from_.push_back(static_cast<Vertex>(w));
      offsets_begin_.push_back(counts);
      counts += sizes[w];
    }
  }
  device_offsets_begin_ = memory_.put<std::int64_t>(offsets_begin_, stream_);
  offsets_ = memory_.take<std::int64_t>(counts + 1);
  edges_before_ = memory_.take<std::int64_t>(query.slots() + 1);
  launch(count_edges_kernel, warps_for(most_items_, max_resident_blocks(count_edges_kernel, kThreads)), stream_, data_,
         query_, candidates_, device_offsets_begin_, offsets_);
  exclusive_scan(offsets_, offsets_, stream_);
  launch(edges_before_kernel, Grid{1, kThreads}, stream_, View<const std::int64_t>(offsets_), device_offsets_begin_,
         edges_before_);
}

void AuxiliaryBuilder::read_edges(std::span<std::int64_t> pinned) {
  runtime::copy(pinned.data(), edges_before_.data(), edges_before_.bytes(), runtime::Copy::kDownload,
                *stream_.handle());
}

Auxiliary AuxiliaryBuilder::build(std::span<const std::int64_t> edges_before, std::span<const std::size_t> wanted) {
  shifts_.assign(from_.size(), kUnwanted);
  std::int64_t edges = 0;
  for (const std::size_t slot : wanted) {
    shifts_[slot] = edges - edges_before[slot];
    edges += edges_before[slot + 1] - edges_before[slot];
  }
  const View<Vertex> lists = memory_.take<Vertex>(edges);
  launch(fill_edges_kernel, warps_for(most_items_, max_resident_blocks(fill_edges_kernel, kThreads)), stream_, data_,
         query_, candidates_, device_offsets_begin_, View<const std::int64_t>(offsets_),
         memory_.put<std::int64_t>(shifts_, stream_), lists);
  return {candidates_, offsets_, lists};
}

BackwardEdge AuxiliaryBuilder::backward_edge(std::size_t slot, std::span<const std::uint32_t> columns) const {
  return {columns[from_[slot]], from_[slot], offsets_begin_[slot], shifts_[slot]};
}

}  // namespace warpbench::matching::fsig
