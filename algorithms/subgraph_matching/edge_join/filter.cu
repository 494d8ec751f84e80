#include "algorithms/subgraph_matching/edge_join/filter.cuh"

#include "device/primitives.hpp"
#include "device/warp.cuh"

namespace warpbench::matching::edge_join {
namespace {

__global__ void __launch_bounds__(kThreads) flag_fitting_kernel(VertexTest test, View<std::uint8_t> flags) {
  for (const std::int64_t v : grid::strided<kThreads>(flags.size())) flags[v] = test(static_cast<Vertex>(v)) ? 1 : 0;
}

/// Tests a slot of a source. All neighbours are looked at for their label, as a CSR asks for (gsi2020 §IV).
struct IsCandidateEdge {
  const CandidateEdgeQuery& query;

  __device__ __forceinline__ bool operator()(std::int64_t slot) const {
    return query.graph.edge_labels[slot] == query.label && query.targets[query.graph.neighbors[slot]] != 0;
  }
};

/// The place of the i-th source's counts and offsets.
__device__ __forceinline__ std::int64_t place_of(const CandidateEdgeQuery& query, std::int64_t i) {
  return query.by_vertex ? std::int64_t{query.sources[i]} : i;
}

/// A warp a source.
__global__ void __launch_bounds__(kThreads) count_edges_kernel(CandidateEdgeQuery query, View<std::int64_t> counts) {
  for (const std::int64_t i : grid::per_warp<kThreads>(query.sources.size())) {
    const std::int64_t count = count_slots(query.graph.row(query.sources[i]), IsCandidateEdge{query});
    if (warp::lane() == 0) counts[place_of(query, i)] = count;
  }
}

__global__ void __launch_bounds__(kThreads)
    write_edges_kernel(CandidateEdgeQuery query, View<const std::int64_t> offsets, View<Vertex> targets) {
  for (const std::int64_t i : grid::per_warp<kThreads>(query.sources.size())) {
    compact_slots(query.graph.row(query.sources[i]), offsets[place_of(query, i)], IsCandidateEdge{query},
                  [&](std::int64_t place, std::int64_t slot) { targets[place] = query.graph.neighbors[slot]; });
  }
}

}  // namespace

void flag_fitting(const VertexTest& test, View<std::uint8_t> flags, Stream& stream) {
  launch(flag_fitting_kernel, grid_for(flags.size(), kThreads), stream, test, flags);
}

Buffer<std::int64_t> count_candidate_edges(const CandidateEdgeQuery& query, Stream& stream) {
  Buffer<std::int64_t> counts(query.places() + 1, stream);
  counts.fill(0, stream);
  launch(count_edges_kernel, warp_grid_for(query.sources.size(), kThreads), stream, query, counts.view());
  return counts;
}

std::int64_t sum_of(const Buffer<std::int64_t>& counts, Stream& stream) {
  Buffer<std::int64_t> sum(1, stream);
  reduce_sum(counts.view(), sum.view(), stream);
  return sum.to_vector(stream)[0];
}

CandidateEdges write_candidate_edges(const CandidateEdgeQuery& query, Buffer<std::int64_t> counts, Stream& stream) {
  CandidateEdges edges{std::move(counts), {}};
  exclusive_scan(edges.offsets.view(), edges.offsets.view(), stream);
  std::int64_t total = 0;
  edges.offsets.download(std::span(&total, 1), stream, edges.offsets.size() - 1);
  stream.synchronize();
  edges.targets = Buffer<Vertex>(total, stream);
  launch(write_edges_kernel, warp_grid_for(query.sources.size(), kThreads), stream, query, edges.offsets.view(),
         edges.targets.view());
  return edges;
}

}  // namespace warpbench::matching::edge_join
