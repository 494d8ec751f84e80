// Construction of proximity graphs on a GPU (yu2023 §4.3): GGraphCon, its two straightforward rivals, and the HNSW and
// KNN graphs that are built with its parts. The same data and parameters give the same graph on every run and backend,
// as all orders are by (distance, id); only the rounding of distances differs between backends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/nearest_neighbors/graph_search/search.cuh"
#include "device/buffer.hpp"
#include "device/stream.hpp"
#include "solvers/phases.hpp"

namespace warpbench::nearest_neighbors {

enum class GraphKind { nsw, hnsw, knn };
enum class Builder {
  ggraphcon,      ///< Algorithm 5
  serial,         ///< GSerial: one point after the other, no parallelism between blocks
  naive_parallel  ///< GNaiveParallel: points of one batch never see each other
};

struct BuildPlan {
  GraphKind kind = GraphKind::nsw;
  Builder builder = Builder::ggraphcon;
  std::string search;  ///< the name of the search inside (graph_search/search_method.hpp); a KNN graph needs none
  std::int64_t d_min = 16;
  std::int64_t d_max = 32;
  std::int64_t groups = 0;  ///< t + 1; 0: the square root of the points, with growing rounds 500, as far as each has
                            ///< 256; and one for every 2,000 points at least
  std::int64_t blocks = 0;  ///< thread blocks of a warp in a launch; 0: as many as there is work
  std::int64_t candidates = 64;       ///< l_n of the searches inside, or SONG's queue
  std::int64_t local_candidates = 0;  ///< the same for the local graphs; 0: candidates
  bool growing_rounds = false;        ///< merge several groups a round once many points are in
  bool profile = false;
};

/// A graph on the device. Layer l holds the vertices 0 .. sizes[l] - 1, `degree` ids a row.
struct DeviceProximityGraph {
  std::vector<Buffer<Vertex>> layers;
  std::vector<std::int64_t> sizes;
  int degree = 0;
  WorkTotals work;             ///< of the searches inside its construction
  std::int64_t unreached = 0;  ///< vertices that no path from vertex 0 reaches, where that was looked for (prune.hpp)

  [[nodiscard]] GraphView view() const;
};

/// `points` are in the order of insertion: for HNSW already shuffled. Enqueues and waits.
/// Phases: build, the whole; on the GPU within it build_search, the local graphs and the searches of the rounds, and
/// build_merge, the sorting and merging of the edges that they found.
/// O(points × candidates × d_max × dimension) work, (12 d_max + 8 d_min) bytes a point besides the graph.
DeviceProximityGraph build_graph(const Points<float>& points, std::int64_t count, const BuildPlan& plan, Stream& stream,
                                 Phases& phases);

/// Device memory that build_graph() takes at most besides the points, and what the graph keeps of it. Not for KNN
/// graphs.
std::int64_t building_bytes(std::int64_t count, const BuildPlan& plan);
std::int64_t graph_bytes(std::int64_t count, const BuildPlan& plan);

/// NN-Descent with the parts of GGraphCon (build_knn.cu).
DeviceProximityGraph build_knn(const Points<float>& points, std::int64_t count, const BuildPlan& plan, Stream& stream);

}  // namespace warpbench::nearest_neighbors
