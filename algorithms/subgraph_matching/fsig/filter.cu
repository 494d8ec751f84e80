#include "algorithms/subgraph_matching/fsig/filter.hpp"

#include "algorithms/subgraph_matching/fsig/graph.cuh"
#include "device/backend/work_limit.hpp"
#include "device/block.cuh"

namespace warpbench::matching::fsig {
namespace {

constexpr int kCandidateThreads = CandidateTuning::kThreads;

struct FrequencyTuning {
  static constexpr int kThreads = 128;
};
struct CompactTuning {
  static constexpr int kThreads = 128;
  static constexpr int kWordsPerThread = 4;
  static constexpr std::int64_t kWordsPerBlock = kThreads * kWordsPerThread;
};
/// Lanes that look at the neighbours of one candidate. Longer lists are looked at by the whole warp, which stops when
/// all its lanes together have found enough.
struct TeamTuning {
  static constexpr int kLanes = 8;
  static constexpr std::int64_t kMaxNeighbors = 256;
};

/// The sets as they are filtered: bitmaps, and the members in each part of kWordsPerBlock words of them.
struct Filtered {
  View<std::uint32_t> bits;  ///< of query vertex u from u * words on
  View<std::uint32_t> part_counts;
  std::int64_t words;
  std::int64_t parts;  ///< of a bitmap
};

// ---- neighbour label frequencies (§5.1.1) ----

__device__ bool has_labels(const DataGraphView& data, const DeviceQuery& query, const QueryVertex& u, Vertex v) {
  for (std::uint32_t i = u.labels_begin; i < u.labels_end; ++i) {
    if (!has_label(data, v, query.labels[i])) return false;
  }
  return true;
}

/// By the counters, which may say yes where a count says no.
__device__ bool has_neighbors(const DataGraphView& data, const DeviceQuery& query, const QueryVertex& u, Vertex v) {
  for (std::uint32_t i = u.needs_begin; i < u.needs_end; ++i) {
    const Need need = query.needs[i];
    const std::uint32_t word = data.counters[NeighborLabelCounters::word_of(need.group) * data.vertices + v];
    const std::uint32_t counted = NeighborLabelCounters::count_in(word, need.group);
    if (counted < need.count && counted < NeighborLabelCounters::kMaxCount) return false;
  }
  return true;
}

/// What tells a query vertex from most data vertices.
struct Features {
  std::uint32_t degree;
  Label label;  ///< kNone where a data vertex may have several
};
__device__ Features features_of(const DataGraphView& data, const DeviceQuery& query, std::int64_t u) {
  const QueryVertex vertex = query.vertices[u];
  return {vertex.degree, data.label_offsets.empty() ? query.labels[vertex.labels_begin] : kNone<Label>};
}

/// Those of `count` query vertices, the i-th of which is in lane i, that v resembles: a bit each. A whole warp.
__device__ unsigned similar_vertices(const DataGraphView& data, const Features& own, int count, Vertex v) {
  const std::uint32_t degree = data.degrees[v];
  const Label label = data.label_offsets.empty() ? data.labels[v] : kNone<Label>;
  unsigned similar = 0;
  for (int i = 0; i < count; ++i) {
    const Features u{__shfl_sync(kFullMask, own.degree, i), __shfl_sync(kFullMask, own.label, i)};
    if (degree >= u.degree && label == u.label) similar |= mask_of(i);
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

/// Whether as many neighbours of v have the labels as u needs. A whole warp.
__device__ bool has_counted_neighbors(const DataGraphView& data, const DeviceQuery& query, const QueryVertex& u,
                                      Vertex v) {
  for (std::uint32_t i = u.needs_begin; i < u.needs_end; ++i) {
    const Need need = query.needs[i];
    std::uint32_t missing = need.count;
    for_each_batch(data, v, [&](const RowBatch& batch) {
      const bool counts =
          batch.present && batch.edge_label == need.edge_label && has_label(data, batch.neighbor, need.label);
      const auto found = static_cast<std::uint32_t>(warp::compact(counts).count);
      missing = found < missing ? missing - found : 0;
      return missing > 0;
    });
    if (missing > 0) return false;
  }
  return true;
}

// ---- Algorithm 7 ----

/// The block's part of a bitmap. Grid: (parts of a bitmap, query vertices).
struct BitmapPart {
  std::int64_t u;
  std::int64_t first_part;  ///< of u's bitmap
  std::int64_t part;

  __device__ BitmapPart()
      : u(block::index<Axis::y>()), first_part(u * grid::blocks()), part(first_part + block::index()) {}
  /// The words of this thread, in the bitmap of u.
  __device__ Extent<std::int64_t> words_of_thread(std::int64_t words) const {
    const std::int64_t first = grid::index<CompactTuning::kThreads>() * CompactTuning::kWordsPerThread;
    const std::int64_t last = first + CompactTuning::kWordsPerThread;
    return {first, last < words ? last : words};
  }
};

__device__ std::uint32_t members_of(View<const std::uint32_t> bitmap, Extent<std::int64_t> words) {
  int count = 0;
  for (std::int64_t word = words.begin; word < words.end; ++word) count += __popc(bitmap[word]);
  return static_cast<std::uint32_t>(count);
}

/// Line 2, first step: the members in each part, once. What is dropped later is taken off them.
__global__ void __launch_bounds__(CompactTuning::kThreads) count_kernel(Filtered sets) {
  const BitmapPart own;
  const View<const std::uint32_t> bitmap = sets.bits.subview(own.u * sets.words, sets.words);
  const std::uint32_t count = block::reduce_sum(members_of(bitmap, own.words_of_thread(sets.words)));
  if (block::rank() == 0) sets.part_counts[own.part] = count;
}

/// The sum of part_counts[begin .. end), by a whole block.
__device__ std::int64_t sum_of_parts(View<const std::uint32_t> part_counts, std::int64_t begin, std::int64_t end) {
  std::int64_t sum = 0;
  for (const std::int64_t i : block::strided<CompactTuning::kThreads>(begin, end)) sum += part_counts[i];
  return block::reduce_sum(sum);
}

/// Line 2: the array C'(u), by a scan over the bitmap, and the ranks. The bitmap stays as it is: it becomes the output
/// bitmap of line 3, while C(u) is the copy with ranks.
__global__ void __launch_bounds__(CompactTuning::kThreads) compact_kernel(Filtered sets, Candidates candidates) {
  const BitmapPart own;
  const std::int64_t words = sets.words;
  const View<const std::uint32_t> part_counts = sets.part_counts;
  const View<const std::uint32_t> bitmap = sets.bits.subview(own.u * words, words);
  const View<RankWord> ranked = candidates.words.subview(own.u * words, words);
  const std::int64_t sets_before = sum_of_parts(part_counts, 0, own.first_part);
  const std::int64_t parts_before = sum_of_parts(part_counts, own.first_part, own.part);
  const Extent<std::int64_t> mine = own.words_of_thread(words);
  std::uint32_t in_part = 0;
  std::int64_t rank = parts_before + block::exclusive_scan(members_of(bitmap, mine), in_part);
  for (std::int64_t word = mine.begin; word < mine.end; ++word) {
    ranked[word] = {static_cast<std::uint32_t>(rank), bitmap[word]};
    for (const int bit : set_bits(bitmap[word])) {
      candidates.vertices[sets_before + rank++] = static_cast<Vertex>(word * kBitsPerWord + bit);
    }
  }
  if (block::rank() != 0) return;
  if (block::index() == 0) candidates.offsets[own.u] = sets_before;
  if (own.part + 1 == part_counts.size()) candidates.offsets[own.u + 1] = sets_before + parts_before + in_part;
}

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
__device__ void drop(const Filtered& sets, const Candidate& candidate) {
  atomic_clear_bit(sets.bits.subview(candidate.u * sets.words, sets.words), candidate.v);
  const std::int64_t part = word_of(std::int64_t{candidate.v}) / CompactTuning::kWordsPerBlock;
  atomicSub(&sets.part_counts[candidate.u * sets.parts + part], 1U);
}

__global__ void __launch_bounds__(kCandidateThreads)
    confirm_kernel(DataGraphView data, DeviceQuery query, Candidates candidates, Extent<std::int64_t> items,
                   Filtered sets) {
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
                 Filtered sets) {
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
  const std::int64_t count = query.vertices.size();
  const std::int64_t words = words_for(data.vertices);
  const std::int64_t parts = ceil_div(words, CompactTuning::kWordsPerBlock);
  const Grid grid_of_parts{{parts, count}, CompactTuning::kThreads};
  const Filtered sets{arena.take<std::uint32_t>(count * words), arena.take<std::uint32_t>(count * parts), words, parts};
  const Candidates candidates{arena.take<RankWord>(count * words), arena.take<Vertex>(options.max_candidates),
                              arena.take<std::int64_t>(count + 1), words, count};
  const std::int64_t blocks = max_resident_blocks(frequencies_kernel, FrequencyTuning::kThreads);
  launch(frequencies_kernel, warp_grid_for(words, FrequencyTuning::kThreads, blocks), stream, data, query, sets.bits,
         words);
  launch(count_kernel, grid_of_parts, stream, sets);
  launch(compact_kernel, grid_of_parts, stream, sets, candidates);
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
    launch(compact_kernel, grid_of_parts, stream, sets, candidates);
  };
  if (options.confirm) drop_by(confirm_kernel);
  for (std::int64_t round = 0; round < options.rounds; ++round) drop_by(check_kernel);
  return candidates;
}

}  // namespace warpbench::matching::fsig
