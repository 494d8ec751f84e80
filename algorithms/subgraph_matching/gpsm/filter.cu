#include "algorithms/subgraph_matching/gpsm/filter.cuh"

#include <algorithm>

#include "algorithms/subgraph_matching/edge_join/filter.cuh"
#include "device/warp.cuh"

namespace warpbench::matching::edge_join {
namespace {

/// gsi2020 does not say how many; later ones remove little (GpSM's authors stop after a few, too).
constexpr int kRefinementRounds = 2;

/// The candidates of one query vertex: a list, and flags that may have lost some of it.
struct VertexCandidates {
  CandidateList list;
  View<std::uint8_t> flags;
};

struct InSet {
  View<const std::uint8_t> flags;
  __device__ __forceinline__ bool operator()(Vertex v) const { return flags[v] != 0; }
};

/// A warp a candidate: removes it where no neighbour passes the test.
template <typename Test>
__global__ void __launch_bounds__(kThreads) drop_kernel(DeviceCsr graph, VertexCandidates candidates, Test test) {
  const View<const Vertex> list = candidates.list.vertices();
  for (const std::int64_t i : grid::per_warp<kThreads>(list.size())) {
    const Vertex v = list[i];
    if (candidates.flags[v] == 0) continue;
    const bool stays = any_slot(graph.row(v), [&](std::int64_t slot) { return test(graph.neighbors[slot]); });
    if (!stays && warp::lane() == 0) candidates.flags[v] = 0;
  }
}

/// A warp a candidate: its neighbours that pass the test become candidates of the child.
__global__ void __launch_bounds__(kThreads)
    mark_kernel(DeviceCsr graph, VertexCandidates candidates, VertexTest test, View<std::uint8_t> child) {
  const View<const Vertex> list = candidates.list.vertices();
  for (const std::int64_t i : grid::per_warp<kThreads>(list.size())) {
    const Vertex v = list[i];
    if (candidates.flags[v] == 0) continue;
    for (const std::int64_t slot : warp::strided(graph.row(v))) {
      const Vertex neighbor = graph.neighbors[slot];
      if (test(neighbor)) child[neighbor] = 1;
    }
  }
}

template <typename Test>
void drop(const DeviceCsr& graph, const VertexCandidates& candidates, const Test& test, Stream& stream) {
  launch(drop_kernel<Test>, warp_grid_for(candidates.list.places.size(), kThreads), stream, graph, candidates, test);
}

}  // namespace

GpsmFilter::GpsmFilter(const Graph& query, const DeviceCsr& data, std::vector<VertexTest> tests,
                       std::vector<std::int64_t> frequencies, Stream& stream)
    : query_(query), data_(data), tests_(std::move(tests)), frequencies_(std::move(frequencies)), stream_(stream) {}

double GpsmFilter::rank(Vertex u) const {
  return static_cast<double>(query_.degree(u)) / static_cast<double>(std::max<std::int64_t>(frequencies_[u], 1));
}

std::int64_t GpsmFilter::steps(Vertex u) const {
  const std::int64_t vertices = std::max<std::int64_t>(data_.offsets.size() - 1, 1);
  return frequencies_[u] * ceil_div(data_.neighbors.size(), vertices);
}

void GpsmFilter::run(CandidateSets& candidates, const Deadline& deadline) const {
  std::vector<Vertex> order(tests_.size());
  for (std::size_t u = 0; u < order.size(); ++u) order[u] = static_cast<Vertex>(u);
  std::ranges::stable_sort(order, [&](Vertex a, Vertex b) { return rank(a) > rank(b); });

  std::vector<bool> reached(order.size(), false);
  std::vector<Vertex> waiting = order;
  flag_fitting(tests_[order[0]], candidates.flags(order[0]), stream_);
  reached[order[0]] = true;
  PacedLaunches launches(deadline, stream_);
  while (!waiting.empty() && launches.go_on(0)) {
    const auto next = std::ranges::find_if(waiting, [&](Vertex u) { return reached[u]; });
    explore(*next, reached, candidates, launches);
    waiting.erase(next);
  }
  for (int round = 0; round < kRefinementRounds; ++round) {
    for (auto u = order.rbegin(); u != order.rend() && launches.go_on(0); ++u) refine(*u, candidates, launches);
  }
  candidates.update_lists();
}

void GpsmFilter::explore(Vertex u, std::vector<bool>& reached, CandidateSets& candidates,
                         PacedLaunches& launches) const {
  const VertexCandidates own{candidates.draft(u, frequencies_[u]), candidates.flags(u)};
  for (const Vertex neighbor : query_.row(u)) {
    if (!launches.go_on(steps(u))) return;
    if (reached[neighbor]) {
      drop(data_, own, InSet{candidates.flags(neighbor)}, stream_);
    } else {
      drop(data_, own, tests_[neighbor], stream_);
    }
  }
  for (const Vertex neighbor : query_.row(u)) {
    if (reached[neighbor]) continue;
    if (!launches.go_on(steps(u))) return;
    launch(mark_kernel, warp_grid_for(own.list.places.size(), kThreads), stream_, data_, own, tests_[neighbor],
           candidates.flags(neighbor));
    reached[neighbor] = true;
  }
}

void GpsmFilter::refine(Vertex u, CandidateSets& candidates, PacedLaunches& launches) const {
  const VertexCandidates own{candidates.draft(u, frequencies_[u]), candidates.flags(u)};
  for (const Vertex neighbor : query_.row(u)) {
    if (!launches.go_on(steps(u))) return;
    drop(data_, own, InSet{candidates.flags(neighbor)}, stream_);
  }
}

}  // namespace warpbench::matching::edge_join
