// filter_by_masks(): a warp takes 128 data vertices at a time. Few of them resemble a query vertex, and fewer stay, so
// that those with work to do are queued in shared memory first.
#include "algorithms/subgraph_matching/fsig/filter/filter.hpp"
#include "algorithms/subgraph_matching/fsig/filter/frequencies.cuh"
#include "algorithms/subgraph_matching/fsig/graph.cuh"
#include "device/backend/work_limit.hpp"
#include "device/launch.hpp"

namespace warpbench::matching::fsig {
namespace {

using Mask = std::uint32_t;  ///< bit u of a data vertex's: it is a candidate for query vertex u

struct MaskTuning {
  static constexpr int kThreads = 128;
  static constexpr int kWarps = kThreads / kWarpSize;
  static constexpr int kWords = 4;                   ///< data vertices of a lane
  static constexpr int kGroup = kWords * kWarpSize;  ///< of a warp
  static constexpr int kTileWords = 8;               ///< of each bitmap that a warp writes at a time: a sector
};
/// Slots that the first launch of a kernel reads, some milliseconds' work.
constexpr std::int64_t kFirstSlots = std::int64_t{1} << 27;

/// Groups that a launch takes, of which each list is read up to `times`.
SliceSizes group_slices(const DataGraphView& data, std::int64_t times) {
  const std::int64_t slots_of_vertex = ceil_div(data.neighbors.size(), data.vertices) + 1;
  const std::int64_t first = kFirstSlots / (slots_of_vertex * MaskTuning::kGroup * times) + 1;
  return {first, 8 * first};
}

/// The vertex of this lane in word k of a group; data.vertices or more where there is none.
__device__ std::int64_t vertex_of(std::int64_t group, int k) {
  return group * MaskTuning::kGroup + k * kWarpSize + warp::lane();
}

// ---- neighbour label frequencies ----

/// The query vertices that v resembles.
__device__ Mask similar_vertices(const DataGraphView& data, const Features* features, int count, std::int64_t v) {
  if (v >= data.vertices) return 0;
  const Features own = features_of(data, static_cast<Vertex>(v));
  Mask similar = 0;
  for (int i = 0; i < count; ++i) similar |= resembles(own, features[i]) ? mask_of(i) : 0;
  return similar;
}

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
  /// Queues the pairs of the lane's vertex in word k.
  __device__ void push(Mask similar, int k) {
    while (__any_sync(kFullMask, similar != 0 ? 1 : 0) != 0) {
      const bool present = similar != 0;
      const int u = present ? lowest_bit(similar) : 0;
      similar &= similar - 1;
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
    const bool fits = has_labels(data_, query_, vertex, v) && has_neighbors(data_, query_, vertex, v);
    if (fits) atomicOr(&queue_.masks[place], mask_of(u));
  }

  const DataGraphView& data_;
  const DeviceQuery& query_;
  PairQueue& queue_;
  std::int64_t first_vertex_ = 0;
  int queued_ = 0;
};

__global__ void __launch_bounds__(MaskTuning::kThreads)
    first_masks_kernel(DataGraphView data, DeviceQuery query, Extent<std::int64_t> groups, View<Mask> masks) {
  __shared__ Features features[kWarpSize];
  __shared__ PairQueue queues[MaskTuning::kWarps];
  const int count = static_cast<int>(query.vertices.size());
  for (const int u : block::strided<MaskTuning::kThreads>(count)) features[u] = features_of(data, query, u);
  __syncthreads();
  PairQueue& queue = queues[block::warp_rank<MaskTuning::kThreads>()];
  PairTest test(data, query, queue);
  for (const std::int64_t group : grid::per_warp<MaskTuning::kThreads>(groups)) {
    Mask similar[MaskTuning::kWords];
    for (int k = 0; k < MaskTuning::kWords; ++k) {
      similar[k] = similar_vertices(data, features, count, vertex_of(group, k));
    }
    test.begin(group * MaskTuning::kGroup);
    for (int k = 0; k < MaskTuning::kWords; ++k) test.push(similar[k], k);
    test.end();
    for (int k = 0; k < MaskTuning::kWords; ++k) {
      const std::int64_t v = vertex_of(group, k);
      if (v < data.vertices) masks[v] = queue.masks[k * kWarpSize + warp::lane()];
    }
  }
}

/// Takes query vertices off the masks for which counts do not suffice. The vertices of a warp's group one by one.
__global__ void __launch_bounds__(MaskTuning::kThreads)
    confirm_masks_kernel(DataGraphView data, DeviceQuery query, Extent<std::int64_t> groups, View<Mask> masks) {
  for (const std::int64_t group : grid::per_warp<MaskTuning::kThreads>(groups)) {
    for (int k = 0; k < MaskTuning::kWords; ++k) {
      const std::int64_t v = vertex_of(group, k);
      Mask own = v < data.vertices ? masks[v] : 0;
      for (const int lane : set_bits(__ballot_sync(kFullMask, own != 0 ? 1 : 0))) {
        const auto other = static_cast<Vertex>(v - warp::lane() + lane);
        for (const int u : set_bits(__shfl_sync(kFullMask, own, lane))) {
          const bool stays = has_counted_neighbors(data, query, query.vertices[u], other);
          if (warp::lane() == lane && !stays) own &= ~mask_of(u);
        }
      }
      if (v < data.vertices) masks[v] = own;
    }
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
template <int kLanes>
__device__ Mask reached_from(const DataGraphView& data, View<const Mask> masks, Vertex v, bool looks, Mask wanted) {
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

/// Lines 3-5: a round, from the masks `before` it. A team of lanes a vertex that has a bit, of those of a group.
__global__ void __launch_bounds__(MaskTuning::kThreads)
    check_masks_kernel(DataGraphView data, DeviceQuery query, Extent<std::int64_t> groups, View<const Mask> before,
                       View<Mask> after) {
  constexpr int kLanes = TeamTuning::kLanes;
  __shared__ Mask around[kWarpSize];
  __shared__ Vertex lists[MaskTuning::kWarps][MaskTuning::kGroup];
  find_neighbors(query, around);
  Vertex* const list = lists[block::warp_rank<MaskTuning::kThreads>()];
  for (const std::int64_t group : grid::per_warp<MaskTuning::kThreads>(groups)) {
    int listed = 0;
    for (int k = 0; k < MaskTuning::kWords; ++k) {
      const std::int64_t v = vertex_of(group, k);
      const bool inside = v < data.vertices;
      const bool is_candidate = inside && before[v] != 0;
      if (inside && !is_candidate) after[v] = 0;
      const warp::Slot place = warp::compact(is_candidate);
      if (is_candidate) list[listed + place.index] = static_cast<Vertex>(v);
      listed += place.count;
    }
    __syncwarp();
    for (int first = 0; first < listed; first += kWarpSize / kLanes) {
      const int place = first + warp::lane() / kLanes;
      const bool inside = place < listed;
      const Vertex v = list[inside ? place : 0];
      const Mask own = before[v];
      Mask wanted = 0;
      for (const int u : set_bits(own)) wanted |= around[u];
      const bool is_long = inside && segment(data.offsets, v).size() > TeamTuning::kMaxNeighbors;
      Mask reached = reached_from<kLanes>(data, before, v, inside && !is_long, wanted);
      const bool leads = inside && warp::lane() % kLanes == 0;
      for (const int lane : set_bits(__ballot_sync(kFullMask, leads && is_long ? 1 : 0))) {
        const Vertex other = __shfl_sync(kFullMask, v, lane);
        const Mask all = reached_from<kWarpSize>(data, before, other, true, __shfl_sync(kFullMask, wanted, lane));
        if (warp::lane() == lane) reached = all;
      }
      if (leads) after[v] = staying(own, reached, around);
    }
    __syncwarp();
  }
}

/// The masks as bitmaps: a warp kTileWords words of each.
__global__ void __launch_bounds__(MaskTuning::kThreads)
    transpose_kernel(View<const Mask> masks, int query_vertices, CandidateBitmaps sets) {
  constexpr int kWords = MaskTuning::kTileWords;
  __shared__ std::uint32_t tiles[MaskTuning::kWarps][kWarpSize * kWords];
  std::uint32_t* const tile = tiles[block::warp_rank<MaskTuning::kThreads>()];
  for (const std::int64_t group : grid::per_warp<MaskTuning::kThreads>(ceil_div(sets.words, kWords))) {
    for (int k = 0; k < kWords; ++k) {
      const std::int64_t v = (group * kWords + k) * kBitsPerWord + warp::lane();
      const Mask own = v < masks.size() ? masks[v] : 0;
      std::uint32_t members = 0;  // of the query vertex with this lane's number
      for (const int u : set_bits(warp::reduce(own, warp::Or{}))) {
        const unsigned votes = __ballot_sync(kFullMask, (own & mask_of(u)) != 0 ? 1 : 0);
        if (warp::lane() == u) members = votes;
      }
      tile[warp::lane() * kWords + k] = members;
    }
    __syncwarp();
    for (const int i : warp::strided(query_vertices * kWords)) {
      const std::int64_t word = group * kWords + i % kWords;
      if (word < sets.words) sets.bits[i / kWords * sets.words + word] = tile[i];
    }
    __syncwarp();
  }
}

}  // namespace

bool can_filter_by_masks(const DataGraphView& data, const DeviceQuery& query) {
  return query.vertices.size() <= kWarpSize && data.edge_labels.empty();
}

Candidates filter_by_masks(const DataGraphView& data, const DeviceQuery& query, const FilterOptions& options,
                           Arena& arena, const Deadline& deadline, Stream& stream) {
  constexpr int kThreads = MaskTuning::kThreads;
  const std::int64_t count = query.vertices.size();
  const CandidateBitmaps sets = take_bitmaps(count, data.vertices, arena);
  const Candidates candidates = take_candidates(sets, options.max_candidates, arena);
  const Arena::Mark mark = arena.mark();
  View<Mask> masks = arena.take<Mask>(data.vertices);
  View<Mask> next = arena.take<Mask>(data.vertices);
  const auto over_groups = [&](std::int64_t times, auto kernel, const auto&... arguments) {
    const std::int64_t most = max_resident_blocks(kernel, kThreads);
    const auto launch_slice = [&](std::int64_t first, std::int64_t last) {
      launch(kernel, warp_grid_for(last - first, kThreads, most), stream, data, query,
             Extent<std::int64_t>{first, last}, arguments...);
    };
    const std::int64_t groups = ceil_div(data.vertices, MaskTuning::kGroup);
    if (!in_slices(groups, group_slices(data, times), deadline, stream, launch_slice)) throw GaveUp();
  };
  over_groups(1, first_masks_kernel, masks);
  if (options.confirm) over_groups(count, confirm_masks_kernel, masks);
  for (std::int64_t round = 0; round < options.rounds; ++round) {
    over_groups(1, check_masks_kernel, masks, next);
    std::swap(masks, next);
  }
  const std::int64_t blocks = max_resident_blocks(transpose_kernel, kThreads);
  launch(transpose_kernel, warp_grid_for(ceil_div(sets.words, MaskTuning::kTileWords), kThreads, blocks), stream, masks,
         count, sets);
  arena.release(mark);  // what comes next in the stream may have their memory
  count_members(sets, stream);
  compact(sets, candidates, stream);
  return candidates;
}

}  // namespace warpbench::matching::fsig
