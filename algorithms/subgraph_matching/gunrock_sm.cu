// gunrock-sm: GunrockSM (Wang, Wang and Owens 2016; gsi2020 §I, §VIII): the join of candidate edges in terms of
// Gunrock's two operators on frontiers. The candidates of a query vertex, by label and degree alone, are a frontier; an
// advance over a query edge gathers its candidate edges as a graph of its own, in CSR over all data vertices. The
// partial matches are a frontier too: an advance extends them along a candidate graph, filters remove rows with a
// vertex twice and rows without an edge that closes. Both operators write in two steps, a warp an element, without
// balancing.
//
// gsi2020 says only that GunrockSM joins and writes as GpSM does and filters less. The order is ours: from the vertex
// with the fewest candidates on, always to the neighbour with the fewest.
#include "algorithms/subgraph_matching/edge_join/candidates.hpp"
#include "algorithms/subgraph_matching/edge_join/filter.cuh"
#include "algorithms/subgraph_matching/edge_join/solver.cuh"
#include "solvers/solver.hpp"

namespace warpbench::matching {
namespace {

using namespace edge_join;

/// The candidate edges of a query edge as a graph of the data vertices.
struct CandidateGraph {
  View<const std::int64_t> offsets;
  View<const Vertex> targets;

  __device__ __forceinline__ SlotRange range(Vertex v) const { return segment(offsets, v); }
  __device__ __forceinline__ Vertex vertex(std::int64_t slot) const { return targets[slot]; }
};

class GunrockSm final : public EdgeJoinSolver {
 public:
  explicit GunrockSm(const Parameters& /*parameters*/) {}

 private:
  void pin_graph(const Graph& data) override { graph_.pin(data); }
  void upload_graph() override { graph_.upload(stream()); }

  void find(const Graph& query, JoinRun& run, QueryAnswer& answer, Phases& phases) override {
    CandidateSets candidates(query.vertices(), data_vertices(), run.read_back(), stream());
    filtered(phases, [&] { filter(query, candidates); });
    if (run.deadline().passed() || !report_candidates(candidates.sizes(), answer)) return;
    const auto scope = phases.gpu("join", stream());
    const EdgeJoinPlan plan = plan_joins(edges_of(query), candidates.smallest(), [&](std::size_t, Vertex, Vertex to) {
      return static_cast<double>(candidates.size(to));
    });
    std::vector<CandidateEdges> graphs(plan.joins.size());
    for (const EdgeJoin& join : plan.joins) {
      if (run.deadline().passed()) return;
      graphs[join.edge] = gather(join, candidates);
    }
    if (!run.start(plan.first, candidates.list(plan.first))) return;
    join_edges<kWarpSize>(
        run, plan, Testing::in_passes,
        [&](const EdgeJoin& join) {
          return CandidateGraph{graphs[join.edge].offsets.view(), graphs[join.edge].targets.view()};
        },
        [&](Vertex) { return distinctness(); }, answer);
  }

  void filter(const Graph& query, CandidateSets& candidates) {
    const QueryLabels labels(query, stream());
    for (std::int64_t i = 0; i < query.vertices(); ++i) {
      const auto u = static_cast<Vertex>(i);
      flag_fitting(test_of(query, labels, u, graph_.offsets.view()), candidates.flags(u), stream());
    }
    candidates.update_lists();
  }

  /// The advance of a frontier of candidates.
  [[nodiscard]] CandidateEdges gather(const EdgeJoin& join, CandidateSets& candidates) {
    const CandidateEdgeQuery candidate_edges{graph_.view(), candidates.list(join.from), join.label,
                                             candidates.flags(join.to), true};
    return write_candidate_edges(candidate_edges, count_candidate_edges(candidate_edges, stream()), stream());
  }

  ResidentCsr graph_;
};

}  // namespace

WARPBENCH_SOLVER(SubgraphMatching, GunrockSm,
                 {.id = "gunrock-sm",
                  .title = "GunrockSM: join of candidate edges by advances and filters of frontiers",
                  .source = "gsi2020 §I, §VIII",
                  .role = Role::gpu_baseline,
                  .device = Target::gpu})

}  // namespace warpbench::matching
