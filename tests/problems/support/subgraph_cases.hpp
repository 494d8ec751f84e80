// Small data graphs with queries for the tests of subgraph_matching: awkward ones, random ones by seed, and how a
// solver is run on them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "datasets/dataset.hpp"
#include "problems/subgraph_matching/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::testing {

/// A labelled graph while it is being made. An edge may have several labels: parallel edges of one label each.
class SmallGraph {
 public:
  using Label = std::uint32_t;
  using Labels = std::set<Label>;
  using Vertex = datasets::Vertex;

  SmallGraph() = default;
  /// So many vertices of label 0.
  explicit SmallGraph(std::size_t vertices) : labels_(vertices, Labels{0}) {}
  /// A vertex a label.
  explicit SmallGraph(const std::vector<Label>& labels) {
    for (const Label label : labels) labels_.push_back({label});
  }
  explicit SmallGraph(std::vector<Labels> labels) : labels_(std::move(labels)) {}

  /// Adds an edge of no label, or a label to it. A graph has edges of the one kind or of the other.
  SmallGraph& edge(Vertex u, Vertex v);
  SmallGraph& edge(Vertex u, Vertex v, Label label);

  [[nodiscard]] std::size_t vertices() const { return labels_.size(); }
  [[nodiscard]] const std::vector<Labels>& labels() const { return labels_; }
  /// {u, v}, u < v, and their labels; none: an edge without labels.
  [[nodiscard]] const std::map<std::pair<Vertex, Vertex>, Labels>& edges() const { return edges_; }
  [[nodiscard]] datasets::LabelledGraph graph() const;

 private:
  std::vector<Labels> labels_;
  std::map<std::pair<Vertex, Vertex>, Labels> edges_;
};

/// 0 - 1 - … ; the same closed; vertex 0 joined to all others; all joined. Vertices of label 0, edges without labels.
[[nodiscard]] SmallGraph path(std::size_t vertices);
[[nodiscard]] SmallGraph cycle(std::size_t vertices);
[[nodiscard]] SmallGraph star(std::size_t leaves);
[[nodiscard]] SmallGraph clique(std::size_t vertices);

/// Valid, of kind GraphQueries.
[[nodiscard]] datasets::Dataset dataset_of(const std::string& name, const SmallGraph& data,
                                           const std::vector<SmallGraph>& queries);

/// Awkward ones, each of at most a few tens of thousands of matches a query under any semantics.
[[nodiscard]] std::vector<datasets::Dataset> adversarial_subgraph_cases();

/// A star, three of whose leaves have another label than the others, and queries of a few matches; or of as many as
/// leaves and more.
[[nodiscard]] datasets::Dataset great_star(std::size_t leaves, bool many_matches);

struct RandomGraphs {
  std::size_t vertices = 12;
  double degree = 4;                ///< edges a vertex, parallel ones as one
  std::uint32_t vertex_labels = 2;  ///< label i about 1 / (i + 1) times as often as 0
  std::uint32_t edge_labels = 0;    ///< 0: edges carry none
  bool several_vertex_labels = false;
  bool parallel_edges = false;
  std::size_t queries = 3;
  std::size_t query_vertices = 5;  ///< at most so many a query; fewer where the graph has fewer that hang together
};
/// A random data graph and connected queries, most of them taken from it, so that they have matches.
[[nodiscard]] datasets::Dataset random_subgraph_case(std::uint64_t seed, const RandomGraphs& how);
/// Of random sizes and kinds, with at most some ten thousands of matches a query.
[[nodiscard]] datasets::Dataset random_subgraph_case(std::uint64_t seed);

using SubgraphTask = std::map<std::string, Value>;
/// Of the task's parameters those that `task` does not give have their defaults.
[[nodiscard]] SubgraphMatching::Input subgraph_input(const datasets::Dataset& dataset, const SubgraphTask& task = {});
/// The semantics that may be asked of this dataset: edge_isomorphism only where vertices have one label each and every
/// query has an edge.
[[nodiscard]] std::vector<std::string> semantics_for(const datasets::Dataset& dataset);

struct SubgraphRun {
  SubgraphMatching::Answer answer;
  Judgement judgement;
  std::map<std::string, double> counters;
  std::string refused;  ///< why the solver is Unsupported for this; "" where it answered
};
/// The registered solver `id` at `given` over its smoke point, asked twice on one index: the second answer, judged by
/// `reference`. Throws std::invalid_argument where this build has no such solver.
[[nodiscard]] SubgraphRun run_subgraph_solver(const std::string& id, const std::map<std::string, Value>& given,
                                              const SubgraphMatching::Input& input,
                                              const SubgraphMatching::Reference& reference);
/// The same with the reference of `input`.
[[nodiscard]] SubgraphRun run_subgraph_solver(const std::string& id, const std::map<std::string, Value>& given,
                                              const SubgraphMatching::Input& input);

}  // namespace warpbench::testing
