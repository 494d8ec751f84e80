#include "algorithms/subgraph_matching/fsig/graph.hpp"
#include "device/error.hpp"
#include "device/launch.hpp"
#include "device/ranges.cuh"

namespace warpbench::matching::fsig {
namespace {

constexpr int kThreads = 256;

/// One thread a place.
__global__ void gather_by_label(DataGraphView data, View<std::uint32_t> degrees, View<std::uint32_t> counters) {
  for (const std::int64_t place : grid::strided(data.vertices)) {
    const Vertex v = data.by_label.vertices[place];
    degrees[place] = data.degrees[v];
    for (std::int64_t first = 0; first < counters.size(); first += data.vertices) {
      counters[first + place] = data.counters[first + v];
    }
  }
}

}  // namespace

/// Degrees and counters are on the device already: only the order has to cross the bus.
void ResidentGraph::upload_order(Stream& stream) {
  if (ordered_vertices_.size() == 0) return;
  try {
    if (ordered_vertices_.view().empty()) {
      ordered_degrees_ = Buffer<std::uint32_t>(degrees_.size(), stream);
      ordered_counters_ = Buffer<std::uint32_t>(counters_.size(), stream);
    }
    ordered_vertices_.upload(stream);
  } catch (const OutOfDeviceMemory&) {
    ordered_vertices_.release();
    ordered_degrees_.reset();
    ordered_counters_.reset();
    return;
  }
  launch(gather_by_label, grid_for(ordered_vertices_.size(), kThreads), stream, view(), ordered_degrees_.view(),
         ordered_counters_.view());
}

}  // namespace warpbench::matching::fsig
