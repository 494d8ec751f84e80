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

/// The query vertices, of `count` from `first` on, to whose sets v belongs: a bit each.
__device__ unsigned fitting_vertices(const DataGraphView& data, const DeviceQuery& query, Vertex v, std::int64_t first,
                                     int count) {
  unsigned fits = 0;
  for (int i = 0; i < count; ++i) {
    const QueryVertex u = query.vertices[first + i];
    if (has_labels(data, query, u, v) && data.degrees[v] >= u.degree) fits |= mask_of(i);
  }
  // Few are left, so that a warp makes few rounds here.
  for (const int i : set_bits(fits)) {
    if (!has_neighbors(data, query, query.vertices[first + i], v)) fits &= ~mask_of(i);
  }
  return fits;
}

/// A thread a data vertex, a warp a word of each bitmap.
__global__ void __launch_bounds__(FrequencyTuning::kThreads)
    frequencies_kernel(DataGraphView data, DeviceQuery query, View<std::uint32_t> bits, std::int64_t words) {
  for (const std::int64_t word : grid::per_warp<FrequencyTuning::kThreads>(words)) {
    const std::int64_t v = word * kBitsPerWord + warp::lane();
    for (std::int64_t first = 0; first < query.vertices.size(); first += kWarpSize) {
      const std::int64_t left = query.vertices.size() - first;
      const int count = left < kWarpSize ? static_cast<int>(left) : kWarpSize;
      const unsigned fits =
          v < data.vertices ? fitting_vertices(data, query, static_cast<Vertex>(v), first, count) : 0;
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

/// Line 2, first step: the members in each part of kWordsPerBlock words of each bitmap.
__global__ void __launch_bounds__(CompactTuning::kThreads)
    count_kernel(View<const std::uint32_t> bits, std::int64_t words, View<std::uint32_t> part_counts) {
  const BitmapPart own;
  const View<const std::uint32_t> bitmap = bits.subview(own.u * words, words);
  const std::uint32_t count = block::reduce_sum(members_of(bitmap, own.words_of_thread(words)));
  if (block::rank() == 0) part_counts[own.part] = count;
}

/// The sum of part_counts[begin .. end), by a whole block.
__device__ std::int64_t sum_of_parts(View<const std::uint32_t> part_counts, std::int64_t begin, std::int64_t end) {
  std::int64_t sum = 0;
  for (const std::int64_t i : block::strided<CompactTuning::kThreads>(begin, end)) sum += part_counts[i];
  return block::reduce_sum(sum);
}

/// Line 2: the array C'(u), by a scan over the bitmap, and the ranks. `bits` stays as it is: it becomes the output
/// bitmap of line 3, while C(u) is the copy with ranks.
__global__ void __launch_bounds__(CompactTuning::kThreads)
    compact_kernel(View<const std::uint32_t> bits, View<const std::uint32_t> part_counts, Candidates candidates) {
  const BitmapPart own;
  const std::int64_t words = candidates.words_per_set;
  const View<const std::uint32_t> bitmap = bits.subview(own.u * words, words);
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

__device__ void drop(View<std::uint32_t> bits, const Candidates& candidates, const Candidate& candidate) {
  const std::int64_t words = candidates.words_per_set;
  if (warp::lane() == 0) atomic_clear_bit(bits.subview(candidate.u * words, words), candidate.v);
}

__global__ void __launch_bounds__(kCandidateThreads)
    confirm_kernel(DataGraphView data, DeviceQuery query, Candidates candidates, Extent<std::int64_t> items,
                   View<std::uint32_t> bits) {
  for_each_candidate(candidates, items, [&](const Candidate& candidate) {
    const QueryVertex u = query.vertices[candidate.u];
    if (!has_counted_neighbors(data, query, u, candidate.v)) drop(bits, candidates, candidate);
  });
}

__global__ void __launch_bounds__(kCandidateThreads)
    check_kernel(DataGraphView data, DeviceQuery query, Candidates candidates, Extent<std::int64_t> items,
                 View<std::uint32_t> bits) {
  for_each_candidate(candidates, items, [&](const Candidate& candidate) {
    const QueryVertex u = query.vertices[candidate.u];
    if (!meets_all_neighbors(data, query, candidates, u, candidate.v)) drop(bits, candidates, candidate);
  });
}

}  // namespace

Candidates filter(const DataGraphView& data, const DeviceQuery& query, const FilterOptions& options, Arena& arena,
                  const Deadline& deadline, Stream& stream) {
  const std::int64_t sets = query.vertices.size();
  const std::int64_t words = words_for(data.vertices);
  const Grid parts{{ceil_div(words, CompactTuning::kWordsPerBlock), sets}, CompactTuning::kThreads};
  const View<std::uint32_t> bits = arena.take<std::uint32_t>(sets * words);
  const View<std::uint32_t> part_counts = arena.take<std::uint32_t>(parts.blocks.count());
  const Candidates candidates{arena.take<RankWord>(sets * words), arena.take<Vertex>(options.max_candidates),
                              arena.take<std::int64_t>(sets + 1), words, sets};
  const auto drop_by = [&](auto kernel) {
    const std::int64_t blocks = max_resident_blocks(kernel, kCandidateThreads);
    const auto launch_slice = [&](std::int64_t first, std::int64_t last) {
      launch(kernel, warp_grid_for(last - first, kCandidateThreads, blocks), stream, data, query, candidates,
             Extent<std::int64_t>{first, last}, bits);
    };
    if (!in_slices(options.max_candidates, kCandidateSlices, deadline, stream, launch_slice)) throw GaveUp();
  };
  const auto compact = [&] {
    launch(count_kernel, parts, stream, bits, words, part_counts);
    launch(compact_kernel, parts, stream, bits, part_counts, candidates);
  };
  launch(frequencies_kernel, warp_grid_for(words, FrequencyTuning::kThreads), stream, data, query, bits, words);
  compact();
  if (options.confirm) {
    drop_by(confirm_kernel);
    compact();
  }
  for (std::int64_t round = 0; round < options.rounds; ++round) {
    drop_by(check_kernel);
    compact();
  }
  return candidates;
}

}  // namespace warpbench::matching::fsig
