// gpsm: GpSM (Tran, Kim and He 2015; gsi2020 §I, §VIII). Candidate vertices are found by label and degree, and refined
// along the query's edges. For each query edge, the data edges between candidates go to a table hashed by their near
// ends. The tables are joined breadth-first, the smallest first, a warp a row. All writing is two-step: count, prefix
// sum, the same again. The graph is a plain CSR; nothing is kept in shared memory and no work is balanced.
//
// gsi2020 describes GpSM in a few sentences. Ours are: two rounds of refinement; an edge table is counted from the end
// with fewer candidates and written from the end that the join order matches first.
#include <algorithm>
#include <bit>

#include "algorithms/subgraph_matching/edge_join/filter.cuh"
#include "algorithms/subgraph_matching/edge_join/solver.cuh"
#include "algorithms/subgraph_matching/gpsm/filter.cuh"
#include "solvers/solver.hpp"

namespace warpbench::matching {
namespace {

using namespace edge_join;

/// Candidate vertices in a hash table with linear probing: keys and their places in the list.
struct HashedVertices {
  View<Vertex> keys;  // a power of two of them, kNone<Vertex> where there is none
  View<Vertex> places;

  __device__ __forceinline__ std::int64_t first_probe(Vertex v) const {
    return static_cast<std::int64_t>(mix64(v) & static_cast<std::uint64_t>(keys.size() - 1));
  }
  __device__ __forceinline__ std::int64_t next_probe(std::int64_t probe) const {
    return (probe + 1) & (keys.size() - 1);
  }
  __device__ __forceinline__ void insert(Vertex v, Vertex place) const {
    std::int64_t probe = first_probe(v);
    while (atomicCAS(&keys[probe], kNone<Vertex>, v) != kNone<Vertex>) probe = next_probe(probe);
    places[probe] = place;
  }
  /// -1: not there.
  __device__ __forceinline__ std::int64_t find(Vertex v) const {
    for (std::int64_t probe = first_probe(v);; probe = next_probe(probe)) {
      if (keys[probe] == v) return places[probe];
      if (keys[probe] == kNone<Vertex>) return -1;
    }
  }
};

/// A query edge's candidates: the far ends of each near end, found by hashing.
struct EdgeTable {
  HashedVertices near;
  View<const std::int64_t> offsets;
  View<const Vertex> targets;

  __device__ __forceinline__ SlotRange range(Vertex v) const {
    const std::int64_t place = near.find(v);
    return place < 0 ? SlotRange{} : segment(offsets, place);
  }
  __device__ __forceinline__ Vertex vertex(std::int64_t slot) const { return targets[slot]; }
};

__global__ void __launch_bounds__(kThreads) hash_vertices_kernel(View<const Vertex> list, HashedVertices table) {
  for (const std::int64_t i : grid::strided<kThreads>(list.size())) table.insert(list[i], static_cast<Vertex>(i));
}

class VertexHash {
 public:
  VertexHash(View<const Vertex> list, Stream& stream)
      : keys_(static_cast<std::int64_t>(std::bit_ceil(2 * static_cast<std::uint64_t>(list.size()))), stream),
        places_(keys_.size(), stream) {
    keys_.fill(kNone<Vertex>, stream);
    launch(hash_vertices_kernel, grid_for(list.size(), kThreads), stream, list, view());
  }
  [[nodiscard]] HashedVertices view() { return {keys_.view(), places_.view()}; }

 private:
  Buffer<Vertex> keys_;
  Buffer<Vertex> places_;
};

/// The candidate edges of all query edges.
class EdgeTables {
 public:
  EdgeTables(const Graph& query, const DeviceCsr& data, CandidateSets& candidates, Stream& stream)
      : data_(data), candidates_(candidates), stream_(stream), edges_(edges_of(query)) {
    for (Edge& edge : edges_) {
      if (candidates.size(edge.to) < candidates.size(edge.from)) std::swap(edge.from, edge.to);
    }
    hashes_.resize(static_cast<std::size_t>(query.vertices()));
    tables_.resize(edges_.size());
  }

  /// Counts the edges of all tables, says in which order to join them, and writes them. Nothing: the time is up.
  std::optional<EdgeJoinPlan> collect(const Deadline& deadline) {
    std::vector<Buffer<std::int64_t>> counts;
    std::vector<std::int64_t> sizes;
    for (const Edge& edge : edges_) {
      if (deadline.passed()) return std::nullopt;
      counts.push_back(count_candidate_edges(candidate_edges(edge.from, edge.to, edge.label), stream_));
      sizes.push_back(sum_of(counts.back(), stream_));
    }
    const EdgeJoinPlan plan = plan_joins(edges_, first_vertex(sizes), [&](std::size_t edge, Vertex, Vertex) {
      return static_cast<double>(sizes[edge]);
    });
    for (const EdgeJoin& join : plan.joins) {
      if (deadline.passed()) return std::nullopt;
      write(join, std::move(counts[join.edge]));
    }
    return plan;
  }

  [[nodiscard]] EdgeTable view(const EdgeJoin& join) {
    const CandidateEdges& table = tables_[join.edge];
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): write() has hashed it
    return {hashes_[join.from]->view(), table.offsets.view(), table.targets.view()};
  }

 private:
  [[nodiscard]] CandidateEdgeQuery candidate_edges(Vertex from, Vertex to, Label label) const {
    return {data_, candidates_.list(from), label, candidates_.flags(to), false};
  }
  /// The vertex at which the smallest table begins.
  [[nodiscard]] Vertex first_vertex(const std::vector<std::int64_t>& sizes) const {
    if (edges_.empty()) return 0;
    return edges_[static_cast<std::size_t>(std::ranges::min_element(sizes) - sizes.begin())].from;
  }
  void write(const EdgeJoin& join, Buffer<std::int64_t> counts) {
    const CandidateEdgeQuery asked = candidate_edges(join.from, join.to, join.label);
    if (join.from != edges_[join.edge].from) counts = count_candidate_edges(asked, stream_);
    tables_[join.edge] = write_candidate_edges(asked, std::move(counts), stream_);
    if (!hashes_[join.from]) hashes_[join.from].emplace(candidates_.list(join.from), stream_);
  }

  DeviceCsr data_;
  CandidateSets& candidates_;
  Stream& stream_;
  std::vector<Edge> edges_;
  std::vector<std::optional<VertexHash>> hashes_;  // of C(u), of each query vertex that a table begins at
  std::vector<CandidateEdges> tables_;
};

class Gpsm final : public EdgeJoinSolver {
 public:
  explicit Gpsm(const Parameters& /*parameters*/) {}

 private:
  void pin_graph(const Graph& data) override { graph_.pin(data); }
  void upload_graph() override { graph_.upload(stream()); }

  void find(const Graph& query, JoinRun& run, QueryAnswer& answer, Phases& phases) override {
    CandidateSets candidates(query.vertices(), data_vertices(), run.read_back(), stream());
    filtered(phases, [&] { filter(query, run.deadline(), candidates); });
    if (run.deadline().passed() || !report_candidates(candidates.sizes(), answer)) return;
    const auto scope = phases.gpu("join", stream());
    EdgeTables tables(query, graph_.view(), candidates, stream());
    const std::optional<EdgeJoinPlan> plan = tables.collect(run.deadline());
    if (!plan || !run.start(plan->first, candidates.list(plan->first))) return;
    join_edges<kWarpSize>(
        run, *plan, Testing::while_joining, [&](const EdgeJoin& join) { return tables.view(join); },
        [&](Vertex) { return distinctness(); }, answer);
  }

  void filter(const Graph& query, const Deadline& deadline, CandidateSets& candidates) {
    const QueryLabels labels(query, stream());
    std::vector<VertexTest> tests;
    std::vector<std::int64_t> frequencies;
    for (std::int64_t i = 0; i < query.vertices(); ++i) {
      const auto u = static_cast<Vertex>(i);
      tests.push_back(test_of(query, labels, u, graph_.offsets.view()));
      frequencies.push_back(rarest_frequency(query, u, label_frequencies()));
    }
    GpsmFilter(query, graph_.view(), std::move(tests), std::move(frequencies), stream()).run(candidates, deadline);
  }

  ResidentCsr graph_;
};

}  // namespace

WARPBENCH_SOLVER(SubgraphMatching, Gpsm,
                 {.id = "gpsm",
                  .title = "GpSM: join of candidate edges, counted and joined again",
                  .source = "gsi2020 §I, §VIII",
                  .role = Role::gpu_baseline,
                  .device = Target::gpu})

}  // namespace warpbench::matching
