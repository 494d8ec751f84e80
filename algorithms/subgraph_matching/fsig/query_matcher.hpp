// The way of a query through fsig (yu2023 Algorithm 6): filter, auxiliary structure, order, enumeration, on a stream
// and in memory of its own. Several matchers may work on one data graph at the same time, each on a thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/subgraph_matching/fsig/auxiliary.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration/enumeration.hpp"
#include "algorithms/subgraph_matching/fsig/graph.hpp"
#include "algorithms/subgraph_matching/fsig/matching_order.hpp"
#include "device/arena.hpp"
#include "device/stream.hpp"
#include "problems/subgraph_matching/problem.hpp"
#include "solvers/phases.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching::fsig {

struct MatcherOptions {
  std::int64_t filter_rounds = 3;
  bool masks = false;
  EnumerationOptions enumeration;
};

/// The page-locked memory that suffices for each of some queries.
struct PinnedSizes {
  std::int64_t staged_bytes = 0;  ///< to copy to the device
  std::int64_t numbers = 0;       ///< read from there
};
[[nodiscard]] PinnedSizes pinned_sizes(std::span<const Graph> queries);

class QueryMatcher {
 public:
  using QueryAnswer = SubgraphMatching::QueryAnswer;

  /// `graph` and `input` outlive this, and so does `memory`, which is all that the queries have on the device.
  QueryMatcher(const ResidentGraph& graph, const SubgraphMatching::Input& input, View<std::byte> memory,
               const PinnedSizes& pinned);

  /// As QuerySolver::match(). Throws OutOfDeviceMemory, GaveUp, std::overflow_error; can be used again then.
  void match(const Graph& query, const MatcherOptions& options, const Deadline& deadline, QueryAnswer& answer,
             Phases& phases);
  /// Of the query just matched.
  [[nodiscard]] const std::map<std::string, double>& counters() const { return counters_; }

 private:
  /// C(u) of all query vertices, and how many candidates each has.
  struct FilteredQuery {
    Candidates candidates;
    std::vector<std::int64_t> sizes;
  };
  /// The order of a query's levels, and the lists of A that they join.
  struct Plan {
    MatchingOrder order;
    Auxiliary auxiliary{};
    std::vector<DeviceLevel> levels;   ///< with edges and columns on the device
    View<const Vertex> columns{};      ///< the query vertex of a column
    std::int64_t second_elements = 0;  ///< list elements of the second level
  };

  void find(const Graph& query, const MatcherOptions& options, const Deadline& deadline, QueryAnswer& answer,
            Phases& phases);
  FilteredQuery filter_query(const Graph& query, const DeviceQuery& device_query, bool confirm,
                             const MatcherOptions& options, const Deadline& deadline, Phases& phases);
  std::optional<Plan> plan_query(const Graph& query, const DeviceQuery& device_query, const FilteredQuery& filtered,
                                 const Deadline& deadline, Phases& phases);
  View<const std::int64_t> put_levels(const AuxiliaryBuilder& builder, std::span<const std::size_t> wanted, Plan& plan);
  void enumerate_query(const Plan& plan, const FilteredQuery& filtered, const EnumerationOptions& options,
                       const Deadline& deadline, QueryAnswer& answer, Phases& phases);
  void add_counters(const EnumerationCounters& found, std::int64_t used_before);
  void note_peak();

  const ResidentGraph& graph_;
  const SubgraphMatching::Input& input_;
  Stream stream_;
  Arena arena_;
  EnumerationMemory enumeration_memory_;
  PinnedBuffer<std::int64_t> read_;
  Event filter_start_;
  Event filter_stop_;
  std::map<std::string, double> counters_;
};

}  // namespace warpbench::matching::fsig
