#include "algorithms/nearest_neighbors/construction/build.hpp"

#include <algorithm>
#include <bit>

#include "algorithms/nearest_neighbors/construction/build_kernels.cuh"
#include "algorithms/nearest_neighbors/graph_search/dispatch.cuh"
#include "device/primitives.hpp"
#include "solvers/solver.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr std::int64_t kPointsPerGroup = 2000;
constexpr std::int64_t kGrowth = 16;  ///< a growing round adds at most one point for so many that are there

/// Phase 2, step 3 (lines 20-22): a warp a start vertex merges its edges into its row, whose first d_max stay. No edge
/// is in the row already: a batch's points are new to it.
__global__ void __launch_bounds__(128)
    merge_edges_kernel(View<const std::uint64_t> keys, View<const std::uint32_t> ends, View<const std::uint32_t> starts,
                       View<const std::uint32_t> count, GrowingGraph graph) {
  const int degree = graph.degree;
  std::uint64_t* const row = dynamic_shared<std::uint64_t>() + std::int64_t{threadIdx.y} * 2 * degree;
  std::uint64_t* const added = row + degree;
  const auto segments = static_cast<std::int64_t>(count[0]);
  for (std::int64_t s = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y; s < segments;
       s += std::int64_t{gridDim.x} * blockDim.y) {
    const auto start = static_cast<std::int64_t>(starts[s]);
    const auto vertex = static_cast<std::uint32_t>(keys[start] >> 32);
    int length = 0;
    for (int base = 0; base < degree; base += kWarpSize) {
      const int i = base + lane();
      const bool mine = i < degree && start + i < keys.size() && keys[start + i] >> 32 == vertex;
      if (i < degree) {
        row[i] = graph.key(vertex, i);
        added[i] = mine ? (keys[start + i] << 32) | (std::uint64_t{ends[start + i]} << 1) : kNoKey;
      }
      length += __popc(__ballot_sync(kFullMask, mine ? 1 : 0));
    }
    __syncwarp();
    for (int i = lane(); i < 2 * degree; i += kWarpSize) {
      const bool old = i < degree;
      const int own = old ? i : i - degree;
      const std::uint64_t key = old ? row[own] : added[own];
      if (key == kNoKey || (!old && own >= length)) continue;
      const int place = own + rank_in(old ? added : row, old ? length : degree, key);
      if (place >= degree) continue;
      graph.set(vertex, place, key);
    }
    __syncwarp();
  }
}

/// One layer being built by Algorithm 5, its buffers allocated once.
class LayerBuilder {
 public:
  LayerBuilder(const Points<float>& points, std::int64_t count, const BuildPlan& plan, Stream& stream, Phases& phases)
      : points_(points),
        plan_(plan),
        stream_(&stream),
        phases_(&phases),
        count_(count),
        degree_(static_cast<int>(plan.d_max)),
        shape_(shape_of(plan.search, std::max(plan.candidates, plan.d_min), plan.d_max, points.stride)),
        keys_(count * plan.d_max, stream),
        local_(count * plan.d_min, stream) {
    shape_.entries = static_cast<int>(plan.entries);
    shape_.profile = plan.profile;
    local_shape_ =
        shape_of(plan.search, std::max(plan.local_candidates > 0 ? plan.local_candidates : plan.candidates, plan.d_min),
                 plan.d_max, points.stride);
    local_shape_.entries = shape_.entries;
    local_shape_.profile = plan.profile;
    const std::int64_t wanted = plan.groups > 0 ? plan.groups : (count + kPointsPerGroup - 1) / kPointsPerGroup;
    group_ = plan.builder == Builder::serial ? count : (count + wanted - 1) / wanted;
  }

  /// The layer's rows; `above` are the layers over it, whose searches enter this one.
  Buffer<std::uint32_t> build(const DeviceGraph& above, View<WorkTotals> totals) {
    ids_ = Buffer<std::uint32_t>(count_ * degree_, *stream_);
    ids_.fill_bytes(0xff, *stream_);
    keys_.fill_bytes(0xff, *stream_);
    local_.fill_bytes(0xff, *stream_);
    with_warp_search(plan_.search, local_shape_.candidates, [&]<typename Search>() { build_groups<Search>(totals); });
    with_warp_search(plan_.search, shape_.candidates, [&]<typename Search>() {
      const std::int64_t edges = largest_batch() * plan_.d_min;
      edge_keys_ = Buffer<std::uint64_t>(edges, *stream_);
      sorted_keys_ = Buffer<std::uint64_t>(edges, *stream_);
      ends_ = Buffer<std::uint32_t>(edges, *stream_);
      sorted_ends_ = Buffer<std::uint32_t>(edges, *stream_);
      starts_ = Buffer<std::uint32_t>(edges, *stream_);
      start_count_ = Buffer<std::uint32_t>(1, *stream_);
      for (std::int64_t begin = group_; begin < count_;) {
        const std::int64_t end = std::min(begin + batch_after(begin), count_);
        merge_batch<Search>(begin, end, above, totals);
        begin = end;
      }
    });
    stream_->synchronize();
    return std::move(ids_);
  }

 private:
  [[nodiscard]] GrowingGraph graph() { return {ids_.view(), keys_.view(), degree_}; }
  [[nodiscard]] LocalNeighbors local() { return {local_.view(), static_cast<int>(plan_.d_min)}; }

  /// Points of the batch that is merged when `begin` points are in G_0: one group, or with growing rounds as many whole
  /// groups as make up kGrowth of those points. Groups of one batch do not see each other.
  [[nodiscard]] std::int64_t batch_after(std::int64_t begin) const {
    if (!plan_.growing_rounds) return group_;
    return std::max<std::int64_t>(1, begin / kGrowth / group_) * group_;
  }
  [[nodiscard]] std::int64_t largest_batch() const { return std::min(batch_after(count_), count_); }

  template <typename Search>
  void build_groups(View<WorkTotals> totals) {
    // Points of one batch of GNaiveParallel never see each other; only the first batch, which meets no graph, is
    // inserted.
    const std::int64_t points = plan_.builder == Builder::naive_parallel ? std::min(group_, count_) : count_;
    const Groups groups{static_cast<std::uint32_t>(points), static_cast<std::uint32_t>(group_),
                        static_cast<std::uint32_t>((points + group_ - 1) / group_)};
    const std::int64_t blocks = plan_.blocks > 0 ? std::min<std::int64_t>(plan_.blocks, groups.count) : groups.count;
    const auto scope = phases_->gpu("build_search", *stream_);
    launch(build_local_kernel<Search>, Grid{blocks, kWarpSize, Search::shared_bytes(local_shape_)}, *stream_, points_,
           groups, graph(), local(), local_shape_, totals);
  }

  template <typename Search>
  void merge_batch(std::int64_t begin, std::int64_t end, const DeviceGraph& above, View<WorkTotals> totals) {
    GraphView view;
    view.layers[0] = ids_.view();
    view.degree = degree_;
    view.vertices = static_cast<std::uint32_t>(begin);
    // The layers above lead to vertices that are in this layer's graph only once it has as many.
    if (!above.sizes.empty() && begin >= above.sizes.front()) {
      for (const Buffer<std::uint32_t>& layer : above.layers) view.layers[view.count++] = layer.view();
    }
    const std::int64_t edges = (end - begin) * plan_.d_min;
    const EdgeList list{edge_keys_.view().first(edges), ends_.view().first(edges)};
    const auto bytes = static_cast<std::uint32_t>((Search::shared_bytes(shape_) + 15) / 16 * 16);
    constexpr int kRows = 4;
    std::int64_t blocks = (end - begin + kRows - 1) / kRows;
    if (plan_.blocks > 0) blocks = std::min(blocks, plan_.blocks);
    {
      const auto scope = phases_->gpu("build_search", *stream_);
      launch(build_search_kernel<Search>, Grid{blocks, {kWarpSize, kRows}, std::size_t{bytes} * kRows}, *stream_,
             points_, view, begin, end, graph(), local(), list, shape_, bytes, totals);
    }
    const auto scope = phases_->gpu("build_merge", *stream_);
    merge_edges(edges);
  }

  void merge_edges(std::int64_t edges) {
    const View<std::uint64_t> keys = sorted_keys_.view().first(edges);
    const View<std::uint32_t> ends = sorted_ends_.view().first(edges);
    // Start vertices are below count_, the mark of no edge is all ones.
    const int bits = 32 + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count_)));
    sort_pairs(edge_keys_.view().first(edges), keys, ends_.view().first(edges), ends, *stream_, 0, bits);
    start_count_.fill(0, *stream_);
    launch(find_starts_kernel, grid_for(edges), *stream_, keys, starts_.view(), start_count_.view());
    constexpr int kRows = 4;
    const std::int64_t blocks =
        plan_.blocks > 0 ? plan_.blocks : std::min<std::int64_t>((edges + kRows - 1) / kRows, 4096);
    launch(merge_edges_kernel,
           Grid{blocks, {kWarpSize, kRows}, kRows * 2 * sizeof(std::uint64_t) * static_cast<std::size_t>(degree_)},
           *stream_, keys, ends, starts_.view(), start_count_.view(), graph());
  }

  Points<float> points_;
  BuildPlan plan_;
  Stream* stream_;
  Phases* phases_;
  std::int64_t count_;
  int degree_;
  std::int64_t group_ = 0;
  SearchShape shape_;
  SearchShape local_shape_;
  Buffer<std::uint64_t> keys_;
  Buffer<std::uint64_t> local_;
  Buffer<std::uint32_t> ids_;
  Buffer<std::uint64_t> edge_keys_;
  Buffer<std::uint64_t> sorted_keys_;
  Buffer<std::uint32_t> ends_;
  Buffer<std::uint32_t> sorted_ends_;
  Buffer<std::uint32_t> starts_;
  Buffer<std::uint32_t> start_count_;
};

/// Sizes of the layers, the lowest first: a vertex is on the next one with probability 1 / d_min, as HNSW's levels are
/// drawn with 1 / ln M; as the order is random, the first count / d_min^l vertices are as good as any.
std::vector<std::int64_t> layer_sizes(std::int64_t count, const BuildPlan& plan) {
  std::vector<std::int64_t> sizes{count};
  const std::int64_t shrink = std::max<std::int64_t>(2, plan.d_min);
  while (plan.kind == GraphKind::hnsw && sizes.size() < kMaxLayers && sizes.back() / shrink > 0) {
    sizes.push_back(sizes.back() / shrink);
  }
  return sizes;
}

}  // namespace

GraphView DeviceGraph::view() const {
  GraphView view;
  view.count = static_cast<int>(layers.size());
  view.degree = degree;
  view.vertices = static_cast<std::uint32_t>(sizes.front());
  for (std::size_t l = 0; l < layers.size(); ++l) view.layers[l] = layers[l].view();
  return view;
}

SearchShape shape_of(SearchMethod method, std::int64_t candidates, std::int64_t degree, int stride) {
  SearchShape shape;
  const auto wanted = static_cast<std::uint64_t>(std::max<std::int64_t>(candidates, 1));
  const std::uint64_t least = method == SearchMethod::pipelined ? kWarpSize : 8;
  shape.candidates = static_cast<int>(std::max<std::uint64_t>(std::bit_ceil(wanted), least));
  shape.explore = static_cast<int>(candidates);
  shape.list = static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(degree, 2))));
  shape.stride = stride;
  // SONG's table holds two queues and a list of neighbours at most, and stays half empty.
  if (method == SearchMethod::song)
    shape.visited = static_cast<int>(std::bit_ceil(4U * static_cast<unsigned>(shape.candidates)));
  if (method == SearchMethod::pipelined) shape.visited = 512;
  return shape;
}

DeviceGraph build_graph(const Points<float>& points, std::int64_t count, const BuildPlan& plan, Stream& stream,
                        Phases& phases) {
  const auto scope = phases.cpu("build");
  if (plan.kind == GraphKind::knn) return build_knn(points, count, plan, stream);
  Buffer<WorkTotals> totals(1, stream);
  totals.fill_bytes(0, stream);
  DeviceGraph graph;
  graph.degree = static_cast<int>(plan.d_max);
  const std::vector<std::int64_t> sizes = layer_sizes(count, plan);
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    Buffer<std::uint32_t> layer = LayerBuilder(points, *size, plan, stream, phases).build(graph, totals.view());
    graph.layers.insert(graph.layers.begin(), std::move(layer));
    graph.sizes.insert(graph.sizes.begin(), *size);
  }
  graph.work = totals.to_vector(stream).front();
  return graph;
}

}  // namespace warpbench::nearest_neighbors
