// Subgraph matching (gsi2020 §II-A, yu2023 §2.3): all ways to map the vertices of a connected query graph to vertices
// of a data graph so that labels and query edges are kept. Query by query, for all queries of a set.
//
//   isomorphism       different query vertices map to different data vertices; edges of the data graph that the query
//                     does not ask for may be there (not induced)
//   homomorphism      query vertices may share a data vertex
//   edge_isomorphism  different query edges map to different data edges, and edges that share a vertex to edges
//                     that share one of its label (gsi2020 §VII-A); what is mapped are edges
//
// A label of the query must be among those of what it maps to (gsi2020 §VII-B), and each of the labels of a query edge
// among those of the data edge. gsi2020's Definitions 2 and 3 ask for subgraphs of the data graph, yu2023 for mappings:
// one subgraph has as many mappings as the query has automorphisms, and each is counted, as both documents' systems do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "problems/rules.hpp"
#include "problems/subgraph_matching/graph.hpp"

namespace warpbench {

struct SubgraphMatching {
  static ProblemInfo info();

  enum class Semantics { isomorphism, homomorphism, edge_isomorphism };
  enum class Output {
    count,    ///< the number of matches
    digest,   ///< and matching::digest_of_match() summed over them
    matches,  ///< and all of them
    first     ///< `first` of them, any, or all where there are fewer; the number is that of those given
  };

  /// The graphs, after the transformation for edge_isomorphism: solvers need not know of it.
  struct Graphs {
    matching::Graph data;
    std::vector<matching::Graph> queries;
    std::vector<std::string> query_files;         ///< their names; empty: the queries came from no files
    std::vector<std::uint64_t> published_counts;  ///< of the queries' isomorphic matches; may be empty
  };
  struct Input {
    std::shared_ptr<const Graphs> graphs;
    Semantics semantics = Semantics::isomorphism;
    Output output = Output::count;
    std::uint64_t first = 0;             ///< Output::first: so many matches
    double query_timeout_seconds = 100;  ///< a query that takes longer is unsolved

    [[nodiscard]] const matching::Graph& data() const { return graphs->data; }
    [[nodiscard]] std::span<const matching::Graph> queries() const { return graphs->queries; }
    /// For messages: "query 4", with the name of its file if it has one.
    [[nodiscard]] std::string name_of_query(std::size_t query) const;
    /// Different query vertices map to different data vertices.
    [[nodiscard]] bool injective() const { return semantics != Semantics::homomorphism; }
    /// `queries`, and `query_edges` of all of them.
    [[nodiscard]] std::map<std::string, double> work() const;
    void stretch_limits(double factor) { query_timeout_seconds *= factor; }
  };

  struct QueryAnswer {
    bool solved = false;  ///< false: the time was up; nothing else is asked of it
    std::uint64_t count = 0;
    std::uint64_t digest = 0;  ///< Output::digest
    std::vector<matching::Vertex>
        matches;  ///< Output::matches, first: the data vertices of query vertices 0, 1, …, a row a match
  };
  struct Answer {
    std::vector<QueryAnswer> queries;

    [[nodiscard]] std::uint64_t digest() const;
    /// Each query then counts as solved, so that it is judged.
    void poison() { std::ranges::fill(queries, QueryAnswer{true, kPoison, kPoison, {}}); }
  };
  /// A number for each query; kNone<std::uint64_t> is the count of one that is left open. digests are empty unless
  /// asked for.
  struct Reference {
    std::vector<std::uint64_t> counts;
    std::vector<std::uint64_t> digests;

    [[nodiscard]] auto parts() const { return std::tie(counts, digests); }
  };

  /// Throws InputError where edge_isomorphism is asked of vertices of several labels.
  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  /// Backtracking with forward checking (reference.hpp), query by query: each has an equal share of the time that those
  /// before it left, and is left open after that or where memory does not suffice. What others published stands in its
  /// place where only isomorphic matches are counted: some queries have more than it can count. Throws
  /// std::overflow_error where a count exceeds 64 bits.
  static Reference reference(const Input& input, double seconds = std::numeric_limits<double>::infinity());
  /// Wrong with the first solved query that is not right. Else exact if any solved query was verified or none is
  /// solved, and unverified if the reference left all of them open. Every match given is checked: labels, edges,
  /// distinctness. Metrics: `solved`, `verified` (of the solved), `matches` (of the solved), and for each solved query
  /// i that was not verified `unverified_count_of_query_i`.
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static Reference read_reference(const Input& input, ReferenceReader& stored);
};

}  // namespace warpbench
