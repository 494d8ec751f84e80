// The enumeration of fsig (yu2023 Algorithm 8) and its pipeline (§5.3.3): breadth-first, a table of partial matches a
// level, until an extension would not fit. Then the table is split into chunks (the document's blocks): the first goes
// on to the end, depth first, while the others wait.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "algorithms/subgraph_matching/fsig/auxiliary.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration/memory.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration/steps.hpp"
#include "algorithms/subgraph_matching/fsig/matching_order.hpp"
#include "device/arena.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching::fsig {

enum class OutputScheme { two_phase, prealloc_combine, one_star };

struct EnumerationOptions {
  OutputScheme scheme = OutputScheme::one_star;
  bool pipeline = true;           ///< false: an extension that does not fit is out of device memory
  double alpha = 0.6;             ///< rows of M_i for each element of the lists joined, as estimated
  bool multiply_leaves = true;    ///< counts: of all independent leaves, not only of the last one
  std::int64_t table_memory = 0;  ///< bytes; 0: what is left
  bool small_levels = true;       ///< one block goes through the levels up to the first large one
  bool spread = true;             ///< Output::first: chunks take rows from all over their table
  bool spill = true;              ///< chunks that wait may go to main memory; false: then there is too little memory
};

/// The query's plan, on the host and on the device, and the answer that is asked for.
struct EnumerationInput {
  const MatchingOrder& order;
  std::span<const DeviceLevel> levels;
  View<const DeviceLevel> device_levels;
  View<const Vertex> columns;  ///< the query vertex of a column
  Auxiliary auxiliary;
  View<const Vertex> first_candidates;  ///< C(φ[1])
  std::int64_t second_elements;         ///< list elements of the second level
  SubgraphMatching::Output output;
  std::uint64_t max_matches = std::numeric_limits<std::uint64_t>::max();  ///< Output::first: so many
};

struct EnumerationCounters {
  std::int64_t rows = 0;           ///< of all tables after the first
  std::int64_t bytes_written = 0;  ///< to these tables
  std::int64_t res_bytes = 0;      ///< allotted to res, over all extensions: what Eq. 5.5 bounds
  std::int64_t leaf_nodes = 0;     ///< chunks that went to the end
  std::int64_t parked_chunks = 0;
  std::int64_t host_bytes = 0;  ///< that went to main memory to wait
  std::int64_t peak_bytes = 0;  ///< of tables, bounds, res, cnt and waiting chunks on the device
};

/// Enumerates all matches, or as many as are asked for. Sets answer.solved unless `deadline` passes. Takes the tables'
/// memory from `arena`. Throws OutOfDeviceMemory, std::overflow_error.
[[nodiscard]] EnumerationCounters enumerate(const EnumerationInput& input, const EnumerationOptions& options,
                                            EnumerationMemory& memory, Arena& arena, const Deadline& deadline,
                                            SubgraphMatching::QueryAnswer& answer, Stream& stream);

}  // namespace warpbench::matching::fsig
