#include "algorithms/common_neighbors/oriented/hosted.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "algorithms/common_neighbors/oriented/count_edges.cuh"
#include "algorithms/common_neighbors/oriented/hosted_kernels.cuh"
#include "device/buffer.hpp"
#include "device/primitives.hpp"

namespace warpbench::common_neighbors {
namespace {

constexpr int kThreads = HostedTuning::kThreads;
constexpr std::size_t kChunks = 2;  ///< one is copied to while the other one is read

/// An eighth of the slots, or what the longest row takes: the first copies are short against all of them.
std::int64_t chunk_slots(std::int64_t slots, std::int64_t longest_row) {
  return std::max(std::min(ceil_div(slots, std::int64_t{8}), HostedTuning::kChunkSlots), longest_row);
}

/// Ranges of rows with at most `most` slots.
std::vector<Extent<std::int64_t>> chunks_of(std::span<const std::uint64_t> offsets, std::int64_t most) {
  std::vector<Extent<std::int64_t>> chunks;
  const auto rows = std::ssize(offsets) - 1;
  for (std::int64_t begin = 0; begin < rows;) {
    const std::uint64_t limit = offsets[static_cast<std::size_t>(begin)] + static_cast<std::uint64_t>(most);
    const auto behind = std::ranges::upper_bound(offsets.subspan(static_cast<std::size_t>(begin)), limit);
    const std::int64_t end = behind - offsets.begin() - 1;  // offsets[end] is within the limit, the next one is not
    chunks.push_back({begin, std::max(begin + 1, end)});
    begin = chunks.back().end;
  }
  return chunks;
}

/// The oriented edges, by source, then target.
struct OutLists {
  Buffer<std::uint32_t> offsets;
  Buffer<std::uint32_t> neighbors;
};

OutLists orient(const HostedInput& graph, Stream& stream) {
  const auto vertices = std::ssize(graph.host_offsets) - 1;
  const std::int64_t most_slots = chunk_slots(std::ssize(graph.neighbors), graph.longest_row);
  OutLists out{Buffer<std::uint32_t>(vertices + 1, stream),
               Buffer<std::uint32_t>(std::ssize(graph.neighbors) / 2, stream)};
  out.offsets.fill(0, stream);
  const Buffer<std::uint32_t> degrees = degrees_of(graph.offsets, stream);

  Stream copies;
  std::array<Buffer<std::uint32_t>, kChunks> chunks;
  std::array<Event, kChunks> copied;
  std::array<Event, kChunks> read;
  for (auto& chunk : chunks) chunk = Buffer<std::uint32_t>(most_slots, stream);
  Event taken;
  taken.record(stream);
  copies.wait(taken);
  std::size_t turn = 0;
  for (const Extent<std::int64_t> rows : chunks_of(graph.host_offsets, most_slots)) {
    const std::uint64_t first = graph.host_offsets[static_cast<std::size_t>(rows.begin)];
    const std::uint64_t end = graph.host_offsets[static_cast<std::size_t>(rows.end)];
    copies.wait(read[turn]);
    chunks[turn].upload(graph.neighbors.subspan(first, end - first), copies);
    copied[turn].record(copies);
    stream.wait(copied[turn]);

    const RowChunk chunk{graph.offsets, degrees.view(), rows, std::as_const(chunks[turn]).view(),
                         static_cast<std::int64_t>(first)};
    Buffer<std::uint32_t> starts(rows.size() + 1, stream);
    const Grid grid = warp_grid_for(rows.size(), kThreads);
    launch(count_forward, grid, stream, chunk, starts.view());
    exclusive_scan(starts.view(), starts.view(), stream);
    launch(continue_offsets, grid_for(rows.size(), kThreads), stream, rows, std::as_const(starts).view(),
           out.offsets.view());
    launch(gather_rows, grid, stream, chunk, std::as_const(out.offsets).view(), out.neighbors.view());
    read[turn].record(stream);
    turn = (turn + 1) % kChunks;
  }
  return out;
}

}  // namespace

HostedBytes hosted_bytes(std::int64_t vertices, std::int64_t slots, std::int64_t longest_row,
                         const OrientedFacts& facts) {
  const std::int64_t chunks = static_cast<std::int64_t>(kChunks) * chunk_slots(slots, longest_row);
  const std::int64_t orient = 4 * (vertices + chunks + vertices + 1);  // degrees; of a chunk, where out-lists start
  const CountingWork::Bytes work = CountingWork::bytes(vertices, Tasks::most(slots), facts.hubs);
  return {.kept = 4 * (vertices + 1 + slots / 2),
          .before_counts = std::max(orient, work.making),
          .beside_counts = work.kept,
          .of_an_edge = facts.has_short_counts ? 2 : 4};
}

void count_oriented_hosted(const HostedInput& graph, const OrientedOptions& options,
                           std::span<const std::uint64_t> boundaries, View<std::uint32_t> counts, Stream& stream,
                           Phases& phases) {
  const OutLists out = [&] {
    const auto scope = phases.gpu("orient", stream);
    return orient(graph, stream);
  }();
  OutGraph counted{graph.offsets,        {graph.neighbors.data(), std::ssize(graph.neighbors)}, {}, out.offsets.view(),
                   out.neighbors.view(), {{}, 0, 0, graph.facts.has_short_counts ? 1 : 0},      {}};
  const CountingWork work = [&] {
    const auto scope = phases.gpu("count", stream);
    return CountingWork(counted, graph.facts.hubs, Tasks::count(counted, stream), stream);
  }();
  counted.hubs = work.hubs.set();
  for (std::size_t i = 0; i + 1 < boundaries.size(); ++i) {
    const std::uint64_t first = boundaries[i];
    if (first == boundaries[i + 1]) continue;
    const std::uint64_t edges = boundaries[i + 1] - first;
    Buffer<std::uint32_t> words(EdgeCounts::words_for(static_cast<std::int64_t>(edges), graph.facts.has_short_counts),
                                stream);
    counted.counts.words = words.view();
    counted.counts.first = static_cast<std::uint32_t>(first);
    counted.counts.size = static_cast<std::uint32_t>(edges);
    {
      const auto scope = phases.gpu("count", stream);
      words.fill(0, stream);
      count_edges(counted, options, work, stream);
    }
    const auto scope = phases.gpu("mirror", stream);
    const std::int64_t tiles = ceil_div(counts.size(), std::int64_t{SlotTuning::kTileSlots});
    launch(fill_hosted_slots, warp_grid_for(tiles, SlotTuning::kThreads), stream, counted, counts);
  }
}

}  // namespace warpbench::common_neighbors
