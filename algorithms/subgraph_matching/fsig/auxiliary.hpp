// The auxiliary structure A of fsig (yu2023 §5.2.3): for a query edge (w, u) and each v of C(w) the neighbours of v in
// C(u), ascending.
//
// The document's offsets have a place for each data vertex: 15 MB a query edge on a graph of four million vertices,
// written anew for each query. Here only candidates have a place, found by their rank in the bitmap of C(w). That costs
// eight more bytes read a look-up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/subgraph_matching/fsig/filter/filter.hpp"
#include "device/arena.hpp"
#include "problems/subgraph_matching/graph.hpp"

namespace warpbench::matching::fsig {

/// The lists of one query edge, from a vertex matched before to the one to be matched.
struct BackwardEdge {
  std::uint32_t column;        ///< of the vertex w in partial matches
  Vertex from;                 ///< w
  std::int64_t offsets_begin;  ///< in Auxiliary::offsets, of C'(w)'s first list
  std::int64_t shift;          ///< from those offsets to places in Auxiliary::edges
};

struct Auxiliary {
  Candidates candidates;
  View<const std::int64_t> offsets;  ///< of a slot (w, u) of the query: candidates of w + 1, shared at the ends
  View<const Vertex> edges;
};

/// Builds A in two steps: counts the lists of every slot of the query (both directions of an edge), then writes those
/// that the matching order asks for.
class AuxiliaryBuilder {
 public:
  /// `sizes`: of the sets of candidates. Enqueues the counting; to know the lengths, call read_edges() and synchronise.
  /// Throws GaveUp once `deadline` has passed, and so does build().
  AuxiliaryBuilder(const Graph& query, const DataGraphView& data, const DeviceQuery& device_query,
                   const Candidates& candidates, std::span<const std::int64_t> sizes, Arena& arena,
                   const Deadline& deadline, Stream& stream);
  /// Enqueues a copy of slots + 1 numbers to `pinned`.
  void read_edges(std::span<std::int64_t> pinned);
  /// Gives the lists of `wanted` slots (of the query, `edges_before` being what was read) places, one behind the other.
  void choose(std::span<const std::int64_t> edges_before, std::span<const std::size_t> wanted);
  /// Of a slot, to its places.
  [[nodiscard]] std::span<const std::int64_t> shifts() const { return shifts_; }
  /// Enqueues the chosen lists; `shifts`: on the device.
  Auxiliary build(View<const std::int64_t> shifts);
  /// Of a chosen slot; columns: of all query vertices.
  [[nodiscard]] BackwardEdge backward_edge(std::size_t slot, std::span<const std::uint32_t> columns) const;

 private:
  /// Launches a kernel that gives each candidate a warp.
  template <typename Kernel, typename... Arguments>
  void launch_over_candidates(Kernel kernel, const Arguments&... arguments);

  DataGraphView data_;
  DeviceQuery query_;
  Candidates candidates_;
  Arena& arena_;
  const Deadline& deadline_;
  Stream& stream_;
  std::int64_t candidate_count_ = 0;
  std::vector<Vertex> from_;                 ///< of a slot
  std::vector<std::int64_t> offsets_begin_;  ///< of a slot
  std::vector<std::int64_t> shifts_;         ///< of a slot, to places in A's edges
  std::int64_t edges_ = 0;                   ///< of all chosen slots
  View<const std::int64_t> device_offsets_begin_;
  View<std::int64_t> offsets_;
  View<std::int64_t> edges_before_;
};

}  // namespace warpbench::matching::fsig
