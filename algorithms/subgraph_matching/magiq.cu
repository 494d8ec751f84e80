// magiq: MAGiQ (Jamour et al. 2019; gsi2020 §VIII, §IX), an RDF engine in linear algebra: a sparse boolean matrix for
// each edge label, a boolean vector of candidates for each query vertex. Vectors are refined by masked products of
// matrix and vector along the query's edges, forwards, then backwards. Each query edge becomes the matrix between its
// two vectors, diag(a) A diag(b); its nonzeros are a table. The join of the tables is plain: a thread a row, by binary
// searches in the table. It starts from the smallest vector and goes on to the neighbour with the smallest.
//
// It finds homomorphisms. As in gsi2020 it is extended to isomorphism: after each join, a pass removes the
// rows that have a vertex twice. Here the products are kernels of our own instead of a CUDA library's, and the matrices
// keep only rows with nonzeros, so that a graph with many edge labels fits (gsi2020's MAGiQ failed on DBpedia, which it
// does not explain).
#include <algorithm>
#include <ranges>

#include "algorithms/subgraph_matching/edge_join/candidates.hpp"
#include "algorithms/subgraph_matching/edge_join/filter.cuh"
#include "algorithms/subgraph_matching/edge_join/solver.cuh"
#include "algorithms/subgraph_matching/label_partitions.hpp"
#include "solvers/solver.hpp"

namespace warpbench::matching {
namespace {

using namespace edge_join;

/// The boolean matrix of an edge label, symmetric: the rows that have nonzeros, and their columns.
struct LabelMatrix {
  View<const Vertex> rows;
  View<const std::uint64_t> begins;
  View<const std::uint32_t> sizes;
  View<const Vertex> neighbors;  // of the whole graph

  __device__ __forceinline__ SlotRange columns(std::int64_t row) const {
    const auto begin = static_cast<std::int64_t>(begins[row]);
    return {begin, begin + sizes[row]};
  }
};

/// Tests a slot: its column is set in a vector.
struct IsSet {
  const LabelMatrix& matrix;
  const View<const std::uint8_t>& vector;

  __device__ __forceinline__ bool operator()(std::int64_t slot) const { return vector[matrix.neighbors[slot]] != 0; }
};

/// A warp a row with nonzeros: result = mask AND (matrix x): result[v] is set where mask[v] is and a column of row v is
/// in x. result begins as 0.
__global__ void __launch_bounds__(kThreads)
    masked_product_kernel(LabelMatrix matrix, View<const std::uint8_t> x, View<const std::uint8_t> mask,
                          View<std::uint8_t> result) {
  for (const std::int64_t row : grid::per_warp<kThreads>(matrix.rows.size())) {
    const Vertex v = matrix.rows[row];
    if (mask[v] == 0) continue;
    const bool found = any_slot(matrix.columns(row), IsSet{matrix, x});
    if (found && warp::lane() == 0) result[v] = 1;
  }
}

/// Nonzeros of diag(left) matrix diag(right) in each row.
__global__ void __launch_bounds__(kThreads)
    count_nonzeros_kernel(LabelMatrix matrix, View<const std::uint8_t> left, View<const std::uint8_t> right,
                          View<std::int64_t> counts) {
  for (const std::int64_t row : grid::per_warp<kThreads>(matrix.rows.size())) {
    const bool present = left[matrix.rows[row]] != 0;
    const std::int64_t count = present ? count_slots(matrix.columns(row), IsSet{matrix, right}) : 0;
    if (warp::lane() == 0) counts[row] = count;
  }
}

/// A table of pairs of vertices, ordered: the nonzeros of a matrix.
struct PairsTable {
  View<const Vertex> near;
  View<const Vertex> far;

  __device__ __forceinline__ SlotRange range(Vertex v) const {
    return {lower_bound(near, v), upper_bound(near.data(), near.size(), v)};
  }
  __device__ __forceinline__ Vertex vertex(std::int64_t slot) const { return far[slot]; }
};

__global__ void __launch_bounds__(kThreads)
    write_nonzeros_kernel(LabelMatrix matrix, View<const std::uint8_t> left, View<const std::uint8_t> right,
                          View<const std::int64_t> offsets, View<Vertex> near, View<Vertex> far) {
  for (const std::int64_t row : grid::per_warp<kThreads>(matrix.rows.size())) {
    const Vertex v = matrix.rows[row];
    if (left[v] == 0) continue;
    compact_slots(matrix.columns(row), offsets[row], IsSet{matrix, right}, [&](std::int64_t place, std::int64_t slot) {
      near[place] = v;
      far[place] = matrix.neighbors[slot];
    });
  }
}

struct Nonzeros {
  Buffer<Vertex> near;
  Buffer<Vertex> far;
};

class Magiq final : public EdgeJoinSolver {
 public:
  explicit Magiq(const Parameters& /*parameters*/) {}

 private:
  void pin_graph(const Graph& data) override {
    const LabelPartitions partitions = partition_by_label(data);
    row_offsets_ = partitions.vertex_offsets;
    rows_.pin(partitions.vertices);
    begins_.pin(partitions.first_slots);
    sizes_.pin(partitions.sizes);
    neighbors_.pin(data.neighbors);
  }
  void upload_graph() override {
    rows_.upload(stream());
    begins_.upload(stream());
    sizes_.upload(stream());
    neighbors_.upload(stream());
  }

  void find(const Graph& query, JoinRun& run, QueryAnswer& answer, Phases& phases) override {
    CandidateSets vectors(query.vertices(), data_vertices(), run.read_back(), stream());
    filtered(phases, [&] { filter(query, run.deadline(), vectors); });
    if (run.deadline().passed() || !report_candidates(vectors.sizes(), answer)) return;
    const auto scope = phases.gpu("join", stream());
    const EdgeJoinPlan plan = plan_joins(edges_of(query), vectors.smallest(), [&](std::size_t, Vertex, Vertex to) {
      return static_cast<double>(vectors.size(to));
    });
    std::vector<Nonzeros> tables(plan.joins.size());
    for (const EdgeJoin& join : plan.joins) {
      if (run.deadline().passed()) return;
      tables[join.edge] = nonzeros(join, vectors);
    }
    if (!run.start(plan.first, vectors.list(plan.first))) return;
    join_edges<1>(
        run, plan, Testing::in_passes,
        [&](const EdgeJoin& join) {
          const Nonzeros& table = tables[join.edge];
          return PairsTable{table.near.view(), table.far.view()};
        },
        [&](Vertex) { return distinctness(); }, answer);
  }

  [[nodiscard]] Vertex rarest_vertex(const Graph& query) const {
    Vertex rarest = 0;
    for (std::int64_t i = 1; i < query.vertices(); ++i) {
      const auto u = static_cast<Vertex>(i);
      const auto frequency = [&](Vertex w) { return rarest_frequency(query, w, label_frequencies()); };
      if (frequency(u) < frequency(rarest)) rarest = u;
    }
    return rarest;
  }

  /// Vectors by label, then forwards along the query's edges from the rarest vertex on, and backwards.
  void filter(const Graph& query, const Deadline& deadline, CandidateSets& vectors) {
    const EdgeJoinPlan plan = plan_joins(edges_of(query), rarest_vertex(query), [](auto, auto, auto) { return 0.0; });
    const QueryLabels labels(query, stream());
    for (std::int64_t i = 0; i < query.vertices(); ++i) {
      const auto u = static_cast<Vertex>(i);
      flag_fitting(label_test(labels, u), vectors.flags(u), stream());
    }
    Buffer<std::uint8_t> result(data_vertices(), stream());
    PacedLaunches launches(deadline, stream());
    const auto multiply_along = [&](Label label, Vertex from, Vertex to) {
      if (launches.go_on(neighbors_.view().size())) multiply(label, from, to, vectors, result);
    };
    for (const EdgeJoin& join : plan.joins) multiply_along(join.label, join.from, join.to);
    for (const EdgeJoin& join : std::ranges::reverse_view(plan.joins)) multiply_along(join.label, join.to, join.from);
    vectors.update_lists();
  }

  /// The vector of `to` becomes itself AND (A_label times that of `from`).
  void multiply(Label label, Vertex from, Vertex to, CandidateSets& vectors, Buffer<std::uint8_t>& result) {
    const LabelMatrix matrix = matrix_of(label);
    result.fill(0, stream());
    launch(masked_product_kernel, warp_grid_for(matrix.rows.size(), kThreads), stream(), matrix,
           View<const std::uint8_t>(vectors.flags(from)), View<const std::uint8_t>(vectors.flags(to)), result.view());
    vectors.set_flags(to, result.view());
  }

  /// diag(from) A_label diag(to), by two steps.
  [[nodiscard]] Nonzeros nonzeros(const EdgeJoin& join, CandidateSets& vectors) {
    const LabelMatrix matrix = matrix_of(join.label);
    const View<const std::uint8_t> left = vectors.flags(join.from);
    const View<const std::uint8_t> right = vectors.flags(join.to);
    Buffer<std::int64_t> offsets(matrix.rows.size() + 1, stream());
    offsets.fill(0, stream());
    launch(count_nonzeros_kernel, warp_grid_for(matrix.rows.size(), kThreads), stream(), matrix, left, right,
           offsets.view());
    const std::int64_t count = sum_of(offsets, stream());
    exclusive_scan(offsets.view(), offsets.view(), stream());
    Nonzeros found{Buffer<Vertex>(count, stream()), Buffer<Vertex>(count, stream())};
    launch(write_nonzeros_kernel, warp_grid_for(matrix.rows.size(), kThreads), stream(), matrix, left, right,
           offsets.view(), found.near.view(), found.far.view());
    return found;
  }

  [[nodiscard]] LabelMatrix matrix_of(Label label) const {
    const bool exists = label < row_offsets_.size() - 1;  // kNone<Label> has no rows
    const auto first = static_cast<std::int64_t>(exists ? row_offsets_[label] : 0);
    const std::int64_t count = exists ? static_cast<std::int64_t>(row_offsets_[label + std::size_t{1}]) - first : 0;
    return {rows_.view().subview(first, count), begins_.view().subview(first, count),
            sizes_.view().subview(first, count), neighbors_.view()};
  }

  std::vector<std::uint64_t> row_offsets_;  ///< edge labels + 1: where a label's rows begin
  Resident<Vertex> rows_;
  Resident<std::uint64_t> begins_;
  Resident<std::uint32_t> sizes_;
  Resident<Vertex> neighbors_;
};

}  // namespace

WARPBENCH_SOLVER(SubgraphMatching, Magiq,
                 {.id = "magiq",
                  .title = "MAGiQ: candidates by products of boolean matrices and vectors, joins of tables",
                  .source = "gsi2020 §VIII, §IX",
                  .role = Role::gpu_baseline,
                  .device = Target::gpu})

}  // namespace warpbench::matching
