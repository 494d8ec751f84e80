// The searches by name: solvers take one for their queries, constructions one for the searches inside (parameter
// `build_search`). The file of a search registers it with register_search() of graph_solver/register_search.cuh;
// nothing else names it. Searches register at static initialisation, in no fixed order, so their names are asked for
// when they are needed: `build_search` declares search_method_names itself as its choices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/nearest_neighbors/graph_search/search.cuh"
#include "device/stream.hpp"

namespace warpbench::nearest_neighbors {

// A construction's launches, of which a search only instantiates the kernels (construction/build_kernels.cuh).
struct LocalBuild;
struct BatchBuild;
struct WarpBlocks;

/// Enqueues the kernel that answers `batch`, `lanes` threads a query; returns the shared memory of a query in bytes.
template <typename T>
using SearchLaunch = std::size_t (*)(const Points<T>& points, const GraphView& graph, const QueryBatch& batch,
                                     const SearchShape& shape, int lanes, Stream& stream);

struct SearchMethod {
  std::string name;
  int min_candidates = 8;                    ///< the shortest list
  int build_entries = 1;                     ///< vertices that a search inside a construction begins with
  int (*visited)(int candidates) = nullptr;  ///< places of its table of seen vertices; none: it has no table

  // Set by register_search().
  SearchLaunch<float> search = nullptr;
  SearchLaunch<Half> search_halves = nullptr;  ///< none: it takes single precision only
  SearchLaunch<Byte> search_bytes = nullptr;   ///< likewise
  void (*build_local)(const LocalBuild& build, std::int64_t blocks, Stream& stream) = nullptr;
  void (*build_batch)(const BatchBuild& build, const WarpBlocks& blocks, Stream& stream) = nullptr;

  /// The shape of a search with at least so many candidates: lengths made powers of two, the table sized.
  [[nodiscard]] SearchShape shape(std::int64_t candidates, std::int64_t degree, int stride) const;
};

/// Adds a search to the table.
void add_search_method(SearchMethod method);
/// Throws std::logic_error for a name that nobody registered.
const SearchMethod& search_method(std::string_view name);
/// The names registered so far, ascending.
std::vector<std::string> search_method_names();

}  // namespace warpbench::nearest_neighbors
