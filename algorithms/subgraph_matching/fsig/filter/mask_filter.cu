// filter_by_masks(): first masks of all data vertices, and a list of those that have a bit: a tenth of them, or fewer.
// Rounds and bitmaps go through the list alone. Few data vertices resemble a query vertex, and few pairs stay together,
// so that what is to be looked at is queued in shared memory first.
#include <limits>

#include "algorithms/subgraph_matching/fsig/filter/filter.hpp"
#include "algorithms/subgraph_matching/fsig/filter/frequencies.cuh"
#include "algorithms/subgraph_matching/fsig/graph.cuh"
#include "device/backend/work_limit.hpp"
#include "device/launch.hpp"

namespace warpbench::matching::fsig {
namespace {

using Mask = std::uint32_t;       ///< bit u of a data vertex's: it is a candidate for query vertex u
using ShortMask = std::uint16_t;  ///< the same in memory, where no more query vertices are: half of what is moved

struct MaskTuning {
  static constexpr int kThreads = 128;
  static constexpr int kWarps = kThreads / kWarpSize;
  static constexpr int kWords = 4;                   ///< data vertices of a lane
  static constexpr int kGroup = kWords * kWarpSize;  ///< of a warp
  static constexpr std::uint32_t kLabelSlots = 64;
};
/// Slots that the first launch of a kernel reads, some milliseconds' work.
constexpr std::int64_t kFirstSlots = std::int64_t{1} << 27;

/// Groups of `size` vertices that a launch takes, of which each list is read up to `times`.
SliceSizes group_slices(const DataGraphView& data, std::int64_t size, std::int64_t times) {
  const std::int64_t slots_of_vertex = ceil_div(data.neighbors.size(), data.vertices) + 1;
  const std::int64_t first = kFirstSlots / (slots_of_vertex * size * times) + 1;
  return {first, 8 * first};
}

/// The data vertices that have a bit, in any order.
struct ListedVertices {
  View<Vertex> vertices;      ///< room for as many as there may be
  View<std::uint32_t> count;  ///< of them, one number
};

/// One of the listed vertices a lane, of a group of 32; there are `groups` at most.
struct ListedVertex {
  bool present;
  Vertex vertex;
};
__device__ ListedVertex listed_vertex(const ListedVertices& listed, std::int64_t group) {
  const std::int64_t place = group * kWarpSize + warp::lane();
  const bool present = place < std::int64_t{listed.count[0]};
  return {present, present ? listed.vertices[place] : 0};
}

// ---- neighbour label frequencies ----

/// The query vertices by what tells them from most data vertices, in shared memory.
struct QueryFeatures {
  Features features[kWarpSize];
  Mask of_label[MaskTuning::kLabelSlots];  ///< those whose label falls into the slot

  __device__ static std::uint32_t slot_of(Label label) { return label % MaskTuning::kLabelSlots; }
  /// By a whole block.
  __device__ void find(const DataGraphView& data, const DeviceQuery& query) {
    const int count = static_cast<int>(query.vertices.size());
    for (const int slot : block::strided<MaskTuning::kThreads>(static_cast<int>(MaskTuning::kLabelSlots))) {
      of_label[slot] = 0;
    }
    for (const int u : block::strided<MaskTuning::kThreads>(count)) features[u] = features_of(data, query, u);
    __syncthreads();
    for (const int u : block::strided<MaskTuning::kThreads>(count)) {
      atomicOr(&of_label[slot_of(features[u].label)], mask_of(u));
    }
    __syncthreads();
  }
};

/// Pairs of a query vertex and one of a group's vertices that resembles it, of a warp: they are looked at 32 at a time.
struct PairQueue {
  std::uint32_t pairs[2 * kWarpSize];
  Mask masks[MaskTuning::kGroup];  ///< of the group's vertices, as far as its pairs have been looked at
};

class PairTest {
 public:
  __device__ PairTest(const DataGraphView& data, const DeviceQuery& query, PairQueue& queue)
      : data_(data), query_(query), queue_(queue) {}

  /// Begins a group.
  __device__ void begin(std::int64_t first_vertex) {
    first_vertex_ = first_vertex;
    for (int k = 0; k < MaskTuning::kWords; ++k) queue_.masks[k * kWarpSize + warp::lane()] = 0;
    __syncwarp();
  }
  /// Queues the pairs of the lane's vertex in word k, if there is one.
  __device__ __forceinline__ void push(const QueryFeatures& known, bool exists, Features own, int k) {
    Mask left = exists ? known.of_label[QueryFeatures::slot_of(own.label)] : 0;
    while (__any_sync(kFullMask, left != 0 ? 1 : 0) != 0) {
      const int u = left != 0 ? lowest_bit(left) : 0;
      const bool present = left != 0 && resembles(own, known.features[u]);
      left &= left - 1;
      const warp::Slot place = warp::compact(present);
      if (present) queue_.pairs[queued_ + place.index] = static_cast<unsigned>(name(u, k));
      queued_ += place.count;
      if (queued_ < kWarpSize) continue;
      queued_ -= kWarpSize;
      __syncwarp();
      look_at(queue_.pairs[queued_ + warp::lane()]);
      __syncwarp();
    }
  }
  /// Ends a group; then its masks are complete.
  __device__ void end() {
    __syncwarp();
    if (warp::lane() < queued_) look_at(queue_.pairs[warp::lane()]);
    queued_ = 0;
    __syncwarp();
  }

 private:
  __device__ static int name(int u, int k) { return u * MaskTuning::kGroup + k * kWarpSize + warp::lane(); }
  __device__ void look_at(std::uint32_t pair) {
    const std::uint32_t u = pair / MaskTuning::kGroup;
    const std::uint32_t place = pair % MaskTuning::kGroup;
    const QueryVertex vertex = query_.vertices[u];
    const auto v = static_cast<Vertex>(first_vertex_ + place);
    // Where each has one label, the two have been compared.
    const bool is_compared = data_.label_offsets.empty() && vertex.labels_end - vertex.labels_begin == 1;
    const bool fits = (is_compared || has_labels(data_, query_, vertex, v)) && has_neighbors(data_, query_, vertex, v);
    if (fits) atomicOr(&queue_.masks[place], mask_of(u));
  }

  const DataGraphView& data_;
  const DeviceQuery& query_;
  PairQueue& queue_;
  std::int64_t first_vertex_ = 0;
  int queued_ = 0;
};

/// Vertices of a warp that wait to be listed together: the groups of a warp have a few each, and all warps add to one
/// number.
class ListQueue {
 public:
  static constexpr int kSize = 2 * MaskTuning::kGroup;

  /// waiting: kSize in shared memory.
  __device__ ListQueue(Vertex* waiting, const ListedVertices& listed) : waiting_(waiting), listed_(listed) {}

  /// Those of a group whose masks have a bit.
  __device__ void push(const Mask* masks, std::int64_t first_vertex) {
    for (int k = 0; k < MaskTuning::kWords; ++k) {
      const int in_group = k * kWarpSize + warp::lane();
      const warp::Slot place = warp::compact(masks[in_group] != 0);
      if (masks[in_group] != 0) waiting_[queued_ + place.index] = static_cast<Vertex>(first_vertex + in_group);
      queued_ += place.count;
    }
    if (queued_ > kSize - MaskTuning::kGroup) flush();
  }
  __device__ void flush() {
    __syncwarp();
    const auto count = static_cast<unsigned>(queued_);
    const std::uint32_t own = warp::lane() == 0 && count > 0 ? atomicAdd(&listed_.count[0], count) : 0;
    const std::int64_t begin = __shfl_sync(kFullMask, own, 0);
    for (const int i : warp::strided(queued_)) listed_.vertices[begin + i] = waiting_[i];
    queued_ = 0;
    __syncwarp();
  }

 private:
  Vertex* waiting_;
  const ListedVertices& listed_;
  int queued_ = 0;
};

/// Masks of all data vertices, and the list. `zeros`: masks for the first round to write. Stored: Mask or ShortMask.
template <typename Stored>
__global__ void __launch_bounds__(MaskTuning::kThreads)
    first_masks_kernel(DataGraphView data, DeviceQuery query, Extent<std::int64_t> groups, View<Stored> masks,
                       View<Stored> zeros, ListedVertices listed) {
  __shared__ QueryFeatures known;
  __shared__ PairQueue queues[MaskTuning::kWarps];
  __shared__ Vertex waiting[MaskTuning::kWarps][ListQueue::kSize];
  known.find(data, query);
  const int own_warp = block::warp_rank<MaskTuning::kThreads>();
  PairQueue& queue = queues[own_warp];
  ListQueue list(waiting[own_warp], listed);
  PairTest test(data, query, queue);
  for (const std::int64_t group : grid::per_warp<MaskTuning::kThreads>(groups)) {
    const std::int64_t first = group * MaskTuning::kGroup;
    Features own[MaskTuning::kWords];  // read before the first is looked at, so that the reads overlap
    bool exists[MaskTuning::kWords];
#pragma unroll
    for (int k = 0; k < MaskTuning::kWords; ++k) {
      const std::int64_t v = first + k * kWarpSize + warp::lane();
      exists[k] = v < data.vertices;
      own[k] = features_of(data, static_cast<Vertex>(exists[k] ? v : 0));
    }
    test.begin(first);
#pragma unroll
    for (int k = 0; k < MaskTuning::kWords; ++k) test.push(known, exists[k], own[k], k);
    test.end();
    for (int k = 0; k < MaskTuning::kWords; ++k) {
      const int place = k * kWarpSize + warp::lane();
      if (first + place >= data.vertices) continue;
      masks[first + place] = static_cast<Stored>(queue.masks[place]);
      zeros[first + place] = 0;
    }
    list.push(queue.masks, first);
    __syncwarp();
  }
  list.flush();
}

/// Takes query vertices off the masks for which counts do not suffice. The vertices of a group one by one.
template <typename Stored>
__global__ void __launch_bounds__(MaskTuning::kThreads)
    confirm_masks_kernel(DataGraphView data, DeviceQuery query, Extent<std::int64_t> groups, ListedVertices listed,
                         View<Stored> masks) {
  for (const std::int64_t group : grid::per_warp<MaskTuning::kThreads>(groups)) {
    const ListedVertex own = listed_vertex(listed, group);
    Mask mask = own.present ? masks[own.vertex] : 0;
    for (const int lane : set_bits(__ballot_sync(kFullMask, mask != 0 ? 1 : 0))) {
      const Vertex other = __shfl_sync(kFullMask, own.vertex, lane);
      for (const int u : set_bits(__shfl_sync(kFullMask, mask, lane))) {
        const bool stays = has_counted_neighbors(data, query, query.vertices[u], other);
        if (warp::lane() == lane && !stays) mask &= ~mask_of(u);
      }
    }
    if (own.present) masks[own.vertex] = static_cast<Stored>(mask);
  }
}

// ---- Algorithm 7 ----

/// For each query vertex its neighbours: in shared memory, by a whole block.
__device__ void find_neighbors(const DeviceQuery& query, Mask* around) {
  for (const int u : block::strided<MaskTuning::kThreads>(static_cast<int>(query.vertices.size()))) {
    const QueryVertex vertex = query.vertices[u];
    Mask neighbors = 0;
    for (std::uint32_t s = vertex.slots_begin; s < vertex.slots_end; ++s) neighbors |= mask_of(query.slots[s].to);
    around[u] = neighbors;
  }
  __syncthreads();
}

/// The query vertices with a candidate in N(v), by the lanes of a team, each with its share of N(v); a lane that has
/// all of `wanted` stops.
template <int kLanes, typename Stored>
__device__ Mask reached_from(const DataGraphView& data, View<const Stored> masks, Vertex v, bool looks, Mask wanted) {
  Mask reached = 0;
  if (looks) {
    for (const std::int64_t slot : warp::strided<kLanes>(segment(data.offsets, v))) {
      reached |= masks[data.neighbors[slot]];
      if ((wanted & ~reached) == 0) break;
    }
  }
  return warp::reduce(reached, warp::Or{}, kLanes);
}

/// Those query vertices of `own` whose neighbours are all reached.
__device__ Mask staying(Mask own, Mask reached, const Mask* around) {
  Mask stays = own;
  for (const int u : set_bits(own)) {
    if ((around[u] & ~reached) != 0) stays &= ~mask_of(u);
  }
  return stays;
}

/// Those of a group that are left, of a warp.
struct LeftVertices {
  Vertex vertices[kWarpSize];
  Mask masks[kWarpSize];
};

/// Lines 3-5: a round, from the masks `before` it. A team of lanes a vertex that is left.
template <typename Stored>
__global__ void __launch_bounds__(MaskTuning::kThreads)
    check_masks_kernel(DataGraphView data, DeviceQuery query, Extent<std::int64_t> groups, ListedVertices listed,
                       View<const Stored> before, View<Stored> after) {
  constexpr int kLanes = TeamTuning::kLanes;
  __shared__ Mask around[kWarpSize];
  __shared__ LeftVertices lists[MaskTuning::kWarps];
  find_neighbors(query, around);
  LeftVertices& left = lists[block::warp_rank<MaskTuning::kThreads>()];
  for (const std::int64_t group : grid::per_warp<MaskTuning::kThreads>(groups)) {
    const ListedVertex own = listed_vertex(listed, group);
    const Mask mask = own.present ? before[own.vertex] : 0;
    if (own.present && mask == 0) after[own.vertex] = 0;  // which has the masks of two rounds ago
    const warp::Slot place = warp::compact(mask != 0);
    if (mask != 0) {
      left.vertices[place.index] = own.vertex;
      left.masks[place.index] = mask;
    }
    __syncwarp();
    for (int first = 0; first < place.count; first += kWarpSize / kLanes) {
      const int i = first + warp::lane() / kLanes;
      const bool inside = i < place.count;
      const Vertex v = left.vertices[inside ? i : 0];
      const Mask candidate_of = left.masks[inside ? i : 0];
      Mask wanted = 0;
      for (const int u : set_bits(candidate_of)) wanted |= around[u];
      const bool is_long = inside && segment(data.offsets, v).size() > TeamTuning::kMaxNeighbors;
      Mask reached = reached_from<kLanes>(data, before, v, inside && !is_long, wanted);
      const bool leads = inside && warp::lane() % kLanes == 0;
      for (const int lane : set_bits(__ballot_sync(kFullMask, leads && is_long ? 1 : 0))) {
        const Vertex other = __shfl_sync(kFullMask, v, lane);
        const Mask all = reached_from<kWarpSize>(data, before, other, true, __shfl_sync(kFullMask, wanted, lane));
        if (warp::lane() == lane) reached = all;
      }
      if (leads) after[v] = static_cast<Stored>(staying(candidate_of, reached, around));
    }
    __syncwarp();
  }
}

/// The masks as bitmaps, which are empty so far.
template <typename Stored>
__global__ void __launch_bounds__(MaskTuning::kThreads)
    set_members_kernel(View<const Stored> masks, ListedVertices listed, CandidateBitmaps sets) {
  for (const std::int64_t i : grid::strided<MaskTuning::kThreads>(std::int64_t{listed.count[0]})) {
    const Vertex v = listed.vertices[i];
    const std::int64_t part = word_of(std::int64_t{v}) / CandidateBitmaps::kWordsPerPart;
    for (const int u : set_bits(Mask{masks[v]})) {
      atomic_set_bit(sets.bits.subview(u * sets.words, sets.words), v);
      atomicAdd(&sets.part_counts[u * sets.parts + part], 1U);
    }
  }
}

template <typename Stored>
Candidates filter_by(const DataGraphView& data, const DeviceQuery& query, const FilterOptions& options, Arena& arena,
                     const Deadline& deadline, Stream& stream) {
  constexpr int kThreads = MaskTuning::kThreads;
  const std::int64_t count = query.vertices.size();
  // All that must be 0 at first lies together, for one fill.
  const std::int64_t words = words_of_bitmaps(count, data.vertices);
  const View<std::uint32_t> zeroed = arena.take<std::uint32_t>(words + 1);
  const CandidateBitmaps sets = bitmaps_in(zeroed.first(words), count, data.vertices);
  const Candidates candidates = take_candidates(sets, options.max_candidates, arena);
  const Arena::Mark mark = arena.mark();
  View<Stored> masks = arena.take<Stored>(data.vertices);
  View<Stored> next = arena.take<Stored>(data.vertices);
  const std::int64_t most_listed = std::min(data.vertices, options.max_candidates);
  const ListedVertices listed{arena.take<Vertex>(most_listed), zeroed.subview(words, 1)};
  const auto over_groups = [&](std::int64_t vertices, std::int64_t group, std::int64_t times, auto kernel,
                               const auto&... arguments) {
    const std::int64_t most = max_resident_blocks(kernel, kThreads);
    const auto launch_slice = [&](std::int64_t first, std::int64_t last) {
      launch(kernel, warp_grid_for(last - first, kThreads, most), stream, data, query,
             Extent<std::int64_t>{first, last}, arguments...);
    };
    const std::int64_t groups = ceil_div(vertices, group);
    if (!in_slices(groups, group_slices(data, group, times), deadline, stream, launch_slice)) throw GaveUp();
  };
  runtime::fill_bytes(zeroed.data(), 0, zeroed.bytes(), *stream.handle());
  over_groups(data.vertices, MaskTuning::kGroup, 1, first_masks_kernel<Stored>, masks, next, listed);
  if (options.confirm) over_groups(most_listed, kWarpSize, count, confirm_masks_kernel<Stored>, listed, masks);
  for (std::int64_t round = 0; round < options.rounds; ++round) {
    over_groups(most_listed, kWarpSize, 1, check_masks_kernel<Stored>, listed, masks, next);
    std::swap(masks, next);
  }
  const std::int64_t blocks = max_resident_blocks(set_members_kernel<Stored>, kThreads);
  launch(set_members_kernel<Stored>, grid_for(most_listed, kThreads, blocks), stream, masks, listed, sets);
  arena.release(mark);  // what comes next in the stream may have their memory
  compact(sets, candidates, stream);
  return candidates;
}

}  // namespace

bool can_filter_by_masks(const DataGraphView& data, const DeviceQuery& query) {
  return query.vertices.size() <= kWarpSize && data.edge_labels.empty();
}

Candidates filter_by_masks(const DataGraphView& data, const DeviceQuery& query, const FilterOptions& options,
                           Arena& arena, const Deadline& deadline, Stream& stream) {
  constexpr int kShort = std::numeric_limits<ShortMask>::digits;
  const auto filter = query.vertices.size() <= kShort ? filter_by<ShortMask> : filter_by<Mask>;
  return filter(data, query, options, arena, deadline, stream);
}

}  // namespace warpbench::matching::fsig
