// filter(): the document's, on a bitmap a query vertex.
#include "algorithms/subgraph_matching/fsig/filter/filter.hpp"

#include "algorithms/subgraph_matching/fsig/filter/frequencies.cuh"
#include "algorithms/subgraph_matching/fsig/graph.cuh"
#include "device/backend/work_limit.hpp"

namespace warpbench::matching::fsig {
namespace {

constexpr int kCandidateThreads = CandidateTuning::kThreads;

struct FrequencyTuning {
  static constexpr int kThreads = 128;
};

// ---- neighbour label frequencies ----

/// Those of `count` query vertices, the i-th of which is in lane i, that v resembles: a bit each. A whole warp.
__device__ unsigned similar_vertices(const DataGraphView& data, const Features& own, int count, Vertex v) {
  const Features of_v = features_of(data, v);
  unsigned similar = 0;
  for (int i = 0; i < count; ++i) {
    const Features u{__shfl_sync(kFullMask, own.degree, i), __shfl_sync(kFullMask, own.label, i)};
    if (resembles(of_v, u)) similar |= mask_of(i);
  }
  return similar;
}

/// The bits of query vertices from `first` on that have v as a candidate, among those that it resembles. They are few,
/// so that a warp makes few rounds.
__device__ unsigned fitting_vertices(const DataGraphView& data, const DeviceQuery& query, std::int64_t first,
                                     unsigned similar, Vertex v) {
  unsigned fits = similar;
  for (const int i : set_bits(similar)) {
    const QueryVertex u = query.vertices[first + i];
    if (!has_labels(data, query, u, v) || !has_neighbors(data, query, u, v)) fits &= ~mask_of(i);
  }
  return fits;
}

/// A thread a data vertex, a warp a word of each bitmap.
__global__ void __launch_bounds__(FrequencyTuning::kThreads)
    frequencies_kernel(DataGraphView data, DeviceQuery query, View<std::uint32_t> bits, std::int64_t words) {
  for (std::int64_t first = 0; first < query.vertices.size(); first += kWarpSize) {
    const std::int64_t left = query.vertices.size() - first;
    const int count = left < kWarpSize ? static_cast<int>(left) : kWarpSize;
    const Features own = features_of(data, query, first + (warp::lane() < count ? warp::lane() : 0));
    for (const std::int64_t word : grid::per_warp<FrequencyTuning::kThreads>(words)) {
      const std::int64_t lane_vertex = word * kBitsPerWord + warp::lane();
      const bool exists = lane_vertex < data.vertices;
      const auto v = static_cast<Vertex>(exists ? lane_vertex : 0);
      const unsigned similar = similar_vertices(data, own, count, v);
      const unsigned fits = fitting_vertices(data, query, first, exists ? similar : 0, v);
      unsigned members = 0;
      for (int i = 0; i < count; ++i) {
        const unsigned votes = __ballot_sync(kFullMask, (fits & mask_of(i)) != 0 ? 1 : 0);
        if (warp::lane() == i) members = votes;
      }
      if (warp::lane() < count) bits[(first + warp::lane()) * words + word] = members;
    }
  }
}

// ---- Algorithm 7 ----

/// The query edges, of `missing` from slot `first` on, for which no neighbour of v is a candidate. A whole warp.
__device__ unsigned missing_edges(const DataGraphView& data, const DeviceQuery& query, const Candidates& candidates,
                                  Vertex v, std::int64_t first, unsigned missing) {
  for_each_batch(data, v, [&](const RowBatch& batch) {
    for (const int s : set_bits(missing)) {
      const bool meets = is_candidate_edge(candidates, batch, query.slots[first + s]);
      if (__any_sync(kFullMask, meets ? 1 : 0) != 0) missing &= ~mask_of(s);
    }
    return missing != 0;
  });
  return missing;
}

/// Lines 4-5 for one v of C(u): whether N(v) meets the candidates of every query neighbour. A whole warp.
__device__ bool meets_all_neighbors(const DataGraphView& data, const DeviceQuery& query, const Candidates& candidates,
                                    const QueryVertex& u, Vertex v) {
  bool all = true;
  for_each_slot_batch(u, [&](std::int64_t first, int slots) {
    all = all && missing_edges(data, query, candidates, v, first, low_bits(slots)) == 0;
  });
  return all;
}

/// By one thread.
__device__ void drop(const CandidateBitmaps& sets, const Candidate& candidate) {
  atomic_clear_bit(sets.bits.subview(candidate.u * sets.words, sets.words), candidate.v);
  const std::int64_t part = word_of(std::int64_t{candidate.v}) / CandidateBitmaps::kWordsPerPart;
  atomicSub(&sets.part_counts[candidate.u * sets.parts + part], 1U);
}

__global__ void __launch_bounds__(kCandidateThreads)
    confirm_kernel(DataGraphView data, DeviceQuery query, Candidates candidates, Extent<std::int64_t> items,
                   CandidateBitmaps sets) {
  for_each_candidate(candidates, items, [&](const Candidate& candidate) {
    const QueryVertex u = query.vertices[candidate.u];
    const bool stays = has_counted_neighbors(data, query, u, candidate.v);
    if (warp::lane() == 0 && !stays) drop(sets, candidate);
  });
}

/// missing_edges() by the lane's share of N(v) alone, of kLanes.
__device__ unsigned missing_in_share(const DataGraphView& data, const DeviceQuery& query, const Candidates& candidates,
                                     Vertex v, std::int64_t first, unsigned missing) {
  for (const std::int64_t slot : warp::strided<TeamTuning::kLanes>(segment(data.offsets, v))) {
    const RowBatch own{true, data.neighbors[slot], edge_label_of(data, slot)};
    for (const int s : set_bits(missing)) {
      if (is_candidate_edge(candidates, own, query.slots[first + s])) missing &= ~mask_of(s);
    }
    if (missing == 0) break;
  }
  return missing;
}

/// Drops candidates that do not meet all neighbours of their query vertex: a team of lanes each, as most have fewer
/// neighbours than a warp has lanes.
__global__ void __launch_bounds__(kCandidateThreads)
    check_kernel(DataGraphView data, DeviceQuery query, Candidates candidates, Extent<std::int64_t> items,
                 CandidateBitmaps sets) {
  constexpr int kLanes = TeamTuning::kLanes;
  constexpr int kTeams = kWarpSize / kLanes;
  items = existing(candidates, items);
  for (const std::int64_t round : grid::per_warp<kCandidateThreads>(ceil_div(items.size(), kTeams))) {
    const std::int64_t item = items.begin + round * kTeams + warp::lane() / kLanes;
    const bool inside = item < items.end;
    const Candidate candidate = candidate_at(candidates, inside ? item : items.begin);
    const QueryVertex u = query.vertices[candidate.u];
    const std::uint32_t slots = u.slots_end - u.slots_begin;
    const bool is_long = slots > kWarpSize || segment(data.offsets, candidate.v).size() > TeamTuning::kMaxNeighbors;
    unsigned missing = low_bits(static_cast<int>(slots));
    if (!is_long) missing = missing_in_share(data, query, candidates, candidate.v, u.slots_begin, missing);
    bool stays = warp::reduce(
                     missing, [](unsigned a, unsigned b) { return a & b; }, kLanes) == 0;
    const bool leads = inside && warp::lane() % kLanes == 0;
    for (const int lane : set_bits(__ballot_sync(kFullMask, leads && is_long ? 1 : 0))) {
      const QueryVertex other_u = query.vertices[__shfl_sync(kFullMask, candidate.u, lane)];
      const bool meets =
          meets_all_neighbors(data, query, candidates, other_u, __shfl_sync(kFullMask, candidate.v, lane));
      if (warp::lane() == lane) stays = meets;
    }
    if (leads && !stays) drop(sets, candidate);
  }
}

/// The number of candidates. Waits for the stream.
std::int64_t count_candidates(const Candidates& candidates, Stream& stream) {
  std::int64_t count = 0;
  runtime::copy(&count, &candidates.offsets[candidates.query_vertices], sizeof count, runtime::Copy::kDownload,
                *stream.handle());
  stream.synchronize();
  return count;
}

}  // namespace

Candidates filter(const DataGraphView& data, const DeviceQuery& query, const FilterOptions& options, Arena& arena,
                  const Deadline& deadline, Stream& stream) {
  const CandidateBitmaps sets = take_bitmaps(query.vertices.size(), data.vertices, arena);
  const Candidates candidates = take_candidates(sets, options.max_candidates, arena);
  const std::int64_t blocks = max_resident_blocks(frequencies_kernel, FrequencyTuning::kThreads);
  launch(frequencies_kernel, warp_grid_for(sets.words, FrequencyTuning::kThreads, blocks), stream, data, query,
         sets.bits, sets.words);
  count_members(sets, stream);
  compact(sets, candidates, stream);
  std::int64_t items = options.max_candidates;
  // A wait for the number, which only falls from here on, instead of one in each step.
  if (items > on_this_backend(kCandidateSlices).first) items = count_candidates(candidates, stream);
  const auto drop_by = [&](auto kernel) {
    const std::int64_t most = max_resident_blocks(kernel, kCandidateThreads);
    const auto launch_slice = [&](std::int64_t first, std::int64_t last) {
      launch(kernel, warp_grid_for(last - first, kCandidateThreads, most), stream, data, query, candidates,
             Extent<std::int64_t>{first, last}, sets);
    };
    if (!in_slices(items, kCandidateSlices, deadline, stream, launch_slice)) throw GaveUp();
    compact(sets, candidates, stream);
  };
  if (options.confirm) drop_by(confirm_kernel);
  for (std::int64_t round = 0; round < options.rounds; ++round) drop_by(check_kernel);
  return candidates;
}

}  // namespace warpbench::matching::fsig
