// The plans of cbwj (Mhedhbi and Salihoglu, VLDB 2019): trees of hash joins and of extensions by one vertex, whose
// candidates are intersections of adjacency lists. Dynamic programming over the connected parts of the query finds the
// cheapest.
#pragma once

#include <cstddef>
#include <functional>
#include <variant>
#include <vector>

#include "baselines/subgraph_matching/cbwj/catalogue.hpp"

namespace warpbench::matching::cbwj {

/// A match of some query vertices gets an image of one more: one that the lists of its edges to them have in common.
struct Extend {
  Vertex u;
  std::vector<QueryEdge> lists;
};
/// A match gets the rest of every match in a table that agrees with it.
struct Probe {
  std::size_t table;
};
/// From the images of a vertex, step by step.
struct Pipeline {
  Vertex first;
  std::vector<std::variant<Extend, Probe>> steps;
  std::vector<Vertex> vertices;  ///< matched at its end, in the order in which they were
  std::vector<Vertex> key;       ///< of the table that it fills: vertices that the probing side has matched too; empty
                                 ///< at the last pipeline, whose matches are the query's
};

/// Pipelines, each after those whose tables it probes.
struct JoinPlan {
  std::vector<Pipeline> pipelines;
  double cost = 0;        ///< estimated: lengths of lists read, and matches hashed and probed, as weighed there
  std::size_t joins = 0;  ///< hash joins
};

/// The most vertices of a query that are planned.
inline constexpr std::size_t kMaxQueryVertices = 64;

/// The cheapest plan of queries of up to ten vertices; beyond, the best five parts of each size are gone on from, as in
/// the publication. Without joins where `pipelined`: tables are filled before the first match is found. Asks alive()
/// now and then; a plan of no pipelines where that is false.
[[nodiscard]] JoinPlan plan_joins(const IndexedQuery& query, Catalogue& catalogue, bool pipelined,
                                  const std::function<bool()>& alive);

}  // namespace warpbench::matching::cbwj
