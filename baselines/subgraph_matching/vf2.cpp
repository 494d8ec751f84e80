// vf2: vf2_subgraph_mono of the Boost Graph Library, after Cordella, Foggia, Sansone and Vento (IEEE TPAMI 2004): the
// matcher that a user of a C++ graph library has at hand. It asks for distinct images and for the query's edges only,
// as the problem does. A Boost graph has one edge between two vertices, which carries the set of their labels: labels
// of vertices and edges are compared by containment of sets, which the data graph numbers. Query vertices come in the
// library's own order (vertex_order_by_mult). Homomorphisms it cannot find: its mapping is one to one by construction.
#include "baselines/subgraph_matching/collector.hpp"
#include "baselines/subgraph_matching/query_edges.hpp"
#include "solvers/solver.hpp"

#if defined(WARPBENCH_HAS_BOOST_GRAPH)
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/vf2_sub_graph_iso.hpp>
#endif

#include <map>
#include <memory>

namespace warpbench::matching {
namespace {

SolverInfo facts() {
  return {.id = "vf2",
          .title = "VF2 of the Boost Graph Library",
          .source = "gsi2020 §IX; Boost Graph, vf2_subgraph_mono",
          .role = Role::peer,
          .device = Target::cpu,
          .parameters = {},
          .smoke = {}};
}

#if defined(WARPBENCH_HAS_BOOST_GRAPH)

using SetNumber = std::uint32_t;

/// Different sets of labels by number.
class LabelSets {
 public:
  SetNumber number_of(std::span<const Label> labels) {
    return numbers_.try_emplace({labels.begin(), labels.end()}, static_cast<SetNumber>(numbers_.size())).first->second;
  }
  /// At [query set][data set]: whether the query's labels are all among the data's.
  [[nodiscard]] std::vector<std::vector<bool>> contained_in(const LabelSets& data) const {
    std::vector<std::vector<bool>> contained(numbers_.size(), std::vector<bool>(data.numbers_.size()));
    for (const auto& [labels, number] : numbers_) {
      for (const auto& [data_labels, data_number] : data.numbers_) {
        contained[number][data_number] = std::ranges::includes(data_labels, labels);
      }
    }
    return contained;
  }

 private:
  std::map<std::vector<Label>, SetNumber> numbers_;
};

/// A graph as Boost's, with the numbers of the label sets of vertices and edges.
struct BoostGraph {
  struct Set {
    SetNumber number = 0;
  };
  using Type = boost::adjacency_list<boost::setS, boost::vecS, boost::undirectedS, Set, Set>;
  Type graph;
  LabelSets vertex_sets;
  LabelSets edge_sets;

  explicit BoostGraph(const Graph& from) : graph(static_cast<std::size_t>(from.vertices())) {
    const QueryEdges edges = edges_by_neighbor(from);
    for (std::size_t u = 0; u < edges.size(); ++u) {
      graph[u].number = vertex_sets.number_of(from.labels_of(static_cast<Vertex>(u)));
      for (const QueryEdge& edge : edges[u]) {
        if (u < edge.to) boost::add_edge(u, edge.to, Set{edge_sets.number_of(edge.labels)}, graph);
      }
    }
  }
};

/// Thrown through the library, which asks about vertices far more often than it finds matches.
struct Stopped {};

class Vf2 final : public QuerySolver {
 public:
  explicit Vf2(const Parameters& /*parameters*/) {}
  void configure(const Parameters& /*parameters*/) override {}

 protected:
  void prepare_graph(const Graph& data, Phases& phases) override {
    if (!injective()) {
      throw Unsupported("vf2 maps one to one by construction: it finds no homomorphisms; ask for isomorphism");
    }
    const auto scope = phases.cpu("copy_graph");
    data_ = std::make_unique<BoostGraph>(data);
  }

  void match(const Graph& query, const Deadline& deadline, QueryAnswer& answer, Phases& phases) override {
    const auto scope = phases.cpu("search");
    Progress progress(input(), deadline);
    Collector collector(progress);
    try {
      if (collector.alive()) find(BoostGraph(query), collector);
    } catch (const Stopped&) {
    }
    progress.add(collector.found());
    progress.finish(answer);
  }

 private:
  void find(const BoostGraph& query, Collector& collector) const {
    const BoostGraph::Type& small = query.graph;
    const BoostGraph::Type& large = data_->graph;
    const auto vertices = query.vertex_sets.contained_in(data_->vertex_sets);
    const auto edges = query.edge_sets.contained_in(data_->edge_sets);
    const auto fitting_vertices = [&](auto u, auto v) {
      if (!collector.alive()) throw Stopped();
      return bool{vertices[small[u].number][large[v].number]};
    };
    const auto fitting_edges = [&](auto e, auto f) { return bool{edges[small[e].number][large[f].number]}; };
    std::vector<Vertex> images(boost::num_vertices(small));
    const auto take = [&](const auto& image_of, const auto& /*origin_of*/) {
      for (std::size_t u = 0; u < images.size(); ++u) images[u] = static_cast<Vertex>(get(image_of, u));
      collector.take(images);
      return collector.alive();
    };
    boost::vf2_subgraph_mono(small, large, take, get(boost::vertex_index, small), get(boost::vertex_index, large),
                             boost::vertex_order_by_mult(small), fitting_edges, fitting_vertices);
  }

  std::unique_ptr<BoostGraph> data_;
};

WARPBENCH_SOLVER(SubgraphMatching, Vf2, facts())

#else

WARPBENCH_SOLVER_UNAVAILABLE(SubgraphMatching, Vf2, "needs Boost's headers (Debian: libboost-dev)", facts())

#endif

}  // namespace
}  // namespace warpbench::matching
