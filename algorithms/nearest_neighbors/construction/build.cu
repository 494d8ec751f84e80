#include "algorithms/nearest_neighbors/construction/build.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/nearest_neighbors/construction/build_kernels.cuh"
#include "algorithms/nearest_neighbors/graph_search/search_method.hpp"
#include "device/integers.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr std::int64_t kPointsPerGroup = 2000;
constexpr std::int64_t kGrowth = 16;  ///< a growing round adds at most one point for so many that are there
/// Growing rounds cost little, so that the local graphs, a block each, can be made by all multiprocessors at once.
constexpr std::int64_t kBusyGroups = 500;
constexpr std::int64_t kFewestPointsPerGroup = 256;

/// The document prints no number. A local graph is made by one insertion after the other; a round takes as long as one,
/// while its searches all run side by side. Together they are fastest with as many groups as each has points. Groups of
/// kPointsPerGroup fill the device: with more points a round takes longer.
[[nodiscard]] std::int64_t groups_for(std::int64_t count, const BuildPlan& plan) {
  if (plan.groups > 0) return plan.groups;
  const auto balanced = static_cast<std::int64_t>(std::sqrt(static_cast<double>(count)));
  const std::int64_t wanted = plan.growing_rounds ? kBusyGroups : balanced;
  return std::max(ceil_div(count, kPointsPerGroup), std::min(wanted, count / kFewestPointsPerGroup));
}

/// The points of a group.
[[nodiscard]] std::int64_t group_for(std::int64_t count, const BuildPlan& plan) {
  return plan.builder == Builder::serial ? count : ceil_div(count, groups_for(count, plan));
}

/// The number of points merged into G_0 when it has `begin` points: one group or, with growing rounds, as many whole
/// groups as make up kGrowth of those points. Groups of one batch do not see each other.
[[nodiscard]] std::int64_t batch_after(std::int64_t begin, std::int64_t group, const BuildPlan& plan) {
  if (!plan.growing_rounds) return group;
  return std::max<std::int64_t>(1, begin / kGrowth / group) * group;
}
[[nodiscard]] std::int64_t largest_batch(std::int64_t count, std::int64_t group, const BuildPlan& plan) {
  return std::min(batch_after(count, group, plan), count);
}

/// Phase 2, step 3 (lines 20-22): a warp a start vertex merges its edges into its row, whose first d_max stay. No edge
/// is in the row already: a batch's points are new to it.
__global__ void __launch_bounds__(BuildTuning::kThreads) merge_edges_kernel(EdgeRuns runs, GrowingGraph graph) {
  const int degree = graph.degree;
  Key* const row = dynamic_shared<Key>() + block::warp_rank() * 2 * degree;
  Key* const added = row + degree;
  for (const std::int64_t run : grid::per_warp(runs.size())) {
    const std::int64_t begin = runs.begins[run];
    const Vertex vertex = start_of(runs.edges[begin]);
    int length = 0;
    for (const auto [i, inside] : WarpLanes::rounds(degree)) {
      const bool has_edge = inside && runs.holds(begin + i, vertex);
      if (inside) row[i] = graph.key(vertex, i);
      if (has_edge) added[i] = runs.key(begin + i);
      length += __popc(WarpLanes::ballot(has_edge));
    }
    WarpLanes::sync();
    merge_ascending(row, degree, added, length, degree,
                    [&](int place, Key key, bool /*added*/) { graph.set(vertex, place, key); });
    WarpLanes::sync();
  }
}

/// One layer being built by Algorithm 5, its buffers allocated once.
class LayerBuilder {
 public:
  LayerBuilder(const Points<float>& points, std::int64_t count, const BuildPlan& plan, Stream& stream, Phases& phases)
      : points_(points),
        plan_(plan),
        search_(search_method(plan.search)),
        stream_(&stream),
        phases_(&phases),
        count_(count),
        shape_(shape_with(plan.candidates)),
        local_shape_(shape_with(plan.local_candidates > 0 ? plan.local_candidates : plan.candidates)),
        keys_(count * plan.d_max, stream),
        local_(count * plan.d_min, stream) {
    group_ = group_for(count, plan);
  }

  /// The layer's rows; `above` are the layers over it, whose searches enter this one.
  Buffer<Vertex> build(const DeviceProximityGraph& above, View<WorkTotals> totals) {
    ids_ = Buffer<Vertex>(count_ * plan_.d_max, *stream_);
    ids_.fill_bytes(0xff, *stream_);
    keys_.fill_bytes(0xff, *stream_);
    local_.fill_bytes(0xff, *stream_);
    build_groups(totals);
    edges_ = EdgeSorter(count_, largest_batch(count_, group_, plan_) * plan_.d_min, *stream_);
    for (std::int64_t begin = group_; begin < count_;) {
      const std::int64_t end = std::min(begin + batch_after(begin, group_, plan_), count_);
      merge_batch(begin, end, above, totals);
      begin = end;
    }
    stream_->synchronize();
    return std::move(ids_);
  }

 private:
  [[nodiscard]] GrowingGraph graph() { return {ids_.view(), keys_.view(), static_cast<int>(plan_.d_max)}; }
  [[nodiscard]] LocalNeighbors local() { return {local_.view(), static_cast<int>(plan_.d_min)}; }
  [[nodiscard]] std::int64_t limited(std::int64_t blocks) const {
    return plan_.blocks > 0 ? std::min(blocks, plan_.blocks) : blocks;
  }
  /// For so many points or rows. Where the user gives the number of blocks, they have 32 threads each, as the
  /// document's (Fig 4.12); else there are at most `most`.
  [[nodiscard]] WarpBlocks blocks_for(std::int64_t items,
                                      std::int64_t most = std::numeric_limits<std::int64_t>::max()) const {
    if (plan_.blocks > 0) return {limited(items), 1};
    return {std::min(ceil_div(items, BuildTuning::kRows), most), BuildTuning::kRows};
  }

  [[nodiscard]] SearchShape shape_with(std::int64_t candidates) const {
    SearchShape shape = search_.shape(std::max(candidates, plan_.d_min), plan_.d_max, points_.stride);
    shape.entries = search_.build_entries;
    shape.profile = plan_.profile;
    return shape;
  }

  void build_groups(View<WorkTotals> totals) {
    // Points of one batch of GNaiveParallel never see each other; only the first batch, which meets no graph, is
    // inserted.
    const std::int64_t points = plan_.builder == Builder::naive_parallel ? std::min(group_, count_) : count_;
    const Groups groups{static_cast<Vertex>(points), static_cast<Vertex>(group_),
                        static_cast<Vertex>(ceil_div(points, group_))};
    const auto scope = phases_->gpu("build_search", *stream_);
    search_.build_local({points_, groups, graph(), local(), local_shape_, totals}, limited(groups.count), *stream_);
  }

  /// The vertices below `begin` and, once those of the layer above are all among them, the layers above.
  [[nodiscard]] GraphView graph_so_far(std::int64_t begin, const DeviceProximityGraph& above) {
    GraphView view;
    view.layers[0] = ids_.view();
    view.degree = static_cast<int>(plan_.d_max);
    view.vertices = static_cast<Vertex>(begin);
    if (!above.sizes.empty() && begin >= above.sizes.front()) {
      for (const Buffer<Vertex>& layer : above.layers) view.layers[view.count++] = layer.view();
    }
    return view;
  }

  void merge_batch(std::int64_t begin, std::int64_t end, const DeviceProximityGraph& above, View<WorkTotals> totals) {
    const std::int64_t places = (end - begin) * plan_.d_min;
    {
      const auto scope = phases_->gpu("build_search", *stream_);
      const Extent<Vertex> batch{static_cast<Vertex>(begin), static_cast<Vertex>(end)};
      search_.build_batch(
          {points_, graph_so_far(begin, above), batch, graph(), local(), edges_.list(places), shape_, totals},
          blocks_for(end - begin), *stream_);
    }
    const auto scope = phases_->gpu("build_merge", *stream_);
    merge_edges(edges_.sort(places, *stream_));
  }

  void merge_edges(const EdgeRuns& runs) {
    const WarpBlocks blocks = blocks_for(runs.edges.size(), BuildTuning::kMaxMergeBlocks);
    const std::size_t bytes =
        static_cast<std::size_t>(blocks.warps) * 2 * static_cast<std::size_t>(plan_.d_max) * sizeof(Key);
    launch(merge_edges_kernel, Grid{blocks.count, {kWarpSize, blocks.warps}, bytes}, *stream_, runs, graph());
  }

  Points<float> points_;
  BuildPlan plan_;
  const SearchMethod& search_;
  Stream* stream_;
  Phases* phases_;
  std::int64_t count_;
  std::int64_t group_ = 0;
  SearchShape shape_;
  SearchShape local_shape_;
  Buffer<Key> keys_;
  Buffer<Key> local_;
  Buffer<Vertex> ids_;
  EdgeSorter edges_;
};

/// Sizes of the layers, the lowest first. A vertex is on the next one with probability 1 / d_min, as HNSW's levels are
/// drawn with 1 / ln M. The order is random, so the first count / d_min^l vertices are as good as any.
std::vector<std::int64_t> layer_sizes(std::int64_t count, const BuildPlan& plan) {
  std::vector<std::int64_t> sizes{count};
  const std::int64_t shrink = std::max<std::int64_t>(2, plan.d_min);
  while (plan.kind == GraphKind::hnsw && sizes.size() < kMaxLayers && sizes.back() / shrink > 0) {
    sizes.push_back(sizes.back() / shrink);
  }
  return sizes;
}

std::int64_t graph_bytes_of_layer(std::int64_t count, const BuildPlan& plan) {
  return count * plan.d_max * static_cast<std::int64_t>(sizeof(Vertex));
}

}  // namespace

GraphView DeviceProximityGraph::view() const {
  GraphView view;
  view.count = static_cast<int>(layers.size());
  view.degree = degree;
  view.vertices = static_cast<Vertex>(sizes.front());
  for (std::size_t l = 0; l < layers.size(); ++l) view.layers[l] = layers[l].view();
  return view;
}

std::int64_t building_bytes(std::int64_t count, const BuildPlan& plan) {
  constexpr auto kKey = static_cast<std::int64_t>(sizeof(Key));
  const std::int64_t rows = graph_bytes_of_layer(count, plan) + count * (plan.d_max + plan.d_min) * kKey;
  const std::int64_t batch = largest_batch(count, group_for(count, plan), plan);
  return graph_bytes(count, plan) - graph_bytes_of_layer(count, plan) + rows +
         EdgeSorter::bytes(count, batch * plan.d_min) + static_cast<std::int64_t>(sizeof(WorkTotals));
}

std::int64_t graph_bytes(std::int64_t count, const BuildPlan& plan) {
  std::int64_t bytes = 0;
  for (const std::int64_t size : layer_sizes(count, plan)) bytes += graph_bytes_of_layer(size, plan);
  return bytes;
}

DeviceProximityGraph build_graph(const Points<float>& points, std::int64_t count, const BuildPlan& plan, Stream& stream,
                                 Phases& phases) {
  const auto scope = phases.cpu("build");
  if (plan.kind == GraphKind::knn) return build_knn(points, count, plan, stream);
  Buffer<WorkTotals> totals(1, stream);
  totals.fill_bytes(0, stream);
  DeviceProximityGraph graph;
  graph.degree = static_cast<int>(plan.d_max);
  const std::vector<std::int64_t> sizes = layer_sizes(count, plan);
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    Buffer<Vertex> layer = LayerBuilder(points, *size, plan, stream, phases).build(graph, totals.view());
    graph.layers.insert(graph.layers.begin(), std::move(layer));
    graph.sizes.insert(graph.sizes.begin(), *size);
  }
  graph.work = totals.to_vector(stream).front();
  return graph;
}

}  // namespace warpbench::nearest_neighbors
