// Forward (Schank and Wagner, Finding, Counting and Listing All Triangles in Large Graphs, WEA 2005), on several
// threads and with a count for each edge: the CPU's peer of bmp-gpu's `method: oriented`. Edges point from the end of
// lower degree to the one of higher degree. Then a triangle has one vertex with two edges out, where it is found, once;
// it adds one to each of its three edges. Vertices are numbered by descending degree, so that the lists' frequent ends
// lie close together. A thread keeps the place of each end of its vertex, 4 bytes a vertex of the graph.
#include <atomic>
#include <numeric>

#include "baselines/common_neighbors/edge_tasks.hpp"
#include "problems/common_neighbors/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::common_neighbors {
namespace {

/// The graph with each edge once, from its end of lower degree, under the new numbers.
struct OrientedGraph {
  std::vector<std::uint64_t> offsets;  // vertices + 1
  std::vector<Vertex> ends;
  std::vector<std::uint64_t> slots;  // e(u, v) of the graph, where the edge points from u to v

  [[nodiscard]] std::span<const Vertex> out(std::size_t vertex) const {
    return std::span(ends).subspan(offsets[vertex], offsets[vertex + 1] - offsets[vertex]);
  }
};

/// The vertices by descending degree. O(vertices + max_degree).
std::vector<Vertex> by_degree(const Csr& graph) {
  const auto count = static_cast<std::size_t>(graph.vertices());
  const std::int64_t max_degree = graph.max_degree();
  std::vector<std::uint64_t> next(static_cast<std::size_t>(max_degree) + 2, 0);
  const auto bucket = [&](std::size_t v) {
    return static_cast<std::size_t>(max_degree - graph.degree(static_cast<Vertex>(v)));
  };
  for (std::size_t v = 0; v < count; ++v) ++next[bucket(v) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Vertex> order(count);
  for (std::size_t v = 0; v < count; ++v) order[next[bucket(v)]++] = static_cast<Vertex>(v);
  return order;
}

/// O(slots / threads + vertices).
OrientedGraph oriented(const Csr& graph) {
  const std::vector<Vertex> order = by_degree(graph);
  const auto count = static_cast<std::int64_t>(order.size());
  std::vector<Vertex> number(order.size());
#pragma omp parallel for
  for (std::int64_t i = 0; i < count; ++i) number[order[static_cast<std::size_t>(i)]] = static_cast<Vertex>(i);

  OrientedGraph made;
  made.offsets.assign(order.size() + 1, 0);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    made.offsets[at + 1] = static_cast<std::uint64_t>(
        std::ranges::count_if(graph.row(order[at]), [&](Vertex v) { return number[v] < number[order[at]]; }));
  }
  std::partial_sum(made.offsets.begin(), made.offsets.end(), made.offsets.begin());
  made.ends.resize(made.offsets.back());
  made.slots.resize(made.offsets.back());
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    std::uint64_t place = made.offsets[at];
    std::uint64_t slot = graph.first_slot(order[at]);
    for (const Vertex v : graph.row(order[at])) {
      if (number[v] < i) {
        made.ends[place] = number[v];
        made.slots[place++] = slot;
      }
      ++slot;
    }
  }
  return made;
}

class Forward final : public Solver<CommonNeighbors> {
 public:
  explicit Forward(const Parameters& parameters) : parameters_(parameters) {}

  void configure(const Parameters& parameters) override { parameters_ = parameters; }

  void prepare(const CommonNeighbors::Input& input, Phases& phases) override {
    const auto scope = phases.cpu("take_memory");
    graph_ = input.graph;
    counts_.resize(graph_->neighbors.size());
  }

  void solve(Phases& phases) override {
    const ThreadLimit limit(threads_of(parameters_, graph_->vertices()));
    {
      const auto scope = phases.cpu("orient");
      edges_ = oriented(*graph_);
    }
    {
      const auto scope = phases.cpu("count");
      count();
    }
    const auto scope = phases.cpu("assign");
    assign();
  }

  void download(CommonNeighbors::Answer& answer, Phases& /*phases*/) override { answer.counts = counts_; }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"threads", threads_of(parameters_, graph_->vertices())}, {"triangles", static_cast<double>(triangles_)}};
  }

 private:
  /// of_edge_[e]: the triangles of oriented edge e.
  void count() {
    const std::int64_t vertices = graph_->vertices();
    of_edge_.assign(edges_.ends.size(), 0);
    const auto add = [&](std::uint64_t edge, std::uint32_t more) {
      std::atomic_ref(of_edge_[edge]).fetch_add(more, std::memory_order_relaxed);
    };
    std::uint64_t triangles = 0;
    std::vector<std::vector<std::uint32_t>> places(static_cast<std::size_t>(omp_get_max_threads()));
    for (auto& place : places) place.resize(static_cast<std::size_t>(vertices));
    std::vector<std::vector<std::uint32_t>> own_counts(places.size(), std::vector<std::uint32_t>(max_out()));
#pragma omp parallel reduction(+ : triangles)
    {
      // place[w]: 1 + the place of w among the ends of the vertex at hand; 0: none.
      std::vector<std::uint32_t>& place = places[static_cast<std::size_t>(omp_get_thread_num())];
      std::vector<std::uint32_t>& own = own_counts[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic, 64)
      for (std::int64_t i = 0; i < vertices; ++i) {
        const auto u = static_cast<std::size_t>(i);
        const std::span<const Vertex> ends = edges_.out(u);
        if (ends.size() < 2) continue;
        for (std::size_t k = 0; k < ends.size(); ++k) place[ends[k]] = static_cast<std::uint32_t>(k + 1);
        std::fill_n(own.begin(), ends.size(), 0U);
        for (std::size_t k = 0; k < ends.size(); ++k) {
          std::uint64_t edge = edges_.offsets[ends[k]];
          std::uint32_t found = 0;
          for (const Vertex w : edges_.out(ends[k])) {
            if (place[w] != 0) {
              ++found;
              ++own[place[w] - 1];
              add(edge, 1);
            }
            ++edge;
          }
          own[k] += found;
          triangles += found;
        }
        for (std::size_t k = 0; k < ends.size(); ++k) {
          if (own[k] != 0) add(edges_.offsets[u] + k, own[k]);
          place[ends[k]] = 0;
        }
      }
    }
    triangles_ = triangles;
  }

  [[nodiscard]] std::size_t max_out() const {
    std::size_t most = 0;
    for (std::size_t v = 0; v + 1 < edges_.offsets.size(); ++v) most = std::max(most, edges_.out(v).size());
    return most;
  }

  /// Both slots of each edge.
  void assign() {
    const Csr& graph = *graph_;
#pragma omp parallel
    {
      SourceFinder source(graph.offsets.span());
#pragma omp for schedule(dynamic, 6000)
      for (std::size_t edge = 0; edge < of_edge_.size(); ++edge) {
        const std::uint64_t slot = edges_.slots[edge];
        counts_[slot] = of_edge_[edge];
        counts_[slot_of(graph, graph.neighbors[slot], source(slot))] = of_edge_[edge];
      }
    }
  }

  Parameters parameters_;
  const Csr* graph_ = nullptr;
  OrientedGraph edges_;
  std::vector<std::uint32_t> of_edge_;
  std::vector<std::uint32_t> counts_;
  std::uint64_t triangles_ = 0;
};

WARPBENCH_SOLVER(CommonNeighbors, Forward,
                 {.id = "forward",
                  .title = "Each triangle once, along edges that point to the higher degree (forward)",
                  .source = "Schank and Wagner 2005; the CPU's peer of bmp-gpu with `method: oriented`",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = {threads_parameter(0)},
                  .smoke = {{"threads", 2}}})

}  // namespace
}  // namespace warpbench::common_neighbors
