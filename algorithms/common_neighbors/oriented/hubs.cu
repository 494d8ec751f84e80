#include "algorithms/common_neighbors/oriented/hubs.cuh"

#include <utility>

#include "algorithms/common_neighbors/oriented/out_graph.cuh"
#include "device/bits.cuh"
#include "device/integers.hpp"
#include "device/launch.hpp"
#include "device/primitives.hpp"
#include "device/ranges.cuh"
#include "device/segments.cuh"
#include "device/warp.cuh"

namespace warpbench::common_neighbors {
namespace {

constexpr int kThreads = HubTuning::kThreads;
constexpr int kWords = HubTuning::kMost / kBitsPerWord;  ///< of a bitmap
constexpr int kQuads = kWords / (4 * kWarpSize);         ///< of four words, a lane's
constexpr std::int64_t kScanBytes = 1 << 16;             ///< that a scan takes by itself, at most

/// One warp 32 vertices: a bit each.
__global__ void mark_hubs(View<const std::uint64_t> offsets, std::int64_t least_degree, View<std::uint32_t> bits,
                          View<std::uint32_t> bits_in_word) {
  const std::int64_t vertices = offsets.size() - 1;
  for (const std::int64_t word : grid::per_warp<kThreads>(bits.size())) {
    const std::int64_t v = word * kBitsPerWord + warp::lane();
    const bool is_hub = v < vertices && segment(offsets, v).size() >= least_degree;
    const unsigned hubs = __ballot_sync(kFullMask, is_hub ? 1 : 0);
    if (warp::lane() == 0) {
      bits[word] = hubs;
      bits_in_word[word] = static_cast<std::uint32_t>(__popc(hubs));
    }
  }
}

/// One thread a vertex.
__global__ void list_hubs(HubSet set, std::int64_t vertices, View<std::uint32_t> hubs) {
  for (const std::int64_t v : grid::strided(vertices)) {
    if (set.members.test(v)) hubs[set.members.rank(v)] = static_cast<std::uint32_t>(v);
  }
}

/// One warp a hub: the edge to each of its targets, which are hubs, in both bitmaps.
__global__ void fill_bitmaps(OutGraph graph, HubSet set, View<const std::uint32_t> hubs, View<std::uint32_t> bitmaps) {
  for (const std::int64_t rank_u : grid::per_warp<kThreads>(hubs.size())) {
    for (const std::uint32_t e : warp::strided(graph.out_list(hubs[rank_u]))) {
      const std::int64_t rank_v = set.members.rank(graph.neighbors[e]);
      atomic_set_bit(&bitmaps[rank_u * kWords], rank_v);
      atomic_set_bit(&bitmaps[rank_v * kWords], rank_u);
    }
  }
}

/// A lane's words of a hub's bitmap.
struct BitmapPart {
  uint4 quads[kQuads];

  __device__ static BitmapPart of(View<const std::uint32_t> bitmaps, std::int64_t rank) {
    BitmapPart part;
    const auto* const quads = reinterpret_cast<const uint4*>(&bitmaps[rank * kWords]);
#pragma unroll
    for (int i = 0; i < kQuads; ++i) part.quads[i] = quads[i * kWarpSize + warp::lane()];
    return part;
  }
  __device__ int common_with(const BitmapPart& other) const {
    int common = 0;
#pragma unroll
    for (int i = 0; i < kQuads; ++i) {
      const uint4 a = quads[i];
      const uint4 b = other.quads[i];
      common += __popc(a.x & b.x) + __popc(a.y & b.y) + __popc(a.z & b.z) + __popc(a.w & b.w);
    }
    return common;
  }
};

/// One block a hub u, whose bitmap the lanes of each warp have in registers; a warp 32 edges (u,v) at a time.
__global__ void __launch_bounds__(kThreads, HubTuning::kMinBlocks)
    count_common_hubs(OutGraph graph, HubSet set, View<const std::uint32_t> hubs, View<const std::uint32_t> bitmaps) {
  constexpr int kUnroll = HubTuning::kUnroll;
  for (const std::int64_t rank_u : grid::per_block(hubs.size())) {
    const BitmapPart own = BitmapPart::of(bitmaps, rank_u);
    const Extent<std::uint32_t> list = graph.out_list(hubs[rank_u]);
    for (std::int64_t first = list.begin + std::int64_t{block::warp_rank<kThreads>()} * kWarpSize; first < list.end;
         first += kThreads) {
      const std::int64_t end = first + kWarpSize < list.end ? first + kWarpSize : list.end;
      if (!graph.counts.has_any_of({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end)})) continue;
      const auto e = static_cast<std::uint32_t>(first + warp::lane());
      const std::uint32_t rank_v = e < list.end ? set.members.rank(graph.neighbors[e]) : 0;
      int found = 0;
      for (int i = 0; i < end - first; i += kUnroll) {
        BitmapPart of_v[kUnroll];
#pragma unroll
        for (int k = 0; k < kUnroll; ++k) of_v[k] = BitmapPart::of(bitmaps, __shfl_sync(kFullMask, rank_v, i + k));
#pragma unroll
        for (int k = 0; k < kUnroll; ++k) {
          const int common = __reduce_add_sync(kFullMask, own.common_with(of_v[k]));
          if (warp::lane() == i + k) found = common;
        }
      }
      if (e < list.end && found != 0) graph.counts.add(e, static_cast<std::uint32_t>(found));
    }
  }
}

}  // namespace

Hubs::Hubs(const OutGraph& graph, const HubChoice& choice, Stream& stream) {
  if (choice.count == 0) return;
  const std::int64_t vertices = graph.offsets.size() - 1;
  bits_ = Buffer<std::uint32_t>(words_for(vertices), stream);
  before_ = Buffer<std::uint32_t>(words_for(vertices), stream);
  hubs_ = Buffer<std::uint32_t>(choice.count, stream);
  bitmaps_ = Buffer<std::uint32_t>(choice.count * kWords, stream);
  Buffer<std::uint32_t> bits_in_word(words_for(vertices), stream);
  launch(mark_hubs, warp_grid_for(bits_.size(), kThreads), stream, graph.row_offsets, choice.least_degree, bits_.view(),
         bits_in_word.view());
  exclusive_scan(bits_in_word.view(), before_.view(), stream);
  launch(list_hubs, grid_for(vertices, kThreads), stream, set(), vertices, hubs_.view());
  bitmaps_.fill(0, stream);
  launch(fill_bitmaps, warp_grid_for(choice.count, kThreads), stream, graph, set(), std::as_const(hubs_).view(),
         bitmaps_.view());
}

void Hubs::count(const OutGraph& graph, Stream& stream) const {
  if (hubs_.size() == 0) return;
  launch(count_common_hubs, Grid{hubs_.size(), kThreads}, stream, graph, set(), hubs_.view(), bitmaps_.view());
}

std::int64_t Hubs::bytes(std::int64_t vertices, const HubChoice& choice) {
  if (choice.count == 0) return 0;
  return 4 * (3 * words_for(vertices) + choice.count * (1 + kWords)) + kScanBytes;
}

}  // namespace warpbench::common_neighbors
