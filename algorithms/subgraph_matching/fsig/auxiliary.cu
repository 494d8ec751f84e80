#include "algorithms/subgraph_matching/fsig/auxiliary.hpp"

#include "algorithms/subgraph_matching/fsig/graph.cuh"
#include "device/backend/work_limit.hpp"
#include "device/primitives.hpp"

namespace warpbench::matching::fsig {
namespace {

constexpr int kThreads = CandidateTuning::kThreads;
constexpr std::int64_t kUnwanted = std::int64_t{-1} << 62;  ///< shift of a slot whose lists are not made

/// The data edges at v that are candidates of each of `slots` query edges from `first` on: lane s has the s-th's. N(v)
/// is read once for all of them.
__device__ int count_candidate_edges(const DataGraphView& data, const DeviceQuery& query, const Candidates& candidates,
                                     Vertex v, std::int64_t first, int slots) {
  int count = 0;
  for_each_batch(data, v, [&](const RowBatch& batch) {
    for (int s = 0; s < slots; ++s) {
      const int members = warp::compact(is_candidate_edge(candidates, batch, query.slots[first + s])).count;
      if (warp::lane() == s) count += members;
    }
    return true;
  });
  return count;
}

__global__ void __launch_bounds__(kThreads)
    count_edges_kernel(DataGraphView data, DeviceQuery query, Candidates candidates, Extent<std::int64_t> items,
                       View<const std::int64_t> offsets_begin, View<std::int64_t> counts) {
  if (grid::index<kThreads>() == 0) counts[counts.size() - 1] = 0;
  for_each_candidate(candidates, items, [&](const Candidate& candidate) {
    for_each_slot_batch(query.vertices[candidate.u], [&](std::int64_t first, int slots) {
      const int count = count_candidate_edges(data, query, candidates, candidate.v, first, slots);
      if (warp::lane() < slots) counts[offsets_begin[first + warp::lane()] + candidate.rank] = count;
    });
  });
}

/// The number of edges in all slots before each, from the scanned counts. One block.
__global__ void __launch_bounds__(kThreads)
    edges_before_kernel(View<const std::int64_t> offsets, View<const std::int64_t> offsets_begin,
                        View<std::int64_t> before) {
  for (const std::int64_t s : block::strided<kThreads>(before.size())) {
    before[s] = offsets[s < offsets_begin.size() ? offsets_begin[s] : offsets.size() - 1];
  }
}

/// Writes those neighbours of v that are candidates of the query edges from `first` on with a bit in `wanted`. In lane
/// s, `next` is the place where the s-th list goes on.
__device__ void write_candidate_edges(const DataGraphView& data, const DeviceQuery& query, const Candidates& candidates,
                                      Vertex v, std::int64_t first, unsigned wanted, std::int64_t next,
                                      View<Vertex> edges) {
  for_each_batch(data, v, [&](const RowBatch& batch) {
    for (const int s : set_bits(wanted)) {
      const bool member = is_candidate_edge(candidates, batch, query.slots[first + s]);
      const warp::Slot place = warp::compact(member);
      const std::int64_t begin = __shfl_sync(kFullMask, next, s);
      if (member) edges[begin + place.index] = batch.neighbor;
      if (warp::lane() == s) next += place.count;
    }
    return true;
  });
}

__global__ void __launch_bounds__(kThreads)
    fill_edges_kernel(DataGraphView data, DeviceQuery query, Candidates candidates, Extent<std::int64_t> items,
                      View<const std::int64_t> offsets_begin, View<const std::int64_t> offsets,
                      View<const std::int64_t> shifts, View<Vertex> edges) {
  for_each_candidate(candidates, items, [&](const Candidate& candidate) {
    for_each_slot_batch(query.vertices[candidate.u], [&](std::int64_t first, int slots) {
      const std::int64_t slot = first + warp::lane();
      const bool own = warp::lane() < slots && shifts[slot] != kUnwanted;
      const unsigned wanted = __ballot_sync(kFullMask, own ? 1 : 0);
      if (wanted == 0) return;
      const std::int64_t next = own ? offsets[offsets_begin[slot] + candidate.rank] + shifts[slot] : 0;
      write_candidate_edges(data, query, candidates, candidate.v, first, wanted, next, edges);
    });
  });
}

}  // namespace

AuxiliaryBuilder::AuxiliaryBuilder(const Graph& query, const DataGraphView& data, const DeviceQuery& device_query,
                                   const Candidates& candidates, std::span<const std::int64_t> sizes, Arena& arena,
                                   const Deadline& deadline, Stream& stream)
    : data_(data), query_(device_query), candidates_(candidates), arena_(arena), deadline_(deadline), stream_(stream) {
  std::int64_t counts = 0;
  for (std::size_t w = 0; w < sizes.size(); ++w) {
    candidate_count_ += sizes[w];
    for (std::int64_t slot = 0; slot < query.degree(static_cast<Vertex>(w)); ++slot) {
      from_.push_back(static_cast<Vertex>(w));
      offsets_begin_.push_back(counts);
      counts += sizes[w];
    }
  }
  device_offsets_begin_ = arena_.put(std::span(offsets_begin_), stream_);
  offsets_ = arena_.take<std::int64_t>(counts + 1);
  edges_before_ = arena_.take<std::int64_t>(query.slots() + 1);
  launch_over_candidates(count_edges_kernel, device_offsets_begin_, offsets_);
  exclusive_scan(offsets_, offsets_, stream_);
  launch(edges_before_kernel, Grid{1, kThreads}, stream_, offsets_, device_offsets_begin_, edges_before_);
}

template <typename Kernel, typename... Arguments>
void AuxiliaryBuilder::launch_over_candidates(Kernel kernel, const Arguments&... arguments) {
  const std::int64_t blocks = max_resident_blocks(kernel, kThreads);
  const auto launch_slice = [&](std::int64_t first, std::int64_t last) {
    launch(kernel, warp_grid_for(last - first, kThreads, blocks), stream_, data_, query_, candidates_,
           Extent<std::int64_t>{first, last}, arguments...);
  };
  if (!in_slices(candidate_count_, kCandidateSlices, deadline_, stream_, launch_slice)) throw GaveUp();
}

void AuxiliaryBuilder::read_edges(std::span<std::int64_t> pinned) {
  runtime::copy(pinned.data(), edges_before_.data(), edges_before_.bytes(), runtime::Copy::kDownload,
                *stream_.handle());
}

void AuxiliaryBuilder::choose(std::span<const std::int64_t> edges_before, std::span<const std::size_t> wanted) {
  shifts_.assign(from_.size(), kUnwanted);
  edges_ = 0;
  for (const std::size_t slot : wanted) {
    shifts_[slot] = edges_ - edges_before[slot];
    edges_ += edges_before[slot + 1] - edges_before[slot];
  }
}

Auxiliary AuxiliaryBuilder::build(View<const std::int64_t> shifts) {
  const View<Vertex> lists = arena_.take<Vertex>(edges_);
  launch_over_candidates(fill_edges_kernel, device_offsets_begin_, offsets_, shifts, lists);
  return {candidates_, offsets_, lists};
}

BackwardEdge AuxiliaryBuilder::backward_edge(std::size_t slot, std::span<const std::uint32_t> columns) const {
  return {columns[from_[slot]], from_[slot], offsets_begin_[slot], shifts_[slot]};
}

}  // namespace warpbench::matching::fsig
