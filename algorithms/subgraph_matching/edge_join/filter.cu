#include "algorithms/subgraph_matching/edge_join/filter.cuh"

#include "device/primitives.hpp"
#include "device/warp.cuh"

namespace warpbench::matching::edge_join {
namespace {

__global__ void __launch_bounds__(kThreads) flag_fitting_kernel(VertexTest test, View<std::uint8_t> flags) {
  const std::int64_t v = thread_of_grid();
  if (v < flags.size()) flags[v] = test(static_cast<Vertex>(v)) ? 1 : 0;
}

/// All neighbours are looked at for their label, as a CSR asks for (gsi2020 §IV).
__device__ __forceinline__ bool is_candidate(const EdgeQuestion& question, std::int64_t slot) {
  return question.graph.edge_labels[slot] == question.label && question.targets[question.graph.neighbors[slot]] != 0;
}

/// A warp a source.
__global__ void __launch_bounds__(kThreads) count_edges_kernel(EdgeQuestion question, View<std::int64_t> counts) {
  const std::int64_t i = warp_of_grid();
  if (i >= question.sources.size()) return;
  const Vertex source = question.sources[i];
  const Slots row = question.graph.row(source);
  std::int64_t count = 0;
  for (std::int64_t slot = row.begin + warp::lane(); slot < row.end; slot += kWarpSize) {
    count += is_candidate(question, slot) ? 1 : 0;
  }
  count = warp::reduce_sum(count);
  if (warp::lane() == 0) counts[question.by_vertex ? source : i] = count;
}

__global__ void __launch_bounds__(kThreads)
    write_edges_kernel(EdgeQuestion question, View<const std::int64_t> offsets, View<Vertex> targets) {
  const std::int64_t i = warp_of_grid();
  if (i >= question.sources.size()) return;
  const Vertex source = question.sources[i];
  const Slots row = question.graph.row(source);
  std::int64_t next = offsets[question.by_vertex ? source : i];
  for (std::int64_t base = row.begin; base < row.end; base += kWarpSize) {
    const std::int64_t slot = base + warp::lane();
    const bool candidate = slot < row.end && is_candidate(question, slot);
    const warp::Slot place = warp::compact(candidate);
    if (candidate) targets[next + place.index] = question.graph.neighbors[slot];
    next += place.count;
  }
}

}  // namespace

void flag_fitting(const VertexTest& test, View<std::uint8_t> flags, Stream& stream) {
  launch(flag_fitting_kernel, grid_for(flags.size(), kThreads), stream, test, flags);
}

Buffer<std::int64_t> count_candidate_edges(const EdgeQuestion& question, Stream& stream) {
  Buffer<std::int64_t> counts((question.by_vertex ? question.targets.size() : question.sources.size()) + 1, stream);
  counts.fill(0, stream);
  launch(count_edges_kernel, grid_of_warps(question.sources.size()), stream, question, counts.view());
  return counts;
}

std::int64_t sum_of(const Buffer<std::int64_t>& counts, Stream& stream) {
  Buffer<std::int64_t> sum(1, stream);
  reduce_sum(counts.view(), sum.view(), stream);
  return sum.to_vector(stream)[0];
}

CandidateEdges write_candidate_edges(const EdgeQuestion& question, Buffer<std::int64_t> counts, Stream& stream) {
  CandidateEdges edges{std::move(counts), {}};
  exclusive_scan(View<const std::int64_t>(edges.offsets.view()), edges.offsets.view(), stream);
  std::int64_t total = 0;
  edges.offsets.download(std::span(&total, 1), stream, edges.offsets.size() - 1);
  stream.synchronize();
  edges.targets = Buffer<Vertex>(total, stream);
  launch(write_edges_kernel, grid_of_warps(question.sources.size()), stream, question,
         View<const std::int64_t>(edges.offsets.view()), edges.targets.view());
  return edges;
}

}  // namespace warpbench::matching::edge_join
